import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { PushRequest, PushResponse } from '../../../../src/contracts/push.ts';
import { type WebSubParts, WebSubSubscriber } from '../../../../src/seeds/push/websub-subscriber.ts';
import { MemorySubscriptions } from './memory-subscriptions.ts';
import { hubSignature } from './sign-as-hub.ts';

const TOPIC = 'https://publisher.test/feed';
const HUB = 'https://hub.test/';

function setUp(more: Partial<WebSubParts> = {}) {
  const clock = new VirtualClock();
  const store = new MemorySubscriptions();
  let bytes = 0;
  const subscriber = new WebSubSubscriber({
    store,
    clock,
    random: (count) => Uint8Array.from({ length: count }, () => bytes++ % 256),
    callbackBase: 'https://crawler.test/push/websub/',
    ...more,
  });
  const ask = (id: string, query: Record<string, string>): Promise<PushResponse> =>
    subscriber.handle({
      method: 'GET',
      url: `/push/websub/${id}?${new URLSearchParams(query)}`,
      headers: {},
      body: new Uint8Array(),
    });
  return { clock, store, subscriber, ask };
}

async function opened(parts: ReturnType<typeof setUp>, hub = HUB): Promise<string> {
  const result = await parts.subscriber.subscribe({ hubs: [hub], self: TOPIC });
  assert.ok(result.kind === 'asking');
  return result.id;
}

const verification = { 'hub.mode': 'subscribe', 'hub.topic': TOPIC, 'hub.challenge': 'c', 'hub.lease_seconds': '60' };

describe('WebSubSubscriber', () => {
  test('the form that a hub gets', async () => {
    const parts = setUp({ leaseSeconds: 1234 });
    const id = await opened(parts);
    const [request] = await parts.subscriber.due(10);
    const form = Object.fromEntries(new URLSearchParams(request.body));
    const secret = form['hub.secret'];
    assert.equal(Buffer.from(secret, 'base64url').length, 32);
    assert.deepEqual(form, {
      'hub.callback': `https://crawler.test/push/websub/${id}`,
      'hub.mode': 'subscribe',
      'hub.topic': TOPIC,
      'hub.lease_seconds': '1234',
      'hub.secret': secret,
    });
    assert.deepEqual([request.method, request.url, request.mode], ['POST', HUB, 'subscribe']);
    assert.equal(request.headers['content-type'], 'application/x-www-form-urlencoded');
    assert.deepEqual(await parts.subscriber.due(10), [], 'given out once');
  });

  test('a hub behind TLS is preferred; one without gets no secret, and its content counts as unsigned', async () => {
    const parts = setUp();
    await parts.subscriber.subscribe({ hubs: ['ftp://x.test', 'http://plain.test/', HUB], self: TOPIC });
    assert.equal(parts.store.toJSON()[0].hub, HUB);
    const plain = setUp();
    const id = await opened(plain, 'http://plain.test/');
    assert.equal(plain.store.toJSON()[0].secret, undefined);
    await plain.ask(id, verification);
    const request: PushRequest = { method: 'POST', url: `/${id}`, headers: {}, body: Buffer.from('x') };
    const { notice } = await plain.subscriber.handle(request);
    assert.ok(notice?.kind === 'content' && !notice.signed);
  });

  test('what cannot be subscribed to is told, not thrown', async () => {
    const { subscriber } = setUp();
    for (const [hubs, self] of [
      [[], TOPIC],
      [['::'], TOPIC],
      [[HUB], 'nonsense'],
      [[HUB], 'ftp://publisher.test/'],
    ] as const) {
      assert.equal((await subscriber.subscribe({ hubs, self })).kind, 'unusable');
    }
  });

  test('a hub that the topic does not name any more is left; one that has moved is not', async () => {
    const parts = setUp();
    const { subscriber, store, clock } = parts;
    const first = await opened(parts, 'https://before.test/');
    const [request] = await subscriber.due(10);
    await subscriber.answered(request.subscription, { kind: 'response', status: 308, location: 'https://moved.test/' });
    await parts.ask(first, verification);
    const again = await subscriber.subscribe({ hubs: [HUB, 'https://before.test/'], self: TOPIC });
    assert.deepEqual(again, { kind: 'known', id: first });
    const second = await opened(parts);
    const states = store.toJSON().map(({ id, hub, state }) => [id, hub, state]);
    assert.deepEqual(
      states.sort(),
      [
        [first, 'https://moved.test/', 'leaving'],
        [second, HUB, 'asking'],
      ].sort(),
    );
    await clock.advance(1);
    assert.deepEqual((await subscriber.due(10)).map(({ mode }) => mode).sort(), ['subscribe', 'unsubscribe']);
    const late: PushRequest = { method: 'POST', url: `/${first}`, headers: {}, body: Buffer.from('x') };
    assert.equal((await subscriber.handle(late)).notice?.kind, 'ignored', 'what it says is not heard any more');
  });

  test('two who want one topic at once share one subscription', async () => {
    const { subscriber, store } = setUp();
    await Promise.all([1, 2, 3].map(() => subscriber.subscribe({ hubs: [HUB], self: TOPIC })));
    assert.equal(store.toJSON().length, 1);
  });

  test('the challenge is echoed for what was asked for, as plain text, and again', async () => {
    const parts = setUp();
    const id = await opened(parts);
    for (let time = 0; time < 2; time++) {
      const answer = await parts.ask(id, { ...verification, 'hub.challenge': '<b>1 & 2</b>' });
      assert.deepEqual([answer.status, answer.body], [200, '<b>1 & 2</b>']);
      assert.match(answer.headers['content-type'], /^text\/plain/);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    }
    assert.equal(parts.store.toJSON()[0].until, parts.clock.now() + 60_000);
  });

  test('a verification of anything else gets 404 and changes nothing', async () => {
    const parts = setUp();
    const id = await opened(parts);
    const before = JSON.stringify(parts.store);
    for (const change of [
      { 'hub.mode': 'unsubscribe' },
      { 'hub.mode': '' },
      { 'hub.topic': `${TOPIC}/` },
      { 'hub.topic': '' },
      { 'hub.challenge': '' },
      { 'hub.challenge': 'x'.repeat(5000) },
    ]) {
      assert.equal((await parts.ask(id, { ...verification, ...change })).status, 404, JSON.stringify(change));
    }
    assert.equal((await parts.ask('z'.repeat(32), verification)).status, 404);
    assert.equal(JSON.stringify(parts.store), before);
  });

  test('a lease that is none leaves the one asked for', async () => {
    for (const lease of ['', '-5', '0', '1e9', 'abc', '99999999999999']) {
      const parts = setUp({ leaseSeconds: 77 });
      await parts.ask(await opened(parts), { ...verification, 'hub.lease_seconds': lease });
      assert.equal(parts.store.toJSON()[0].until, parts.clock.now() + 77_000, lease);
    }
  });

  test('content before the verification, without a signature, or too large is not used', async () => {
    const parts = setUp({ maxBytes: 10 });
    const id = await opened(parts);
    const post = (body: string, headers = {}): Promise<PushResponse> =>
      parts.subscriber.handle({ method: 'POST', url: `/${id}`, headers, body: Buffer.from(body) });
    const why = ({ status, notice }: PushResponse): unknown => [status, notice?.kind === 'ignored' && notice.why];
    assert.deepEqual(why(await post('a')), [202, 'not-verified']);
    await parts.ask(id, verification);
    assert.deepEqual(why(await post('a')), [202, 'unsigned']);
    assert.deepEqual(why(await post('a', { 'x-hub-signature': 'sha1=00' })), [202, 'wrong-signature']);
    assert.equal((await post('more than ten bytes')).status, 413);
    const secret = parts.store.toJSON()[0].secret ?? '';
    const signed = await post('a', { 'x-hub-signature': [hubSignature('sha512', secret, Buffer.from('a'))] });
    assert.equal(signed.notice?.kind, 'content');
  });

  test('what no hub has heard of is forgotten at once', async () => {
    const parts = setUp();
    await opened(parts);
    assert.equal(await parts.subscriber.unsubscribe(TOPIC), 1);
    assert.deepEqual(parts.store.toJSON(), []);
    assert.equal(await parts.subscriber.unsubscribe(TOPIC), 0);
  });

  test('a hub that says 202 and never verifies is given up after a while, and so is a farewell', async () => {
    const parts = setUp();
    await opened(parts);
    let requests = 0;
    for (let hour = 0; hour < 24; hour++) {
      for (const { subscription } of await parts.subscriber.due(10)) {
        requests++;
        await parts.subscriber.answered(subscription, { kind: 'response', status: 202 });
      }
      parts.clock.advance(3_600_000);
    }
    assert.deepEqual([requests, parts.store.toJSON()[0].state], [8, 'denied']);

    const leaving = setUp();
    const id = await opened(leaving);
    await leaving.subscriber.due(10);
    await leaving.ask(id, verification);
    await leaving.subscriber.unsubscribe(TOPIC);
    for (let hour = 0; hour < 72; hour++) {
      await leaving.subscriber.due(10);
      leaving.clock.advance(3_600_000);
    }
    assert.deepEqual(leaving.store.toJSON(), []);
  });

  test('methods other than GET and POST', async () => {
    const parts = setUp();
    const id = await opened(parts);
    const answer = await parts.subscriber.handle({ method: 'PUT', url: `/${id}`, headers: {}, body: Buffer.from('') });
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, POST']);
  });

  test('whatever is sent, it gets an answer', async () => {
    const parts = setUp();
    const id = await opened(parts);
    const request = fc.record({
      method: fc.oneof(fc.constantFrom('GET', 'POST', 'HEAD'), fc.string()),
      url: fc.oneof(
        fc.string(),
        fc.webUrl({ withQueryParameters: true }),
        fc.string().map((text) => `/${id}?hub.mode=subscribe&hub.topic=${encodeURIComponent(TOPIC)}&${text}`),
      ),
      headers: fc.dictionary(fc.constantFrom('x-hub-signature', 'content-type'), fc.string()),
      body: fc.uint8Array(),
    });
    await fc.assert(
      fc.asyncProperty(request, async (sent) => {
        const { status } = await parts.subscriber.handle(sent);
        assert.ok([200, 202, 404, 405, 410, 413].includes(status));
      }),
    );
  });
});
