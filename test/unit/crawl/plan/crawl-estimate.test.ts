import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { HostRecord } from '../../../../src/contracts/page-store.ts';
import type { HostKey } from '../../../../src/contracts/url.ts';
import {
  boundsOf,
  estimateRemaining,
  type HostLoad,
  msToSend,
  sentIn,
} from '../../../../src/crawl/plan/crawl-estimate.ts';
import { crawlSoFar } from '../../../../src/crawl/plan/crawl-so-far.ts';
import { FrontierGrowth } from '../../../../src/crawl/plan/frontier-growth.ts';
import { urlsInAll } from '../../../../src/crawl/plan/unseen-urls.ts';
import { defaultPoliteness } from '../../../../src/frontier/politeness.ts';

const loads = fc.array(
  fc.record({
    host: fc.string({ minLength: 1, maxLength: 3 }),
    requests: fc.integer({ min: 0, max: 10_000 }),
    everyMs: fc.integer({ min: 0, max: 60_000 }),
    dueInMs: fc.integer({ min: 0, max: 100_000 }),
  }),
  { maxLength: 20 },
);

describe('urlsInAll', () => {
  test('before the end it is more than is known, at the end exactly that', () => {
    assert.deepEqual(urlsInAll({ visited: 50, known: 50, perPage: 3 }), { low: 50, likely: 50, high: 50 });
    assert.deepEqual(urlsInAll({ visited: 50, known: 80, perPage: 0 }), { low: 80, likely: 80, high: 80 });
    assert.deepEqual(urlsInAll({ visited: 0, known: 3, perPage: 0 }), { low: 3, likely: 3, high: 3 });
  });

  test('low, likely and high are in order and never below what is known', () => {
    fc.assert(
      fc.property(
        fc.record({
          visited: fc.integer({ min: 0, max: 100_000 }),
          known: fc.integer({ min: 0, max: 1_000_000 }),
          perPage: fc.double({ min: 0, max: 1000, noNaN: true }),
        }),
        (discovered) => {
          const { low, likely, high } = urlsInAll(discovered);
          assert.ok(low >= discovered.known * (1 - 1e-9) && likely >= low && high >= likely * (1 - 1e-9));
          assert.ok(Number.isFinite(high));
        },
      ),
    );
  });

  test('links at random: the low model gives the size of the web back', () => {
    // n pages of L links in a web of N URLs.
    const inAll = 5000;
    for (const links of [1000, 4000, 15_000]) {
      const visited = links / 20;
      const known = inAll * (1 - Math.exp(-links / inAll));
      const perPage = 20 * Math.exp(-links / inAll);
      const { low } = urlsInAll({ visited, known, perPage });
      assert.ok(Math.abs(low / inAll - 1) < 1e-6, `${low}`);
    }
  });

  test('square-root growth: the high model reaches at least where known meets visited', () => {
    const inAll = 10_000;
    for (const visited of [30, 300, 3000]) {
      const known = Math.sqrt(visited * inAll);
      const { low, high } = urlsInAll({ visited, known, perPage: known / visited / 2 });
      assert.ok(high >= inAll * (1 - 1e-9) && low <= inAll);
    }
  });
});

describe('msToSend', () => {
  const two: HostLoad[] = [
    { host: 'slow', requests: 100, everyMs: 1000 },
    { host: 'fast', requests: 100, everyMs: 100 },
  ];

  test('all requests take as long as the slowest host', () => {
    assert.equal(msToSend(two, 200), 100_000);
    assert.deepEqual(
      boundsOf(two).map(({ host, ms }) => [host, ms]),
      [
        ['slow', 100_000],
        ['fast', 10_000],
      ],
    );
  });

  test('of fewer the fast hosts do more', () => {
    // In ten seconds the fast one is done, and the slow one has sent ten.
    assert.ok(Math.abs(msToSend(two, 110) - 10_000) < 1);
    assert.ok(Math.abs(sentIn(two, 10_000) - 110) < 1e-6);
  });

  test('hosts of one group are asked one after another; a hold comes first', () => {
    const grouped = two.map((load) => ({ ...load, group: 'one address', dueInMs: 500 }));
    assert.equal(msToSend(grouped, 200), 110_500);
  });

  test('the machine may be slower than the hosts', () => {
    assert.equal(msToSend(two, 200, 1), 200_000);
  });

  test('more requests never take less time, and so many are sent by then', () => {
    fc.assert(
      fc.property(
        loads,
        fc.integer({ min: 0, max: 50_000 }),
        fc.integer({ min: 0, max: 50_000 }),
        (hosts, one, other) => {
          const [few, many] = [Math.min(one, other), Math.max(one, other)];
          assert.ok(msToSend(hosts, few) <= msToSend(hosts, many) * (1 + 1e-9) + 1e-6);
          const total = hosts.reduce((sum, { requests }) => sum + requests, 0);
          assert.ok(sentIn(hosts, msToSend(hosts, few)) >= Math.min(few, total) * (1 - 1e-6) - 1e-6);
        },
      ),
    );
  });
});

describe('estimateRemaining', () => {
  const base = { visited: 1000, known: 1500, perPage: 0, allowed: Number.POSITIVE_INFINITY };

  test('a frontier that grows no more: what waits, at the pace of its hosts', () => {
    const hosts = [
      { host: 'a', requests: 400, everyMs: 1000 },
      { host: 'b', requests: 100, everyMs: 2000 },
    ];
    const { requests, ms, bounds } = estimateRemaining({ ...base, hosts });
    assert.deepEqual(requests, { low: 500, likely: 500, high: 500 });
    assert.deepEqual(ms, { low: 400_000, likely: 400_000, high: 400_000 });
    assert.equal(bounds[0].host, 'a');
  });

  test('one that grows takes longer, and how long is less sure', () => {
    const hosts = [{ host: 'a', requests: 500, everyMs: 1000 }];
    const { requests, ms } = estimateRemaining({ ...base, perPage: 0.5, hosts });
    assert.ok(requests.low > 500 && requests.likely >= requests.low && requests.high > requests.likely);
    assert.ok(Math.abs(ms.likely / (requests.likely * 1000) - 1) < 1e-9);
  });

  test('a limit cuts it; the rate of the machine counts only where no host is waited for', () => {
    const hosts = [{ host: 'a', requests: 500, everyMs: 10 }];
    assert.equal(estimateRemaining({ ...base, allowed: 20, hosts }).requests.likely, 20);
    const rate = { perSecond: 10, hosts };
    assert.equal(estimateRemaining({ ...base, ...rate }).ms.likely, 50_000);
    assert.equal(estimateRemaining({ ...base, ...rate, resting: true }).ms.likely, 5000);
  });

  test('where only a retry is left, it takes as long as the wait for it', () => {
    const { ms } = estimateRemaining({ ...base, known: 1001, hosts: [], dueInMs: 7000 });
    assert.deepEqual(ms, { low: 7000, likely: 7000, high: 7000 });
  });

  test('nothing waits: nothing is left', () => {
    const { requests, ms } = estimateRemaining({ ...base, known: 1000, hosts: [] });
    assert.equal(requests.high, 0);
    assert.equal(ms.high, 0);
  });
});

describe('crawlSoFar', () => {
  const frontier = { known: 130, queued: 30, leased: 1, hosts: 2, parked: 10 };
  const progress = {
    ...{ elapsedMs: 50_000, pages: 80, requests: 100, bytes: 0, failed: 0, refused: 0, pagesPerSecond: 1.6 },
    ...{ inFlight: 1, frontier, nextDue: 1500 },
  };
  const record = { dueAt: 3000, holdUntil: 0, pushbacks: 0, lastFetchMs: 200, pages: 0, bytes: 0, fetchMs: 0 };
  const host = (name: string, more: Partial<HostRecord>): HostRecord => ({
    ...record,
    host: name as HostKey,
    queued: 20,
    ...more,
  });

  test('counts what waits at the pace of its host, and leaves out what is parked', () => {
    const so = crawlSoFar({
      progress,
      hosts: [host('a', { crawlDelayMs: 5000 }), host('b', { queued: 10, parked: 'unreachable' })],
      politeness: defaultPoliteness,
      growth: new FrontierGrowth(),
      now: 1000,
      pagesLeft: 8,
      concurrency: 100,
    });
    assert.ok(so !== undefined);
    assert.equal(so.visited, 100);
    assert.equal(so.known, 120);
    assert.equal(so.allowed, 10);
    assert.equal(so.resting, true);
    assert.deepEqual(so.hosts, [{ host: 'a', requests: 20, everyMs: 5200, dueInMs: 2000 }]);
    assert.equal(estimateRemaining({ ...so, perPage: 0, allowed: 20 }).ms.likely, 20 * 5200 + 2000);
  });
});

describe('FrontierGrowth', () => {
  test('tells the new URLs per page of late, however long the crawl', () => {
    const growth = new FrontierGrowth();
    assert.equal(growth.at(0, 10), undefined);
    // Ten new ones a page, then two.
    for (let visited = 0; visited <= 100_000; visited += 10) {
      const known = visited < 50_000 ? visited * 10 : 500_000 + (visited - 50_000) * 2;
      growth.note(visited, known);
    }
    const { perPage } = growth.at(100_000, 600_000) ?? { perPage: 0 };
    assert.ok(Math.abs(perPage - 2) < 1e-9, `${perPage}`);
  });

  test('of a crawl that was resumed, from its beginning', () => {
    const growth = new FrontierGrowth();
    assert.deepEqual(growth.at(100, 300), { visited: 100, known: 300, perPage: 3 });
  });
});
