import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import type { WebSubSubscription } from '../../../../src/contracts/push.ts';
import { pushInboxPath } from '../../../../src/crawl/notify/push-inbox.ts';
import { PushReceiver } from '../../../../src/crawl/notify/push-receiver.ts';
import { WebSubSubscriber } from '../../../../src/seeds/push/websub-subscriber.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';
import { MemorySubscriptions } from '../../seeds/push/memory-subscriptions.ts';
import { hubSignature } from '../../seeds/push/sign-as-hub.ts';

const TOPIC = 'https://site.test/feed';
const ID = 'abcdefghijklmnopqrstuvwx';

function deskOf(folder: string, secret?: string): PushReceiver {
  const held: WebSubSubscription = {
    ...{ id: ID, hub: 'https://hub.test/', topic: TOPIC, state: 'active', leaseSeconds: 864_000 },
    ...{ until: Date.now() + 86_400_000, actAt: Date.now() + 80_000_000, tries: 0, moves: 0 },
    ...(secret === undefined ? {} : { secret }),
  };
  const webSub = new WebSubSubscriber({
    store: new MemorySubscriptions([held]),
    clock: systemClock,
    random: (bytes) => new Uint8Array(bytes),
    callbackBase: 'https://crawler.test/push/websub/',
  });
  const post = { post: async () => ({ kind: 'failed' as const, why: 'nobody is asked' }), close: async () => {} };
  return new PushReceiver({
    folder,
    clock: systemClock,
    webSub,
    post,
    onTrouble: (trouble) => assert.ifError(trouble),
  });
}

function deliver(desk: PushReceiver, body: string, headers: Record<string, string> = {}) {
  const all = { 'content-type': 'application/rss+xml', ...headers };
  return desk.handle('websub', { method: 'POST', url: `/push/websub/${ID}`, headers: all, body: Buffer.from(body) });
}

const words = (folder: string): unknown[] =>
  readFileSync(pushInboxPath(folder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const { at: _at, ...word } = JSON.parse(line);
      return word;
    });

const RSS = `<rss version="2.0"><channel><title>News</title><item><guid isPermaLink="false">1</guid>
  <link>https://site.test/1</link><pubDate>Sun, 15 Nov 2026 12:00:00 GMT</pubDate></item></channel></rss>`;

test('what anybody may have sent is a hint to look at the feed, whatever it says', async () => {
  using folder = temporaryFolder();
  assert.equal((await deliver(deskOf(folder.path), RSS)).status, 202);
  assert.deepEqual(words(folder.path), [{ url: TOPIC, poll: true }]);
});

test('signed news are left as items; what is signed but no feed has its topic looked at', async () => {
  using folder = temporaryFolder();
  const desk = deskOf(folder.path, 'secret');
  const sign = (body: string) => ({ 'x-hub-signature': hubSignature('sha256', 'secret', Buffer.from(body)) });
  assert.equal((await deliver(desk, RSS, sign(RSS))).status, 202);
  assert.equal((await deliver(desk, 'fat ping', sign('fat ping'))).status, 202);
  const [first, second] = words(folder.path) as { item?: { mark: number; date: number } }[];
  assert.deepEqual({ ...first, item: undefined }, { url: 'https://site.test/1', topic: TOPIC, item: undefined });
  assert.equal(first.item?.date, Date.UTC(2026, 10, 15, 12));
  assert.deepEqual(second, { url: TOPIC, poll: true });
});

test('an inbox that nobody reads takes no more', async () => {
  using folder = temporaryFolder();
  writeFileSync(pushInboxPath(folder.path), '');
  // A hole: it takes no space.
  truncateSync(pushInboxPath(folder.path), 65 << 20);
  const { status, headers } = await deliver(deskOf(folder.path), RSS);
  assert.equal(status, 503);
  assert.ok(Number(headers['retry-after']) > 0);
  const get = { method: 'GET', headers: {}, body: new Uint8Array() };
  const submitted = await deskOf(folder.path).handle('indexnow', {
    ...get,
    url: '/indexnow?url=https://site.test/&key=x',
  });
  assert.equal(submitted.status, 503, 'nor one URL by GET');
  const asked = await deskOf(folder.path).handle('websub', { ...get, url: `/push/websub/${ID}` });
  assert.notEqual(asked.status, 503, 'a hub that asks gets its answer');
});
