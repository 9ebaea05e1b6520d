import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import type { FetchResult } from '../../src/contracts/fetcher.ts';
import type { CanonicalUrl } from '../../src/contracts/url.ts';
import { createAddressGuard } from '../../src/fetch/connect/address-guard.ts';
import { DnsCache } from '../../src/fetch/connect/dns-cache.ts';
import { createHttpFetcher } from '../../src/fetch/http-fetcher.ts';
import { CrawlReader, createCrawl } from '../../src/index.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { corpus, skipWithout } from '../corpora.ts';
import { storedPages, temporaryFolder } from '../crawl/crawl-web.ts';
import { allCases } from '../hostile/all-cases.ts';
import type { HostileCase } from '../hostile/hostile-case.ts';
import { HostileServer } from '../hostile/hostile-server.ts';
import { type CaseResult, judgeArchive, judgeCase, outcomeName } from '../hostile/judge-case.ts';
import { stringCases } from '../hostile/raw-cases.ts';
import { quickOrLong } from '../property-runs.ts';

const LINUX = process.platform === 'linux' ? false : 'needs all of 127.0.0.0/8';
const ALL = allCases();
const GENEROUS = 600_000;
/** They wait for a timeout, or are dear to parse: tools/score-hostile.ts has them all. */
const SLOW =
  /never|silent|silence|drip|byte-by-byte|-the-rate|slow-1xx|chunk-extension|loose-chunk|endless-trailer|one-byte|at-every-byte|many-sitemaps|below-the-ratio|sitemap-(?:endless|bomb|fifty)|feed-(?:items|one)|bomb-one|brotli-bomb|window-bomb|endless-body|robots-wildcards/;
const QUICK_GROUPS = new Set([
  'connection',
  'pace',
  'framing',
  'headers',
  'coding',
  'redirects',
  'robots',
  'lists',
  'names',
]);
const QUICK_OTHERS = new Set([
  'html-deep-div',
  'html-base-javascript',
  'file-pdf-cut',
  'file-docx-laughs',
  'tls-self-signed',
  'tls-expired',
  'tls-wrong-name',
  'tls-plain-http',
  'tls-garbage',
  'tls-closed',
]);

function bodiesIn(reader: CrawlReader): (url: string) => Promise<string | undefined> {
  return (url) =>
    reader.get(url).then(
      ({ body }) => Buffer.from(body).toString(),
      () => undefined,
    );
}

/** Crawls the cases beside an honest web, and tells what is wrong. Time is not judged here. */
async function crawlCases(cases: readonly HostileCase[]): Promise<string[]> {
  await using web = await startSyntheticWeb({
    ...{ hosts: 3, pagesPerHost: 6, pageBytes: [1_000, 8_000], retryAfterSeconds: 0, crawlDelaySeconds: 0 },
    ...{ robots: { broken: 0 }, pages: { broken: 0, tooManyRequests: 0, unavailable: 0 } },
  });
  await using server = await HostileServer.start(cases, { honest: web.hostsMap() });
  using folder = temporaryFolder();
  await using crawl = await createCrawl({
    ...{ folder: folder.path, seeds: [...web.origins, ...server.seeds], dnsServers: server.nameServers },
    // Nothing here waits for a timeout: what takes long is the machine.
    ...{
      connectTimeout: GENEROUS / 6,
      headersTimeout: GENEROUS,
      bodyTimeout: GENEROUS,
      totalTimeout: GENEROUS,
      lease: 2 * GENEROUS,
      minRate: 0,
    },
    ...{
      delay: 1,
      delayFactor: 0,
      backoffStart: 1,
      backoffMax: 50,
      retries: 0,
      allowHosts: ['127.0.0.0/8'],
      workers: 0,
    },
  });
  const outcomes = new Map<string, Record<string, number>>();
  crawl.on('settled', ({ claim, outcome }) => {
    const name = claim.task.host.replace(/\.test(?::\d+)?$/, '');
    const counts = outcomes.get(name) ?? {};
    outcomes.set(name, counts);
    if (outcome.kind !== 'deferred') counts[outcomeName(outcome)] = (counts[outcomeName(outcome)] ?? 0) + 1;
  });
  const { ended } = await crawl.run();
  const wrong: string[] = [];
  using reader = new CrawlReader(folder.path);
  const bodyOf = bodiesIn(reader);
  for (const hostile of cases) {
    const result: CaseResult = { outcomes: outcomes.get(hostile.name) ?? {}, seconds: 0 };
    const record = server.records.get(hostile.name) ?? { connections: 0, requests: 0, bytes: 0 };
    const why = [...judgeCase(hostile, result, record), ...(await judgeArchive(hostile, server.seeds, bodyOf))];
    wrong.push(...why.map((one) => `${hostile.name}: ${one}`));
  }
  if (!['finished', 'held-back', 'parked', 'limit: max-wait'].includes(ended)) wrong.push(`ended: ${ended}`);
  const expected = new Set(truth(web.web, { seeds: web.origins }).urls('stored'));
  const stored = new Set(storedPages(folder.path));
  for (const url of expected) if (!stored.has(url)) wrong.push(`missed: ${url}`);
  return wrong;
}

describe('hostile servers beside honest ones', { skip: LINUX }, () => {
  test('every case is withstood, every honest page is stored, and the crawl ends by itself', async () => {
    const cases = ALL.cases.filter(
      ({ name, group }) => (QUICK_GROUPS.has(group) && !SLOW.test(name)) || QUICK_OTHERS.has(name),
    );
    assert.ok(cases.length > 100, `${cases.length} cases`);
    assert.deepEqual(await crawlCases(cases), []);
  });

  test('the naughty strings', { skip: skipWithout('hostile') }, async () => {
    assert.deepEqual(await crawlCases(stringCases(corpus('hostile') as string, quickOrLong(10, 1))), []);
  });

  test('the judge can find fault', () => {
    const [hostile] = ALL.cases.filter(({ name }) => name === 'endless-headers');
    const record = { connections: 1, requests: 1, bytes: 1e9 };
    assert.deepEqual(judgeCase(hostile, { outcomes: { stored: 1 }, seconds: 100 }, record), [
      'outcome stored',
      'more than 45 s',
      'more than 33554432 bytes',
    ]);
    assert.deepEqual(
      judgeCase(hostile, { outcomes: { 'failed headers-too-large': 1 }, seconds: 1 }, { ...record, bytes: 1 }),
      [],
    );
  });

  test('so can the judge of the archive', async () => {
    const [hostile] = ALL.cases.filter(({ name }) => name === 'smuggled-response');
    const seeds = ['http://smuggled-response.test:1/', 'http://smuggled-response.test:1/second', 'http://x.test/'];
    const held = new Map(seeds.map((url) => [url, hostile.archived?.(new URL(url).pathname)]));
    assert.deepEqual(await judgeArchive(hostile, seeds, async (url) => held.get(url)), []);
    held.set(seeds[1], hostile.archived?.('/'));
    assert.deepEqual(await judgeArchive(hostile, seeds, async (url) => held.get(url)), [
      'another body archived for /second',
    ]);
  });

  test('what a server of HTTP/2 does is filed, and nothing is left open', async () => {
    const cases = ALL.cases.filter(({ group }) => group === 'http2');
    await using server = await HostileServer.start(cases);
    const fetcher = createHttpFetcher(
      { userAgent: 'test', ca: ALL.certificate, headersMs: 500, bodyIdleMs: 500, maxBytes: 200_000 },
      {
        clock: systemClock,
        dns: new DnsCache([], { hosts: server.hostsMap() }, { clock: systemClock }),
        guard: createAddressGuard({ allowPrivate: true }),
      },
    );
    try {
      const filed = await Promise.all(
        cases.map(async (hostile): Promise<[string, FetchResult]> => {
          const url = `${server.originOf(hostile)}/` as CanonicalUrl;
          await fetcher.fetch({ url });
          return [hostile.name, await fetcher.fetch({ url })];
        }),
      );
      for (const [name, result] of filed) {
        if (result.kind === 'failed') assert.notEqual(result.code, 'internal', `${name}: ${result.detail}`);
        else assert.equal(result.kind, 'response', name);
      }
    } finally {
      await fetcher.close();
    }
  });
});
