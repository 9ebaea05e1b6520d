import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { callProgram } from '../../called-program.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';
import { signalWhenAnnounced } from '../../signalled-program.ts';

interface Server {
  readonly args: (folder: string) => readonly string[];
  /** Where it listens, by default. */
  readonly announces?: RegExp;
  /** With that it ends: a crawl that is stopped has a code of its own. */
  readonly code?: number;
}

const SERVERS: Readonly<Record<string, Server>> = {
  docs: { args: () => ['docs', '--port', '0'] },
  'bot serve': { args: (folder) => ['bot', 'serve', '--port', '0', '--dir', join(folder, 'none')] },
  'simulate serve': { args: () => ['simulate', 'serve'], announces: /"serving"/ },
  'serve, of one crawl': { args: (folder) => ['serve', join(folder, 'all', 'one'), '--port', '0'] },
  'serve, of a library': { args: (folder) => ['serve', join(folder, 'all'), '--port', '0'] },
  'start, of a library': { args: (folder) => ['start', '--dir', join(folder, 'new'), '--port', '0'] },
  // Its hosts are asked so seldom that it is still under way when the page is served.
  'start, beside a crawl': {
    args: (folder) => ['start', '--demo', '--dir', join(folder, 'demo'), '--port', '0', '--delay', '60s'],
    code: 130,
  },
};

describe('A server that gets a signal as it says where it is', { skip: process.platform === 'win32' }, () => {
  const folder = temporaryFolder();
  before(async () => {
    const page = join(folder.path, 'page.html');
    writeFileSync(page, '<title>Spiders</title><p>Spiders weave webs.');
    const crawled = await callProgram(['crawl', page, '--dir', join(folder.path, 'all', 'one'), '--workers', '0']);
    assert.equal(crawled.status, 0, crawled.stderr);
  });
  after(() => folder[Symbol.dispose]());

  for (const [name, { args, announces = /http:\/\/127\.0\.0\.1:\d+\//, code = 0 }] of Object.entries(SERVERS))
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      test(`ends in order: ${name}, ${signal}`, async () => {
        const ended = await signalWhenAnnounced(args(folder.path), { folder: folder.path, signal, announces });
        assert.deepEqual([ended.code, ended.signal], [code, null], ended.stderr);
        assert.match(ended.stdout + ended.stderr, announces);
      });
});
