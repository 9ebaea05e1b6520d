import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RenderOrder } from '../../../src/contracts/content/renderer.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { BrowserFailure, BrowserProcess } from '../../../src/render/browser-process.ts';
import { BrowserRenderer } from '../../../src/render/renderer.ts';
import type { SubRequests } from '../../../src/render/sub-requests.ts';

const skip = process.platform === 'win32' ? 'a script of the shell stands for the browser' : false;
const ORDER: RenderOrder = {
  ...{ url: 'http://example.test/' as CanonicalUrl, address: '192.0.2.1', status: 200, rawHeaders: [] },
  ...{ body: new Uint8Array(), leaseEndsAt: Number.POSITIVE_INFINITY },
};

/** Shows two pages at once with a browser that never starts, and counts how often that is tried. */
async function startsOf(isLate: boolean): Promise<number> {
  let starts = 0;
  const notices: string[] = [];
  await using renderer = new BrowserRenderer(
    {
      browser: { path: '/none', folder: '/none', sandbox: true, images: false },
      ...{ tabs: 2, userAgent: 'test', keepResources: false, memory: 2 ** 30, timeoutMs: 1000 },
      ...{ scrolls: 0, controls: 0, screenshot: false, maxBytes: 1000 },
    },
    {
      ...{ requests: {} as SubRequests, isPrivate: () => false, now: () => 0 },
      start: () => {
        starts++;
        return Promise.reject(new BrowserFailure('it did not start', { isLate }));
      },
      notice: (message) => notices.push(message),
    },
  );
  const results = await Promise.all([renderer.render(ORDER), renderer.render(ORDER)]);
  for (const result of results) assert.equal(result.kind === 'failed' && result.code, 'no-browser');
  assert.deepEqual(notices, ['it did not start']);
  return starts;
}

test('a browser that is slow to start is started again before pages go without', async () => {
  assert.equal(await startsOf(true), 3);
});

test('a browser that ends at once is not tried for long', async () => {
  assert.equal(await startsOf(false), 1);
});

test('a browser that does not answer is told from one that ends', { skip }, async () => {
  // Not where tests keep their files: whom the browser runs as may not come in there.
  const folder = mkdtempSync('/tmp/orbweaver-slow-browser-');
  try {
    chmodSync(folder, 0o755);
    const path = join(folder, 'browser');
    const failureOf = async (command: string, startMs: number): Promise<boolean> => {
      writeFileSync(path, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
      const starting = BrowserProcess.start({ path, folder, sandbox: true, images: false, startMs });
      const failure = await starting.then(
        () => assert.fail('it started'),
        (error) => error,
      );
      assert.ok(failure instanceof BrowserFailure);
      return failure.isLate;
    };
    assert.equal(await failureOf('exec sleep 60', 100), true);
    assert.equal(await failureOf('exit 1', 60_000), false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
