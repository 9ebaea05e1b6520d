import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { PushNotice, PushRequest, PushResponse } from '../../../../src/contracts/push.ts';
import { HostQuota } from '../../../../src/seeds/push/host-quota.ts';
import { IndexNowInbox, type IndexNowParts } from '../../../../src/seeds/push/indexnow-inbox.ts';
import { judgeKeyFile, type KeyAnswer } from '../../../../src/seeds/push/key-check.ts';
import { type Loopback, listen } from './loopback.ts';

const KEY = 'abcdef0123456789';
const request = (host = 'shop.test', count = 1, key = KEY): PushRequest => ({
  method: 'POST',
  url: '/indexnow',
  headers: {},
  body: Buffer.from(
    JSON.stringify({ host, key, urlList: Array.from({ length: count }, (_, n) => `https://${host}/${n}`) }),
  ),
});

function setUp(answer: (url: string) => Promise<KeyAnswer>, limits: IndexNowParts['limits'] = {}) {
  const clock = new VirtualClock();
  const late: PushNotice[] = [];
  const fetched: string[] = [];
  const inbox = new IndexNowInbox({
    clock,
    late: (notice) => void late.push(notice),
    fetchKey: (url) => {
      fetched.push(url);
      return answer(url);
    },
    limits,
  });
  return { clock, late, fetched, inbox };
}

const good = async (url: string): Promise<KeyAnswer> => ({ kind: 'file', url, text: KEY });
const statuses = (answers: readonly PushResponse[]): number[] => answers.map(({ status }) => status);

describe('IndexNowInbox', () => {
  test('accepts what a proven host submits, and asks for the key once', async () => {
    const { inbox, fetched, clock } = setUp(good);
    const answers = await Promise.all([1, 2, 3].map(() => inbox.handle(request('shop.test', 2))));
    assert.deepEqual(statuses(answers), [200, 200, 200]);
    const at = clock.now();
    assert.deepEqual(answers[0].notice, {
      kind: 'submitted',
      host: 'shop.test',
      urls: [
        { url: 'https://shop.test/0', at, via: 'indexnow' },
        { url: 'https://shop.test/1', at, via: 'indexnow' },
      ],
    });
    await inbox.handle(request());
    assert.deepEqual(fetched, [`https://shop.test/${KEY}.txt`]);
    clock.advance(86_400_000);
    await inbox.handle(request());
    assert.equal(fetched.length, 2, 'asked again after a day');
  });

  test('403 where the key is not proven; that is remembered for a while', async () => {
    for (const answer of [
      { kind: 'absent', why: 'HTTP 404' },
      { kind: 'unreachable', why: 'connection refused' },
      { kind: 'file', url: `https://shop.test/${KEY}.txt`, text: 'another' },
      { kind: 'file', url: `https://elsewhere.test/${KEY}.txt`, text: KEY },
    ] as const) {
      const { inbox, fetched } = setUp(async () => answer);
      const answers = [await inbox.handle(request()), await inbox.handle(request())];
      assert.deepEqual(statuses(answers), [403, 403]);
      assert.equal(answers[0].notice, undefined);
      assert.equal(fetched.length, 1);
    }
  });

  test('a fetch that throws or rejects is a key that could not be read', async () => {
    const throwing = setUp(() => {
      throw new Error('broken');
    });
    assert.equal((await throwing.inbox.handle(request())).status, 403);
    const rejecting = setUp(() => Promise.reject(new Error('broken')));
    assert.equal((await rejecting.inbox.handle(request())).status, 403);
  });

  test('202 where the check takes long; what became of it comes later', async () => {
    for (const text of [KEY, 'another']) {
      let arrive: (answer: KeyAnswer) => void = () => {};
      const { inbox, late, clock } = setUp(() => new Promise((resolve) => (arrive = resolve)));
      const waiting = inbox.handle(request('shop.test', 3));
      await Promise.resolve();
      clock.advance(5_000);
      const answer = await waiting;
      assert.deepEqual([answer.status, answer.notice], [202, undefined]);
      arrive({ kind: 'file', url: `https://shop.test/${KEY}.txt`, text });
      await new Promise(setImmediate);
      const [notice] = late;
      if (text === KEY) assert.ok(notice.kind === 'submitted' && notice.urls.length === 3);
      else assert.equal(notice.kind, 'submission-refused');
    }
  });

  test('429 with Retry-After: submissions, URLs, keys, and what waits', async () => {
    const submissions = setUp(good, { submissionsPerMinute: 2 });
    const answers: PushResponse[] = [];
    for (let n = 0; n < 3; n++) answers.push(await submissions.inbox.handle(request()));
    assert.deepEqual(statuses(answers), [200, 200, 429]);
    assert.equal(answers[2].headers['retry-after'], '30');
    assert.equal((await submissions.inbox.handle(request('other.test'))).status, 200, 'other hosts go on');
    submissions.clock.advance(30_000);
    assert.equal((await submissions.inbox.handle(request())).status, 200);

    const urls = setUp(good, { urlsPerDay: 10 });
    assert.equal((await urls.inbox.handle(request('shop.test', 6))).status, 200);
    assert.equal((await urls.inbox.handle(request('shop.test', 6))).status, 429);
    assert.equal((await urls.inbox.handle(request('shop.test', 4))).status, 200);

    const waiting = setUp(() => new Promise(() => {}), { maxWaitingUrls: 5 });
    void waiting.inbox.handle(request('a.test', 5));
    assert.equal((await waiting.inbox.handle(request('b.test', 1))).status, 429);
  });

  test('strangers with false keys cannot use up a host, nor have it asked without end', async () => {
    const { inbox, fetched } = setUp(good, { keyFetchesPerHour: 3, submissionsPerMinute: 1 });
    assert.equal((await inbox.handle(request())).status, 200);
    const strangers: PushResponse[] = [];
    for (let n = 0; n < 20; n++) strangers.push(await inbox.handle(request('shop.test', 1, `guess-number-${n}`)));
    assert.deepEqual(new Set(statuses(strangers)), new Set([403, 429]));
    assert.equal(fetched.length, 3);
    assert.equal((await inbox.handle(request('new.test'))).status, 200);
  });

  test('malformed requests cost no fetch', async () => {
    const { inbox, fetched } = setUp(good);
    const answers = await Promise.all([
      inbox.handle({ ...request(), method: 'DELETE' }),
      inbox.handle({ ...request(), body: Buffer.from('{') }),
      inbox.handle(request('shop.test', 1, 'bad key!')),
    ]);
    assert.deepEqual(statuses(answers), [405, 400, 422]);
    assert.equal(answers[0].headers.allow, 'GET, POST');
    assert.deepEqual(fetched, []);
  });
});

describe('IndexNowInbox with a site on the loopback', () => {
  let site: Loopback;
  let endpoint: Loopback;
  const notices: PushNotice[] = [];

  before(async () => {
    site = await listen(async ({ url }) => {
      const found = url === `/${KEY}.txt` || url === `/blog/${KEY}.txt`;
      return { status: found ? 200 : 404, headers: {}, body: found ? `\ufeff${KEY}\r\n` : '' };
    });
    const inbox = new IndexNowInbox({
      clock: systemClock,
      late: () => {},
      fetchKey: async (url) => {
        const answer = await fetch(url);
        return answer.ok
          ? { kind: 'file', url: answer.url, text: await answer.text() }
          : { kind: 'absent', why: `HTTP ${answer.status}` };
      },
    });
    endpoint = await listen(async (incoming) => {
      const response = await inbox.handle(incoming);
      if (response.notice !== undefined) notices.push(response.notice);
      return response;
    });
  });
  after(() => Promise.all([site.close(), endpoint.close()]));

  const ask = async (query: Record<string, string>): Promise<number> =>
    (await fetch(`${endpoint.origin}/indexnow?${new URLSearchParams(query)}`)).status;

  test('GET and POST', async () => {
    assert.equal(await ask({ url: `${site.origin}/page`, key: KEY }), 200);
    const { host } = new URL(site.origin);
    const keyLocation = `${site.origin}/blog/${KEY}.txt`;
    const body = JSON.stringify({ host, key: KEY, keyLocation, urlList: [`${site.origin}/blog/1`] });
    assert.equal((await fetch(`${endpoint.origin}/indexnow`, { method: 'POST', body })).status, 200);
    assert.equal(await ask({ url: `${site.origin}/page`, key: KEY, keyLocation }), 422);
    assert.equal(await ask({ url: `${site.origin}/page`, key: 'not-the-key' }), 403);
    const urls = notices.flatMap((notice) => (notice.kind === 'submitted' ? notice.urls.map(({ url }) => url) : []));
    assert.deepEqual(urls, [`${site.origin}/page`, `${site.origin}/blog/1`]);
  });
});

describe('Parts of the inbox', () => {
  test('a key file: the key on a line of its own', () => {
    const url = 'https://a.test/k.txt';
    const judge = (text: string): boolean => judgeKeyFile({ kind: 'file', url, text }, url, KEY).valid;
    assert.deepEqual([KEY, `\ufeff${KEY}\r\n`, `other-key\n ${KEY} \n`].map(judge), [true, true, true]);
    assert.deepEqual(['', `${KEY}0`, `<p>${KEY}</p>`, KEY.toUpperCase()].map(judge), [false, false, false, false]);
  });

  test('a quota is refilled evenly and never beyond its capacity', () => {
    const clock = new VirtualClock();
    const quota = new HostQuota(clock, 10, 1000, 2);
    assert.equal(quota.take('a', 10), 0);
    assert.equal(quota.take('a', 1), 100);
    clock.advance(500);
    assert.deepEqual([quota.take('a', 5), quota.take('a', 1)], [0, 100]);
    clock.advance(10_000);
    assert.deepEqual([quota.take('a', 11), quota.take('a', 10), quota.take('a', 1)], [100, 0, 100]);
    quota.take('b', 10);
    quota.take('c', 10);
    assert.equal(quota.take('a', 10), 0, 'forgotten for others: full again');
  });
});
