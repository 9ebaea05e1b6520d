import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FetchRequest, FetchResult } from '../../../src/contracts/fetcher.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { ReceivedHead } from '../../../src/fetch/response-head.ts';
import { type LoadingPage, SubRequests } from '../../../src/render/sub-requests.ts';

const PAGE: LoadingPage = { url: 'https://a.test/' as CanonicalUrl, isPrivate: false };
const asked = (url: string, type = 'Script', method = 'GET', headers = {}) => ({ url, type, method, headers });

/** A fetcher that answers everything, and tells how much of one host was under way at once. */
function fetcherOf(headers: string[] = [], status = 200) {
  const requests: FetchRequest[] = [];
  let underWay = 0;
  let most = 0;
  return {
    requests,
    get most() {
      return most;
    },
    async fetch(request: FetchRequest): Promise<FetchResult> {
      requests.push(request);
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      const body = Buffer.from('12345');
      const exchange = { startedAt: 1000, endedAt: 1010, address: '192.0.2.1', requestHead: '' };
      return { kind: 'response', head: new ReceivedHead('1.1', status, '', headers), exchange, raw: body, body };
    },
    async close() {},
  };
}

function open(fetcher: ReturnType<typeof fetcherOf>, now = () => 0): SubRequests {
  return new SubRequests({
    ...{
      fetcherFor: () => fetcher,
      blocked: new Set(['image', 'other']),
      perHost: 1,
      backoffMs: 5000,
      now,
      maxBytes: 1000,
    },
    refusal: async ({ url }) => (url.includes('forbidden') ? 'robots' : undefined),
  });
}

test('only GET of allowed types and places is sent', async () => {
  const fetcher = fetcherOf();
  const page = open(fetcher).begin(PAGE, false);
  assert.equal((await page.answer(asked('https://a.test/x.js'))).kind, 'answered');
  assert.deepEqual(await page.answer(asked('https://a.test/x', 'XHR', 'POST')), { kind: 'refused', by: 'method' });
  assert.deepEqual(await page.answer(asked('https://a.test/x.png', 'Image')), { kind: 'refused', by: 'type' });
  assert.deepEqual(await page.answer(asked('file:///etc/passwd')), { kind: 'refused', by: 'scheme' });
  assert.deepEqual(await page.answer(asked('https://a.test/forbidden.js')), { kind: 'refused', by: 'robots' });
  assert.deepEqual(await page.answer(asked('https://b.test/data', 'Fetch', 'OPTIONS')), { kind: 'preflight' });
  assert.equal(fetcher.requests.length, 1);
  assert.deepEqual(page.counts.refused, { method: 1, type: 1, scheme: 1, robots: 1 });
  assert.equal(page.counts.ownBytes, 5);
  assert.equal(page.counts.ownMs, 10);
});

test('what pages share is asked for once; data each time', async () => {
  const fetcher = fetcherOf();
  const requests = open(fetcher);
  const [one, two] = [requests.begin(PAGE, false), requests.begin(PAGE, true)];
  await Promise.all([one.answer(asked('https://c.test/l.js')), two.answer(asked('https://c.test/l.js'))]);
  await one.answer(asked('https://c.test/l.js'));
  for (const page of [one, two]) await page.answer(asked('https://c.test/data', 'XHR'));
  assert.deepEqual(
    fetcher.requests.map(({ url }) => url),
    ['https://c.test/l.js', 'https://c.test/data', 'https://c.test/data'],
  );
  assert.equal(one.counts.cached + two.counts.cached, 2);
  assert.equal(two.resources.length, 2);
});

test('one host is asked for one thing at a time, and left alone when it asks for less', async () => {
  const fetcher = fetcherOf();
  const page = open(fetcher).begin(PAGE, false);
  await Promise.all([1, 2, 3, 4].map((at) => page.answer(asked(`https://a.test/${at}`, 'XHR'))));
  assert.equal(fetcher.most, 1);

  let now = 0;
  const busy = fetcherOf(['Retry-After', '2'], 503);
  const other = open(busy, () => now).begin(PAGE, false);
  await other.answer(asked('https://a.test/1', 'XHR'));
  assert.equal((await other.answer(asked('https://a.test/2', 'XHR'))).kind, 'failed');
  now = 2001;
  assert.equal((await other.answer(asked('https://a.test/3', 'XHR'))).kind, 'answered');
  assert.equal(busy.requests.length, 2);
});

test('fields of a page go along, but for those that are ours', async () => {
  const fetcher = fetcherOf();
  const headers = {
    Accept: 'application/json',
    Origin: 'https://a.test',
    Cookie: 'x',
    'User-Agent': 'y',
    'X-Key': 'z',
    Range: 'b',
    'Sec-Fetch-Mode': 'cors',
  };
  await open(fetcher)
    .begin(PAGE, false)
    .answer(asked('https://b.test/api', 'Fetch', 'GET', headers));
  assert.deepEqual(fetcher.requests[0].fields, [
    'Accept',
    'application/json',
    'Origin',
    'https://a.test',
    'X-Key',
    'z',
  ]);
});

test('a page that asks without end is stopped', async () => {
  const fetcher = fetcherOf();
  const page = open(fetcher).begin(PAGE, false);
  for (let at = 0; at < 400; at++) await page.answer(asked(`https://a.test/${at}`, 'XHR'));
  assert.equal(page.counts.refused.budget, 100);
});

test('the scripts of workers are scripts; icons are not', async () => {
  const fetcher = fetcherOf();
  const page = open(fetcher).begin(PAGE, false);
  const worker = asked('https://a.test/w.js', 'Other', 'GET', { Accept: '*/*' });
  assert.equal((await page.answer(worker)).kind, 'answered');
  assert.equal((await page.answer(worker)).kind, 'answered');
  const icon = asked('https://a.test/favicon.ico', 'Other', 'GET', { Accept: 'image/avif,image/*,*/*;q=0.8' });
  assert.deepEqual(await page.answer(icon), { kind: 'refused', by: 'type' });
  const forbidden = asked('https://a.test/forbidden.js', 'Other', 'GET', { Accept: '*/*' });
  assert.deepEqual(await page.answer(forbidden), { kind: 'refused', by: 'robots' });
  assert.equal(fetcher.requests.length, 1);
});

test('an answer is shared with nobody who might have got another', async () => {
  const url = 'https://a.test/lib.js';
  const other: LoadingPage = { url: 'https://b.test/' as CanonicalUrl, isPrivate: false };
  const inside: LoadingPage = { ...PAGE, isPrivate: true };
  for (const [first, second, requests] of [
    // The same page, and another of the same origin.
    [[PAGE, {}], [PAGE, {}], 1],
    [[PAGE, {}], [{ ...PAGE, url: 'https://a.test/other' as CanonicalUrl }, {}], 1],
    // Of its own origin, which may be asked with credentials, and of another.
    [[PAGE, {}], [other, {}], 2],
    // From this network, and from the internet.
    [[inside, {}], [PAGE, {}], 2],
    // With a token of its own, and without; also where both are under way.
    [[PAGE, { 'X-Session': 'mine' }], [PAGE, {}], 2],
    [[PAGE, { Authorization: 'mine' }], [PAGE, { Authorization: 'yours' }], 2],
    [[other, { Origin: 'https://b.test' }], [other, { Origin: 'https://c.test' }], 2],
  ] as const) {
    for (const isAtOnce of [false, true]) {
      const fetcher = fetcherOf(['Cache-Control', 'max-age=3600']);
      const shared = open(fetcher);
      const ask = ([page, headers]: readonly [LoadingPage, object]) =>
        shared.begin(page, false).answer(asked(url, 'Script', 'GET', headers));
      if (isAtOnce) await Promise.all([ask(first), ask(second)]);
      else for (const one of [first, second]) await ask(one);
      assert.equal(fetcher.requests.length, requests, JSON.stringify([first, second, isAtOnce]));
    }
  }
});
