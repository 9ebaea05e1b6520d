import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { temporaryFolder } from '../crawl/crawl-web.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/orbweaver.cjs', import.meta.url));

test('a crawl that is stopped in the browser leaves the page that it was stopped on', {
  timeout: 300_000,
}, async () => {
  using folder = temporaryFolder();
  await using web = await startSyntheticWeb({
    ...{ seed: 5, hosts: 1, pagesPerHost: 2000, pageBytes: [500, 1500] },
    ...{ crawlDelaySeconds: 0, retryAfterSeconds: 0, slowRobotsMs: 0, robots: { broken: 0 } },
  });
  const args = [
    ...['start', web.origins[0], '--dir', folder.path, '--port', '0', '--allow-private', '--workers', '0'],
    ...['--delay', '50ms', '--delay-factor', '0', '--sitemaps', 'off'],
    ...Object.entries(web.hostsMap()).flatMap(([name, address]) => ['--hosts', `${name}=${address}`]),
  ];
  const child = spawn(process.execPath, [LAUNCHER, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let told = '';
  child.stderr.on('data', (data: Buffer) => {
    told += data;
  });
  try {
    let said = '';
    child.stdout.on('data', (data: Buffer) => {
      said += data;
    });
    const urlOf = (): string | undefined => /^http:\S+$/m.exec(said)?.[0];
    while (urlOf() === undefined && child.exitCode === null) await pause(50);
    const url = urlOf();
    assert.ok(url, told);
    const facts = async () => (await (await fetch(`${url}dashboard.json`)).json()) as Facts;
    while (((await facts()).totals?.pages ?? 0) < 3) await pause(100);
    const headers = { 'content-type': 'application/json' };
    const stop = await fetch(`${url}api/v1/control/stop`, { method: 'POST', headers, body: '{}' });
    assert.equal(stop.status, 202);
    while (!told.includes('The search page is served at')) {
      assert.equal(child.exitCode, null, told);
      await pause(50);
    }
    while ((await facts()).ended?.why !== 'stopped') await pause(100);
    assert.equal((await fetch(`${url}search?q=a`)).status, 200);
    child.kill('SIGINT');
    await ended;
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
});

interface Facts {
  readonly totals?: { readonly pages: number };
  readonly ended?: { readonly why: string };
}
