import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type AuditExpectations, audit } from '../../../../src/simulate/audit/audit.ts';
import { formatAudit } from '../../../../src/simulate/audit/format-audit.ts';
import { SyntheticWeb } from '../../../../src/simulate/model/synthetic-web.ts';
import { type Truth, truth } from '../../../../src/simulate/model/truth.ts';
import { webSpec } from '../../../../src/simulate/model/web-spec.ts';
import { type LoggedRequest, RequestLog } from '../../../../src/simulate/server/request-log.ts';

const GAP = 100;
const SPEC = webSpec({
  seed: 6,
  hosts: 8,
  pagesPerHost: 50,
  linksPerPage: 8,
  pageBytes: [600, 900],
  pages: { tooManyRequests: 0.02 },
  robots: { missing: 0.2, broken: 0.2, moved: 0.1, movedAway: 0.2, crawlDelay: 0 },
});
const WEB = new SyntheticWeb(SPEC, { mode: 'names', port: 8081, hostsPerAddress: 1 });
const TRUTH = truth(WEB, { seeds: [WEB.url(0)] });
const POLITE: AuditExpectations = { minGapMs: GAP, addressGapMs: GAP, gapFrom: 'start' };

type Draft = { -readonly [Key in keyof LoggedRequest]: LoggedRequest[Key] };

/** The requests of a perfect crawl: robots.txt first, then every page of the truth, 110 ms apart on each host. */
function perfectCrawl(known: Truth = TRUTH): Draft[] {
  const clocks = new Float64Array(WEB.hosts.count).fill(1_000_000);
  const requests: Draft[] = [];
  const ask = (host: number, target: string, before = 1): Draft => {
    const located = WEB.locate(host, target);
    const { status, body } = WEB.reply(host, located, { before, now: 0 });
    const arrive = clocks[host];
    clocks[host] += status === 429 ? SPEC.retryAfterSeconds * 1000 + 110 : 110;
    const draft: Draft = {
      arrive,
      done: arrive + 3,
      host,
      target,
      located,
      status,
      bytes: body.length,
      method: 'GET',
      agent: 'orbweaver/1.0',
      connection: host,
      complete: true,
      protocol: 'http/1.1',
      conditional: false,
    };
    requests.push(draft);
    return draft;
  };
  const hosts = new Set(
    ['stored', 'redirected', 'failed', 'disallowed'].flatMap((fate) => {
      return [...known.pages(fate as 'stored')].map((page) => WEB.hostOfPage(page));
    }),
  );
  for (const host of hosts) {
    let at = { host, target: '/robots.txt' };
    for (;;) {
      const located = WEB.locate(at.host, at.target);
      ask(at.host, at.target);
      const reply = WEB.reply(at.host, located, { before: 1, now: 0 });
      if (reply.headers[0] !== 'Location') break;
      const url = new URL(reply.headers[1], `http://${WEB.hosts.authority(at.host)}/`);
      at = { host: WEB.hosts.find(url.host), target: url.pathname };
    }
  }
  // Nobody may be asked for a page before robots.txt on another host has been read.
  clocks.fill(Math.max(...clocks));
  for (const fate of ['stored', 'redirected', 'failed'] as const) {
    for (const page of known.pages(fate)) {
      if (WEB.role(page) === 'tooManyRequests' || WEB.role(page) === 'unavailable') {
        const { status } = ask(WEB.hostOfPage(page), WEB.target(page), 0);
        if (status === 503) clocks[WEB.hostOfPage(page)] += SPEC.retryAfterSeconds * 1000;
      }
      ask(WEB.hostOfPage(page), WEB.target(page));
    }
  }
  return requests;
}

function judged(requests: readonly Draft[], expectations = POLITE): ReturnType<typeof audit> {
  const log = new RequestLog(WEB);
  for (const request of requests) log.add(request);
  return audit(log, TRUTH, expectations);
}

/** A perfect crawl with one fault; the audit must name it. */
function assertCaught(
  fault: string,
  spoil: (requests: Draft[]) => Draft[] | undefined,
  alsoFails: string[] = [],
): void {
  const requests = perfectCrawl();
  const report = judged(spoil(requests) ?? requests);
  assert.deepEqual([...report.failures].sort(), [fault, ...alsoFails].sort(), formatAudit(report));
  assert.equal(report.passed, false);
  assert.match(formatAudit(report), new RegExp(`FAILED.*${fault}`));
}

/** A further request at the very end, when all hosts are quiet. */
function late(requests: Draft[], host: number, target: string, status = 200): Draft[] {
  const arrive = Math.max(...requests.map((request) => request.done)) + 5000;
  const located = WEB.locate(host, target);
  return [...requests, { ...requests[0], host, target, located, status, arrive, done: arrive + 2 }];
}

function pageWhere(test: (page: number) => boolean): number {
  for (let page = 0; page < WEB.pageCount; page++) if (test(page)) return page;
  throw new Error('the web of this test has no such page');
}

describe('audit', () => {
  test('passes a perfect crawl and says what it saw', () => {
    const requests = perfectCrawl();
    const report = judged(requests);
    assert.deepEqual(report.failures, [], formatAudit(report));
    assert.equal(report.passed, true);
    assert.equal(report.requests, requests.length);
    assert.equal(report.pages.sent, report.pages.expected);
    assert.equal(report.pages.distinctDocuments, TRUTH.distinctDocuments);
    assert.equal(report.parallelRequests.max, 1);
    assert.equal(report.parallelConnections.max, 1);
    assert.equal(report.hostGap.minStartToStart?.ms, 110);
    assert.equal(report.hostGap.minEndToStart?.ms, 107);
    assert.deepEqual(report.agents, ['orbweaver/1.0']);
    assert.match(formatAudit(report), /^Audit passed/);
    assert.doesNotThrow(() => JSON.parse(JSON.stringify(report)));
  });

  test('is not misled by the order of the log', () => {
    assert.deepEqual(judged(perfectCrawl().reverse()).failures, []);
  });

  test('catches a request inside the delay', () => {
    assertCaught(
      'hostGap',
      (requests) => {
        requests[requests.length - 1].arrive -= 20;
      },
      ['addressGap'],
    );
  });

  test('measures from the end where that is asked for, and knows tolerance', () => {
    const requests = perfectCrawl();
    assert.deepEqual(judged(requests, { minGapMs: 108, gapFrom: 'end', toleranceMs: 2 }).failures, []);
    assert.deepEqual(judged(requests, { minGapMs: 108, gapFrom: 'end', toleranceMs: 0 }).failures, ['hostGap']);
  });

  test('catches an address that is asked too often through two hosts', () => {
    const shared = new SyntheticWeb(SPEC, { mode: 'names', port: 8081, hostsPerAddress: 8 });
    const log = new RequestLog(shared);
    for (const request of perfectCrawl()) log.add(request);
    const known = truth(shared, { seeds: [shared.url(0)] });
    assert.deepEqual(audit(log, known, POLITE).failures, ['addressGap']);
    assert.deepEqual(audit(log, known, { ...POLITE, addressGapMs: 0 }).failures, []);
  });

  test('demands the Crawl-delay of a host', () => {
    const slow = new SyntheticWeb(webSpec({ hosts: 1, pagesPerHost: 3, robots: { crawlDelay: 1 } }), {
      mode: 'names',
      port: 8081,
      hostsPerAddress: 0,
    });
    const known = truth(slow, { seeds: [slow.url(0)] });
    const log = new RequestLog(slow);
    const template = perfectCrawl()[0];
    const targets = ['/robots.txt', ...Array.from(known.pages('stored'), (page) => slow.target(page))];
    for (const [at, target] of targets.entries()) {
      log.add({ ...template, arrive: at * 500, done: at * 500 + 1, host: 0, target, located: slow.locate(0, target) });
    }
    assert.ok(audit(log, known, { complete: false }).failures.includes('hostGap'));
    assert.ok(!audit(log, known, { complete: false, obeyCrawlDelay: false }).failures.includes('hostGap'));
    const robots = { ...template, host: 0, target: '/robots.txt', located: slow.locate(0, '/robots.txt') };
    const unread = new RequestLog(slow);
    unread.add({ ...robots, arrive: 0, done: 1, complete: false });
    unread.add({ ...robots, arrive: 500, done: 501 });
    assert.deepEqual(audit(unread, known, { complete: false }).failures, [], 'not yet read, so not yet binding');
  });

  test('catches two requests at once, even with delays switched off', () => {
    const requests = perfectCrawl();
    const last = requests[requests.length - 1];
    const before = requests.filter((request) => request.host === last.host && request !== last).at(-1);
    if (before !== undefined) before.done = last.arrive + 1;
    assert.deepEqual(judged(requests, { minGapMs: 0 }).failures, ['parallel']);
    assert.deepEqual(judged(requests, { minGapMs: 0, maxParallel: 2 }).failures, []);
    last.connection = 99;
    assert.equal(judged(requests, { minGapMs: 0 }).parallelConnections.max, 2);
  });

  test('catches a disallowed page', () => {
    const page = pageWhere(
      (at) => TRUTH.fate(at) === 'disallowed' && WEB.robots(WEB.hostOfPage(at)).verdict === 'rules',
    );
    assertCaught('disallowed', (requests) => late(requests, WEB.hostOfPage(page), WEB.target(page)));
  });

  test('catches a disallowed page in another spelling', () => {
    const page = pageWhere(
      (at) =>
        WEB.role(at) === 'private' &&
        TRUTH.fate(at) === 'disallowed' &&
        WEB.robots(WEB.hostOfPage(at)).verdict === 'rules',
    );
    const target = WEB.target(page).replace('/private/', '/%70rivate/');
    assertCaught('disallowed', (requests) => late(requests, WEB.hostOfPage(page), target));
  });

  test('catches a request to a host whose robots.txt cannot be read', () => {
    const page = pageWhere(
      (at) => TRUTH.fate(at) === 'disallowed' && WEB.robots(WEB.hostOfPage(at)).verdict === 'disallow-all',
    );
    assertCaught('forbiddenHost', (requests) => late(requests, WEB.hostOfPage(page), WEB.target(page)));
  });

  test('catches pages asked for before robots.txt was read, also where it lies on another host', () => {
    assertCaught('beforeRobots', (requests) => {
      return requests.filter((request) => request.located.kind !== 'robots' || request.located.of !== 0);
    });
    const moved = perfectCrawl().find(
      (request) => request.located.kind === 'robots' && request.located.of !== request.host,
    );
    assert.ok(moved?.located.kind === 'robots');
    const { of } = moved.located;
    assertCaught('beforeRobots', (requests) =>
      requests.filter((r) => r.located.kind !== 'robots' || r.located.of !== of || r.host === of),
    );
  });

  test('catches a request within Retry-After', () => {
    const requests = perfectCrawl();
    const at = requests.findIndex((request) => request.status === 429 || request.status === 503);
    const shift = SPEC.retryAfterSeconds * 1000 - 200;
    for (const request of requests.slice(at + 1)) {
      if (request.host !== requests[at].host) continue;
      request.arrive -= shift;
      request.done -= shift;
    }
    assert.deepEqual(judged(requests).failures, ['retryAfter']);
  });

  test('catches a page sent twice, under any spelling, and allows for crashes', () => {
    const page = pageWhere((at) => TRUTH.fate(at) === 'stored' && WEB.target(at).includes('-'));
    assertCaught('wasted', (requests) => late(requests, WEB.hostOfPage(page), WEB.target(page)));
    assertCaught('wasted', (requests) => late(requests, WEB.hostOfPage(page), `${WEB.target(page)}?utm_source=x`));
    const again = late(perfectCrawl(), WEB.hostOfPage(page), WEB.target(page));
    assert.equal(judged(again, { ...POLITE, maxWasted: 1 }).passed, true);
  });

  test('a page broken off in the middle was not sent', () => {
    assertCaught('missed', (requests) => {
      const stored = requests.findLast((request) => request.status === 200);
      if (stored !== undefined) stored.complete = false;
    });
  });

  test('catches a redirect asked for twice', () => {
    const page = pageWhere((at) => TRUTH.fate(at) === 'redirected');
    assertCaught('repeated', (requests) => late(requests, WEB.hostOfPage(page), WEB.target(page), 301));
  });

  test('catches missing pages, redirects and errors; not where the crawl was cut short', () => {
    assertCaught('missed', (requests) =>
      requests.filter((r) => r !== requests.findLast((other) => other.status === 200)),
    );
    assertCaught('unseen', (requests) =>
      requests.filter((r) => r !== requests.findLast((other) => other.status === 404 && other.located.kind === 'page')),
    );
    assert.equal(judged([], { complete: false }).passed, true);
    assert.deepEqual(judged([]).failures, ['missed', 'unseen']);
  });

  test('catches pages that should not have been found', () => {
    const known = truth(WEB, { seeds: [WEB.url(0)], scope: 'host' });
    const log = new RequestLog(WEB);
    for (const request of perfectCrawl(TRUTH)) log.add(request);
    assert.deepEqual(audit(log, known, POLITE).failures, ['unexpected']);
  });

  test('catches phantoms and addresses that nobody wrote', () => {
    assertCaught('phantom', (requests) => late(requests, 0, '/phantom/comment-0-1.html', 404));
    assertCaught('unknown', (requests) => late(requests, 0, '/articles/list?id=5&amp;view=full', 404));
  });

  test('counts connections, and judges them only where a limit is given', () => {
    const requests = perfectCrawl();
    const last = requests[requests.length - 1];
    const others = requests.filter((request) => request.host === last.host && request !== last);
    for (const request of others.filter((_, at) => at % 2 === 0)) request.connection = 77;
    assert.deepEqual(judged(requests).failures, []);
    assert.equal(judged(requests).parallelConnections.max, 2);
    const report = judged(requests, { ...POLITE, maxConnections: 1 });
    assert.deepEqual(report.failures, ['connections']);
    assert.match(formatAudit(report), /2 connections to h/);
  });

  test('counts conditional requests and what they save; revisits are no waste where they are wanted', () => {
    const page = pageWhere((at) => TRUTH.fate(at) === 'stored');
    const [host, target] = [WEB.hostOfPage(page), WEB.target(page)];
    const again = late(perfectCrawl(), host, target, 304);
    again[again.length - 1].conditional = true;
    const saved = judged(again);
    assert.deepEqual(saved.failures, [], '304 is neither wasted nor repeated');
    assert.deepEqual(saved.conditional, { requests: 1, notModified: 1, repeatedWithout: 0 });
    const careless = late(perfectCrawl(), host, target, 200);
    assert.deepEqual(judged(careless).failures, ['wasted']);
    assert.deepEqual(judged(careless, { ...POLITE, revisits: true }).failures, []);
    assert.equal(judged(careless).conditional.repeatedWithout, 1);
    const known = judged(
      perfectCrawl().map((request) =>
        request.located.kind === 'page' && request.status === 200
          ? { ...request, status: 304, conditional: true }
          : request,
      ),
    );
    assert.equal(known.missed.count, 0, 'who hears 304 has the page');
  });

  test('a page that has changed is not wasted when it is sent again', () => {
    const spec = webSpec({ ...SPEC, changingShare: 1, changesPerDay: [1, 1] });
    const web = new SyntheticWeb(spec, { mode: 'names', port: 8081, hostsPerAddress: 1 });
    const known = truth(web, { seeds: [web.url(0)] });
    const template = perfectCrawl()[0];
    const start = spec.changesSince + 1000;
    const change = web.changedAt(0, 1);
    const visit = (times: readonly number[]): ReturnType<typeof audit> => {
      const log = new RequestLog(web);
      const ask = (target: string, arrive: number): void =>
        log.add({
          ...template,
          host: 0,
          target,
          located: web.locate(0, target),
          status: 200,
          arrive,
          done: arrive + 1,
        });
      ask('/robots.txt', start - 500);
      for (const time of times) ask('/', time);
      return audit(log, known, { complete: false });
    };
    assert.deepEqual(visit([start, change + 1000]).failures, []);
    assert.deepEqual(visit([start, change - 1000]).failures, ['wasted']);
  });

  test('sitemaps that had to be read and were not are unseen', () => {
    const web = new SyntheticWeb(webSpec({ hosts: 1, pagesPerHost: 4, sites: { sitemap: 1 } }), {
      mode: 'names',
      port: 8081,
      hostsPerAddress: 0,
    });
    const report = audit(new RequestLog(web), truth(web, { seeds: [web.url(0)], followSitemaps: true }));
    assert.ok(report.unseen.samples.some((sample) => sample.startsWith('read: ')));
  });

  test('takes style sheets and pictures as they come', () => {
    const report = judged(late(perfectCrawl(), 0, '/static/site.css'));
    assert.equal(report.passed, true);
    assert.equal(report.assets, 1);
  });
});
