import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import { resolveSettings } from '../../../../src/base/settings/resolve-settings.ts';
import { BorrowedTurns } from '../../../../src/crawl/notify/borrowed-turns.ts';
import { KeyFiles } from '../../../../src/crawl/notify/key-files.ts';
import { openNetwork } from '../../../../src/crawl/visit/open-network.ts';

const KEY = 'abcdefgh12345678';

async function listen(answer: RequestListener): Promise<{ readonly origin: string } & AsyncDisposable> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a key file may have moved on its host, but another port of it proves nothing', async () => {
  let askedElsewhere = 0;
  await using other = await listen((_, response) => {
    askedElsewhere++;
    response.writeHead(200, { 'content-type': 'text/plain' }).end(KEY);
  });
  await using host = await listen(({ url }, response) => {
    if (url === '/here') response.writeHead(302, { location: '/moved' }).end();
    else if (url === '/there') response.writeHead(302, { location: `${other.origin}/moved` }).end();
    else response.writeHead(200, { 'content-type': 'text/plain' }).end(KEY);
  });
  const { settings } = resolveSettings({ overrides: { allowPrivate: true } });
  await using network = openNetwork(settings, '0.0.0');
  let holdUntil = 0;
  const turns = new BorrowedTurns({
    clock: systemClock,
    clockOf: async () => ({ dueAt: 0, holdUntil, leased: false, delayMs: 0 }),
    announce: async (_, until) => {
      // A crawl that answers at once, and lets the host go as soon as the request is over.
      holdUntil = until > systemClock.now() ? until : 0;
    },
    mayAnswer: () => true,
    usualDelayMs: 0,
  });
  const robotsOf = async () => undefined;
  const keys = new KeyFiles({ fetcher: network.fetcher, turns, clock: systemClock, robotsOf });
  assert.deepEqual(await keys.fetch(`${host.origin}/here`), { kind: 'file', url: `${host.origin}/moved`, text: KEY });
  assert.deepEqual(await keys.fetch(`${host.origin}/there`), { kind: 'absent', why: 'HTTP 302' });
  assert.equal(askedElsewhere, 0);
});
