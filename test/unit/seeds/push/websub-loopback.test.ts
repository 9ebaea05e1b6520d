import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { PushNotice } from '../../../../src/contracts/push.ts';
import { WebSubSubscriber } from '../../../../src/seeds/push/websub-subscriber.ts';
import { type Loopback, listen } from './loopback.ts';
import { MemorySubscriptions } from './memory-subscriptions.ts';
import { hubSignature } from './sign-as-hub.ts';

const TOPIC = 'https://publisher.test/feed.xml';
const LEASE = 3600;

interface Subscriber {
  readonly callback: string;
  readonly secret: string | undefined;
  expires: number;
}

/** A hub as the Recommendation has it, over real HTTP. */
class TestHub {
  readonly subscribers = new Map<string, Subscriber>();
  readonly verifications: { mode: string; status: number }[] = [];
  refuse = false;
  readonly #clock: VirtualClock;
  #challenges = 0;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  async accept(body: Uint8Array): Promise<number> {
    const form = new URLSearchParams(Buffer.from(body).toString());
    const [callback, mode, topic] = ['hub.callback', 'hub.mode', 'hub.topic'].map((name) => form.get(name) ?? '');
    const url = new URL(callback);
    url.searchParams.set('hub.topic', topic);
    if (this.refuse) {
      url.searchParams.set('hub.mode', 'denied');
      url.searchParams.set('hub.reason', 'members only');
      await fetch(url);
      return 202;
    }
    const challenge = `challenge-${++this.#challenges}`;
    url.searchParams.set('hub.mode', mode);
    url.searchParams.set('hub.challenge', challenge);
    if (mode === 'subscribe') url.searchParams.set('hub.lease_seconds', String(LEASE));
    const answer = await fetch(url);
    const echoed = answer.ok && (await answer.text()) === challenge;
    this.verifications.push({ mode, status: answer.status });
    if (!echoed) return 202;
    const secret = form.get('hub.secret') ?? undefined;
    if (mode === 'subscribe') {
      this.subscribers.set(callback, { callback, secret, expires: this.#clock.now() + LEASE * 1000 });
    } else this.subscribers.delete(callback);
    return 202;
  }

  async publish(body: string, sign = (secret: string): string => hubSignature('sha256', secret, Buffer.from(body))) {
    const statuses: number[] = [];
    for (const { callback, secret, expires } of [...this.subscribers.values()]) {
      if (expires <= this.#clock.now()) continue;
      const headers: Record<string, string> = { 'content-type': 'application/atom+xml' };
      if (secret !== undefined) headers['x-hub-signature'] = sign(secret);
      const answer = await fetch(callback, { method: 'POST', headers, body });
      statuses.push(answer.status);
      if (answer.status === 410) this.subscribers.delete(callback);
    }
    return statuses;
  }
}

describe('WebSub with a hub on the loopback', () => {
  const clock = new VirtualClock();
  const hub = new TestHub(clock);
  const store = new MemorySubscriptions();
  const notices: PushNotice[] = [];
  let hubServer: Loopback;
  let ownServer: Loopback;
  let subscriber: WebSubSubscriber;
  let bytes = 0;

  before(async () => {
    hubServer = await listen(async ({ body }) => ({ status: await hub.accept(body), headers: {}, body: '' }));
    ownServer = await listen(async (request) => {
      const response = await subscriber.handle(request);
      if (response.notice !== undefined) notices.push(response.notice);
      return response;
    });
    subscriber = new WebSubSubscriber({
      store,
      clock,
      random: (count) => Uint8Array.from({ length: count }, () => ++bytes % 256),
      callbackBase: `${ownServer.origin}/push/websub/`,
      secretOverHttp: true,
    });
  });
  after(() => Promise.all([hubServer.close(), ownServer.close()]));

  /** Sends what is due, as the crawl will. */
  async function work(): Promise<number> {
    const requests = await subscriber.due(10);
    for (const { subscription, url, method, headers, body } of requests) {
      const { status } = await fetch(url, { method, headers, body });
      await subscriber.answered(subscription, { kind: 'response', status });
    }
    return requests.length;
  }

  const taken = (): PushNotice[] => notices.splice(0);

  test('asks, is verified, gets signed content', async () => {
    const asked = await subscriber.subscribe({ hubs: [`${hubServer.origin}/hub`], self: TOPIC });
    assert.equal(asked.kind, 'asking');
    assert.equal(await work(), 1);
    const [verified] = taken();
    assert.equal(verified.kind, 'subscribed');
    assert.equal(verified.kind === 'subscribed' && verified.until, clock.now() + LEASE * 1000);
    assert.equal(await work(), 0);

    assert.deepEqual(await hub.publish('<feed>one</feed>'), [202]);
    const [content] = taken();
    assert.ok(content.kind === 'content');
    assert.equal(Buffer.from(content.body).toString(), '<feed>one</feed>');
    assert.deepEqual([content.topic, content.signed, content.mediaType], [TOPIC, true, 'application/atom+xml']);
  });

  test('content with a wrong signature is acknowledged and not used', async () => {
    assert.deepEqual(await hub.publish('forged', () => hubSignature('sha256', 'guess', Buffer.from('forged'))), [202]);
    assert.deepEqual(
      taken().map((notice) => notice.kind === 'ignored' && notice.why),
      ['wrong-signature'],
    );
  });

  test('asking again for the same topic changes nothing', async () => {
    const again = await subscriber.subscribe({ hubs: [`${hubServer.origin}/hub`], self: TOPIC });
    assert.equal(again.kind, 'known');
    assert.equal(await work(), 0);
  });

  test('the lease is renewed before it ends, so that nothing is ever missed', async () => {
    for (let minute = 0; minute < 300; minute++) {
      clock.advance(60_000);
      await work();
      assert.deepEqual(await hub.publish(`minute ${minute}`), [202], `minute ${minute}`);
    }
    const kinds = taken().map(({ kind }) => kind);
    assert.equal(kinds.filter((kind) => kind === 'content').length, 300);
    const renewals = kinds.filter((kind) => kind === 'subscribed').length;
    assert.ok(renewals >= 5 && renewals <= 7, `${renewals} renewals in five leases of an hour`);
  });

  test('a restart with the stored state goes on', async () => {
    const again = new WebSubSubscriber({
      store: new MemorySubscriptions(JSON.parse(JSON.stringify(store))),
      clock,
      random: () => new Uint8Array(24),
      callbackBase: `${ownServer.origin}/push/websub/`,
    });
    const held = subscriber;
    subscriber = again;
    await hub.publish('after the restart');
    assert.deepEqual(
      taken().map(({ kind }) => kind),
      ['content'],
    );
    subscriber = held;
  });

  test('leaving is verified too; late content gets 410 once it is forgotten', async () => {
    const [{ callback }] = [...hub.subscribers.values()];
    assert.equal(await subscriber.unsubscribe(TOPIC), 1);
    assert.deepEqual(await hub.publish('between'), [202]);
    assert.deepEqual(
      taken().map((notice) => notice.kind === 'ignored' && notice.why),
      ['unwanted'],
    );
    assert.equal(await work(), 1);
    assert.deepEqual(
      taken().map(({ kind }) => kind),
      ['unsubscribed'],
    );
    assert.equal(hub.subscribers.size, 0);
    assert.equal((await fetch(callback, { method: 'POST', body: 'late' })).status, 410);
    clock.advance(2 * 86_400_000);
    assert.equal(await work(), 0);
    assert.deepEqual(store.toJSON(), []);
    assert.equal((await fetch(callback, { method: 'POST', body: 'later' })).status, 410);
  });

  test('a hub that denies is left alone for a week, then asked again', async () => {
    hub.refuse = true;
    await subscriber.subscribe({ hubs: [`${hubServer.origin}/hub`], self: TOPIC });
    assert.equal(await work(), 1);
    assert.deepEqual(
      taken().map((notice) => notice.kind === 'denied' && notice.reason),
      ['members only'],
    );
    assert.equal(store.toJSON()[0].why, 'denied: members only');
    clock.advance(6 * 86_400_000);
    assert.equal(await work(), 0);
    hub.refuse = false;
    clock.advance(86_400_000);
    assert.equal(await work(), 1);
    assert.deepEqual(
      taken().map(({ kind }) => kind),
      ['subscribed'],
    );
  });

  test('a stranger who asks whether we mean it is told 404', async () => {
    const stray = new URL(`${ownServer.origin}/push/websub/${'x'.repeat(32)}`);
    const [{ id }] = store.toJSON();
    const wrongTopic = new URL(`${ownServer.origin}/push/websub/${id}`);
    for (const url of [stray, wrongTopic]) {
      url.search = new URLSearchParams({
        'hub.mode': 'subscribe',
        'hub.topic': 'https://evil.test/',
        'hub.challenge': '<script>',
      }).toString();
      const answer = await fetch(url);
      assert.deepEqual([answer.status, await answer.text()], [404, '']);
    }
    assert.deepEqual(taken(), []);
  });
});
