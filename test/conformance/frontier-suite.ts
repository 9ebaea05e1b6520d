import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { VirtualClock } from '../../src/base/virtual-clock.ts';
import type { Claim, HostUse, Outcome } from '../../src/contracts/crawl-task.ts';
import type { CanonicalUrl, HostKey } from '../../src/contracts/url.ts';
import { propertyRuns } from '../property-runs.ts';
import { aheadConformance } from './frontier-ahead.ts';
import { boundConformance } from './frontier-bounds.ts';
import { concurrencyConformance } from './frontier-concurrency.ts';
import { crowdConformance } from './frontier-crowds.ts';
import { moveConformance } from './frontier-moves.ts';
import { revisitConformance } from './frontier-revisits.ts';
import {
  DELAY,
  drain,
  type FrontierEngine,
  options,
  type SuiteOptions,
  settled,
  task,
  type WithFrontier,
} from './opened-frontier.ts';

/** The one suite that every engine behind the `Frontier` contract passes. */
export function frontierConformance(engine: FrontierEngine): void {
  const withFrontier: WithFrontier = async (extra, body) => {
    const clock = new VirtualClock();
    const opened = await engine.open(clock, { ...options, ...extra });
    try {
      await body(opened, clock);
    } finally {
      await opened.close();
    }
  };

  describe(`Frontier: ${engine.name}`, () => {
    test('add answers added once and known ever after', () =>
      withFrontier({}, async ({ frontier }) => {
        const a = task('http://a.test/1');
        assert.deepEqual(await frontier.add([a, task('http://a.test/2'), a]), ['added', 'added', 'known']);
        assert.deepEqual(await frontier.add([a]), ['known']);
        assert.equal((await frontier.counts()).known, 2);
      }));

    test('a URL that was settled stays known, also after a crash', () =>
      withFrontier({}, async (opened, clock) => {
        await opened.frontier.add([task('http://a.test/1')]);
        const [claim] = await opened.frontier.claim(1);
        await opened.frontier.settle([settled(claim, clock)]);
        const again = await opened.crash();
        assert.deepEqual(await again.frontier.add([task('http://a.test/1')]), ['known']);
        assert.equal((await again.frontier.counts()).queued, 0);
        await again.close();
      }));

    test('one lease per host, whatever is asked for', () =>
      withFrontier({}, async ({ frontier }) => {
        await frontier.add([task('http://a.test/1'), task('http://a.test/2'), task('http://b.test/1')]);
        const claims = await frontier.claim(10);
        assert.deepEqual(claims.map((c) => c.task.host).sort(), ['a.test', 'b.test']);
        assert.deepEqual(await frontier.claim(10), []);
        assert.equal((await frontier.counts()).leased, 2);
      }));

    test('a host rests for the delay after the end of a request', () =>
      withFrontier({}, async ({ frontier }, clock) => {
        await frontier.add([task('http://a.test/1'), task('http://a.test/2')]);
        const [first] = await frontier.claim(1);
        clock.advance(300);
        await frontier.settle([settled(first, clock)]);
        assert.deepEqual(await frontier.claim(1), []);
        assert.equal(await frontier.nextDue(), clock.now() + DELAY);
        clock.advance(DELAY - 1);
        assert.deepEqual(await frontier.claim(1), []);
        clock.advance(1);
        assert.equal((await frontier.claim(1)).length, 1);
      }));

    test('the adaptive delay follows the fetch time, up to its bound', () =>
      withFrontier(
        { politeness: { minimumDelayMs: 100, delayFactor: 5, maxAdaptiveDelayMs: 4000 } },
        async ({ frontier }, clock) => {
          await frontier.add([1, 2, 3, 4].map((n) => task(`http://a.test/${n}`)));
          for (const [fetchMs, rest] of [
            [400, 2000],
            [3000, 4000],
            [5000, 5000],
          ]) {
            const [claim] = await frontier.claim(1);
            await frontier.settle([settled(claim, clock, { use: { fetchMs, bytes: 1, endedAt: clock.now() } })]);
            assert.equal(await frontier.nextDue(), clock.now() + rest);
            clock.advance(rest);
          }
        },
      ));

    test('a long Crawl-delay slows the host and never drops it', () =>
      withFrontier({}, async ({ frontier }, clock) => {
        await frontier.add([task('http://a.test/1'), task('http://a.test/2')]);
        const [claim] = await frontier.claim(1);
        await frontier.settle([
          settled(claim, clock, {
            outcome: { kind: 'deferred', why: 'robots.txt' },
            robots: {
              origin: 'http://a.test',
              fetchedAt: 0,
              expiresAt: 1e15,
              state: 'rules',
              why: 'read',
              redirects: 0,
              crawlDelayMs: 3_600_000,
            },
          }),
        ]);
        assert.equal(await frontier.nextDue(), clock.now() + 3_600_000);
        clock.advance(3_600_000);
        assert.equal((await frontier.claim(1))[0].task.url, 'http://a.test/1');
      }));

    test('the Crawl-delay of a robots.txt that lies on another host binds the host it belongs to', () =>
      withFrontier({}, async ({ frontier, pages }, clock) => {
        await frontier.add([task('http://a.test/1'), task('http://b.test/1')]);
        await frontier.add([task('http://b.test/a-robots.txt', { purpose: 'robots', forOrigin: 'http://a.test' })]);
        const claim = (await frontier.claim(2)).find(({ task: { purpose } }) => purpose === 'robots') as Claim;
        const robots = {
          origin: 'http://a.test',
          fetchedAt: 0,
          expiresAt: 1e15,
          state: 'rules',
          why: 'read',
          redirects: 0,
          crawlDelayMs: 9000,
        } as const;
        await frontier.settle([settled(claim, clock, { robots })]);
        assert.equal((await pages.host('a.test' as HostKey))?.crawlDelayMs, 9000);
        assert.equal((await pages.host('b.test' as HostKey))?.crawlDelayMs, undefined);
      }));

    test('the longer Crawl-delay of http and https counts', () =>
      withFrontier({}, async ({ frontier, pages }, clock) => {
        await frontier.add([task('http://a.test/1'), task('https://a.test/2')]);
        for (const [origin, crawlDelayMs] of [
          ['http://a.test', 30_000],
          ['https://a.test', 0],
        ] as const) {
          const [claim] = await frontier.claim(1);
          const robots = {
            origin,
            fetchedAt: 0,
            expiresAt: 1e15,
            state: 'rules',
            why: 'read',
            redirects: 0,
            crawlDelayMs,
          } as const;
          await frontier.settle([settled(claim, clock, { outcome: { kind: 'deferred', why: 'robots.txt' }, robots })]);
          clock.advance(30_000);
        }
        assert.equal((await pages.host('a.test' as HostKey))?.crawlDelayMs, 30_000);
      }));

    test('a refusal without a request leaves the clock alone', () =>
      withFrontier({}, async ({ frontier }, clock) => {
        await frontier.add([task('http://a.test/1'), task('http://a.test/2')]);
        const [claim] = await frontier.claim(1);
        const outcome: Outcome = { kind: 'refused', by: 'robots', rule: 'Disallow: /' };
        await frontier.settle([settled(claim, clock, { outcome, use: undefined })]);
        assert.equal((await frontier.claim(1))[0].task.url, 'http://a.test/2');
      }));

    test('a deferred URL keeps its place', () =>
      withFrontier({}, async ({ frontier }, clock) => {
        await frontier.add([task('http://a.test/1'), task('http://a.test/2')]);
        const [claim] = await frontier.claim(1);
        await frontier.settle([settled(claim, clock, { outcome: { kind: 'deferred', why: 'robots.txt' } })]);
        clock.advance(DELAY);
        const [again] = await frontier.claim(1);
        assert.equal(again.task.url, 'http://a.test/1');
        assert.equal(again.tries, 0);
      }));

    test('released claims come back at once', () =>
      withFrontier({}, async ({ frontier }) => {
        await frontier.add([task('http://a.test/1')]);
        const claims = await frontier.claim(1);
        await frontier.release(claims);
        assert.equal((await frontier.claim(1))[0].task.url, 'http://a.test/1');
      }));

    test('Retry-After holds the host for just that long', () =>
      withFrontier({}, async ({ frontier }, clock) => {
        await frontier.add([task('http://a.test/1'), task('http://a.test/2')]);
        const [claim] = await frontier.claim(1);
        const use: HostUse = {
          fetchMs: 5,
          bytes: 0,
          endedAt: clock.now(),
          pushback: { why: 'HTTP 429', kind: 'busy', retryAfterMs: 120_000 },
        };
        await frontier.settle([
          settled(claim, clock, { outcome: { kind: 'failed', code: 'http-5xx' }, use, nextVisit: clock.now() + 1 }),
        ]);
        clock.advance(119_999);
        assert.deepEqual(await frontier.claim(1), []);
        clock.advance(1);
        assert.equal((await frontier.claim(1)).length, 1);
      }));

    test('without Retry-After the wait doubles from 60 s to a day, with jitter, and is forgiven', () =>
      withFrontier({}, async ({ frontier }, clock) => {
        await frontier.add([task('http://a.test/1')]);
        let expected = 60_000;
        for (let round = 0; round < 13; round++) {
          const [claim] = await frontier.claim(1);
          const use: HostUse = {
            fetchMs: 5,
            bytes: 0,
            endedAt: clock.now(),
            pushback: { why: 'HTTP 503', kind: 'busy' },
          };
          const outcome: Outcome = { kind: 'failed', code: 'http-5xx' };
          await frontier.settle([settled(claim, clock, { outcome, use, nextVisit: clock.now() })]);
          assert.deepEqual(await frontier.claim(1), []);
          const wait = ((await frontier.nextDue()) as number) - clock.now();
          assert.ok(
            wait >= Math.min(expected, 86_400_000) && wait <= Math.min(expected * 1.1 + 1, 86_400_000),
            `${wait}`,
          );
          clock.advance(wait);
          expected *= 2;
        }
        clock.advance(1_800_001);
        const [fine] = await frontier.claim(1);
        const outcome: Outcome = { kind: 'failed', code: 'http-5xx' };
        const use: HostUse = {
          fetchMs: 5,
          bytes: 0,
          endedAt: clock.now(),
          pushback: { why: 'HTTP 503', kind: 'busy' },
        };
        await frontier.settle([settled(fine, clock, { outcome, use, nextVisit: clock.now() })]);
        assert.deepEqual(await frontier.claim(1), []);
        const wait = ((await frontier.nextDue()) as number) - clock.now();
        assert.ok(wait <= 66_001, `forgiven: ${wait}`);
      }));

    test('holdHosts only lengthens', () =>
      withFrontier({}, async ({ frontier }, clock) => {
        await frontier.add([task('http://a.test/1')]);
        await frontier.holdHosts(['a.test' as HostKey], clock.now() + 5000, 'asked by mail');
        await frontier.holdHosts(['a.test' as HostKey], clock.now() + 10, 'shorter');
        clock.advance(4999);
        assert.deepEqual(await frontier.claim(1), []);
        clock.advance(1);
        assert.equal((await frontier.claim(1)).length, 1);
      }));

    test('a host that is parked by hand is not claimed, keeps what waits, and goes on when it is let go', () =>
      withFrontier({}, async ({ frontier }, clock) => {
        await frontier.parkHosts(['a.test', 'new.test'] as HostKey[], true);
        await frontier.add(['a', 'b', 'new'].map((h) => task(`http://${h}.test/`)));
        clock.advance(100_000);
        assert.deepEqual(
          (await frontier.claim(9)).map((c) => c.task.host),
          ['b.test'],
        );
        assert.equal((await frontier.counts()).parked, 2);
        await frontier.parkHosts(['a.test' as HostKey], false);
        await frontier.parkHosts(['b.test' as HostKey], false);
        assert.deepEqual(
          (await frontier.claim(9)).map((c) => c.task.host),
          ['a.test'],
        );
        assert.equal((await frontier.counts()).parked, 1);
      }));

    test('many hosts are held at once', () =>
      withFrontier({}, async ({ frontier }, clock) => {
        await frontier.add(['a', 'b', 'c'].map((h) => task(`http://${h}.test/`)));
        await frontier.holdHosts(['a.test', 'b.test'] as HostKey[], clock.now() + 5000, 'crowded');
        assert.deepEqual(
          (await frontier.claim(9)).map((c) => c.task.host),
          ['c.test'],
        );
      }));

    test('an unreachable host is parked with its URLs, and tried again in the next run', () =>
      withFrontier({ politeness: { ...options.politeness, unreachableLimit: 3 } }, async (opened, clock) => {
        const { frontier } = opened;
        await frontier.add([task('http://a.test/1'), task('http://a.test/2')]);
        for (let round = 0; round < 3; round++) {
          const [claim] = await frontier.claim(1);
          const use: HostUse = {
            fetchMs: 1,
            bytes: 0,
            endedAt: clock.now(),
            pushback: { why: 'connection refused', kind: 'unreachable' },
          };
          const outcome: Outcome = { kind: 'failed', code: 'connect-refused' };
          await frontier.settle([settled(claim, clock, { outcome, use, nextVisit: clock.now() })]);
          assert.deepEqual(await frontier.claim(1), []);
          const next = await frontier.nextDue();
          if (next !== undefined) clock.advanceTo(next);
        }
        assert.equal(await frontier.nextDue(), undefined);
        assert.equal((await frontier.counts()).parked, 2);
        const again = await opened.crash();
        assert.equal((await again.frontier.counts()).parked, 0);
        assert.notEqual(await again.frontier.nextDue(), undefined);
        await again.close();
      }));

    test('being busy is no sign of being out of reach', () =>
      withFrontier(
        { politeness: { minimumDelayMs: DELAY, unreachableLimit: 3 } },
        async ({ frontier, pages }, clock) => {
          const holdAfter = async (pushback: NonNullable<HostUse['pushback']>): Promise<number> => {
            let [claim] = await frontier.claim(1);
            while (claim === undefined) {
              clock.advanceTo((await frontier.nextDue()) as number);
              [claim] = await frontier.claim(1);
            }
            const use: HostUse = { fetchMs: 1, bytes: 0, endedAt: clock.now(), pushback };
            const outcome: Outcome = { kind: 'failed', code: 'trouble' };
            await frontier.settle([settled(claim, clock, { outcome, use, nextVisit: clock.now() })]);
            return ((await pages.host('a.test' as HostKey))?.holdUntil ?? 0) - clock.now();
          };
          await frontier.add([task('http://a.test/1')]);
          for (let round = 0; round < 6; round++)
            await holdAfter({ kind: 'busy', why: 'HTTP 503', retryAfterMs: 5000 });
          const refused = { kind: 'unreachable', why: 'connection refused' } as const;
          const first = await holdAfter(refused);
          assert.equal((await pages.host('a.test' as HostKey))?.parked, undefined, 'not given up at the first time');
          const second = await holdAfter(refused);
          assert.ok(second > 1.5 * first, `${first}, then ${second}`);
          const busy = await holdAfter({ kind: 'busy', why: 'HTTP 429' });
          const again = await holdAfter(refused);
          assert.ok(again < 1.5 * first, `reached in between: ${again}`);
          assert.ok(
            (await holdAfter({ kind: 'busy', why: 'HTTP 429' })) > 1.5 * busy,
            'one trouble beside another doubles on',
          );
        },
      ));

    test('retries come back at their time, with the number of tries', () =>
      withFrontier({}, async ({ frontier }, clock) => {
        await frontier.add([task('http://a.test/1')]);
        const [claim] = await frontier.claim(1);
        const retryAt = clock.now() + 30_000;
        await frontier.settle([
          settled(claim, clock, { outcome: { kind: 'failed', code: 'reset' }, nextVisit: retryAt }),
        ]);
        assert.equal((await frontier.counts()).queued, 1);
        assert.equal(await frontier.nextDue(), retryAt);
        clock.advance(29_999);
        assert.deepEqual(await frontier.claim(1), []);
        clock.advance(1);
        const [again] = await frontier.claim(1);
        assert.equal(again.tries, 1);
        await frontier.settle([settled(again, clock)]);
        assert.equal((await frontier.counts()).queued, 0);
      }));

    test('a settled URL is not claimed again, and settling twice changes nothing', () =>
      withFrontier({}, async ({ frontier, pages }, clock) => {
        await frontier.add([task('http://a.test/1')]);
        const [claim] = await frontier.claim(1);
        await frontier.settle([settled(claim, clock)]);
        await frontier.settle([settled(claim, clock, { outcome: { kind: 'gone', status: 404 } })]);
        clock.advance(DELAY);
        assert.deepEqual(await frontier.claim(1), []);
        assert.deepEqual((await pages.page(claim.task.url))?.outcome, { kind: 'stored' });
        assert.equal((await pages.totals()).pages, 1);
      }));

    test('a settlement after the end of its lease is ignored, also before anybody took the lease back', () =>
      withFrontier({}, async ({ frontier }, clock) => {
        await frontier.add([task('http://a.test/')]);
        const [claim] = await frontier.claim(1);
        clock.advance(claim.expiresAt - clock.now() + 1);
        await frontier.settle([settled(claim, clock)]);
        clock.advance(DELAY);
        const [again] = await frontier.claim(1);
        assert.equal(again?.task.url, 'http://a.test/');
      }));

    test('an expired lease returns its URL to the head, and the late settlement is ignored', () =>
      withFrontier({ leaseMs: 60_000 }, async ({ frontier }, clock) => {
        await frontier.add([task('http://a.test/1'), task('http://a.test/2')]);
        const [lost] = await frontier.claim(1);
        clock.advance(59_999);
        assert.deepEqual(await frontier.claim(1), []);
        clock.advance(1 + DELAY);
        const [again] = await frontier.claim(1);
        assert.equal(again.task.url, lost.task.url);
        const late = settled(lost, clock, { links: [task('http://late.test/')] });
        assert.deepEqual(await frontier.settle([late, settled(again, clock)]), ['expired', 'applied']);
        assert.equal((await frontier.counts()).leased, 0);
        assert.deepEqual(await frontier.add([task('http://late.test/')]), ['added']);
      }));

    test('settle answers what became of each: what was settled before changes nothing', () =>
      withFrontier({}, async ({ frontier }, clock) => {
        await frontier.add([task('http://a.test/1')]);
        const [claim] = await frontier.claim(1);
        const done = settled(claim, clock);
        assert.deepEqual(await frontier.settle([done, done]), ['applied', 'expired']);
        assert.deepEqual(await frontier.settle([done]), ['expired']);
        assert.deepEqual(await frontier.settle([]), []);
      }));

    test('settle adds links, page and robots in the same step', () =>
      withFrontier({}, async ({ frontier, pages }, clock) => {
        await frontier.add([task('http://a.test/1')]);
        const [claim] = await frontier.claim(1);
        const found = task('http://b.test/x', {
          depth: 1,
          discovery: { how: 'link', from: claim.task.url, anchor: 'the x' },
        });
        await frontier.settle([
          settled(claim, clock, {
            links: [found],
            refusals: [{ task: task('http://c.test/'), by: 'scope', rule: 'scope host' }],
            robots: {
              origin: 'http://a.test',
              fetchedAt: 1,
              expiresAt: 2,
              state: 'allow-all',
              why: 'HTTP 404',
              redirects: 0,
            },
          }),
        ]);
        const record = await pages.page(found.url);
        assert.equal(record?.state, 'queued');
        assert.deepEqual(record?.discovery, found.discovery);
        assert.equal((await pages.page('http://c.test/' as CanonicalUrl))?.state, 'refused-link');
        assert.equal((await pages.robots('http://a.test'))?.why, 'HTTP 404');
        assert.equal((await pages.page(claim.task.url))?.state, 'done');
      }));

    test('front queues come in order, first in first out within one', () =>
      withFrontier({}, async (opened, clock) => {
        await opened.frontier.add([
          task('http://a.test/late', { lane: 2 }),
          task('http://a.test/first', { lane: 0 }),
          task('http://a.test/mid-1', { lane: 1 }),
          task('http://a.test/mid-2', { lane: 1 }),
        ]);
        assert.deepEqual(await drain(opened, clock), [
          'http://a.test/first',
          'http://a.test/mid-1',
          'http://a.test/mid-2',
          'http://a.test/late',
        ]);
      }));

    test('of hosts that are due, the one with the most urgent URL left comes first', () =>
      withFrontier({}, async ({ frontier }, clock) => {
        await frontier.add([
          task('http://a.test/0', { lane: 0 }),
          task('http://a.test/5', { lane: 5 }),
          task('http://b.test/3', { lane: 3 }),
          task('http://b.test/4', { lane: 4 }),
        ]);
        const [first] = await frontier.claim(1);
        await frontier.settle([settled(first, clock)]);
        clock.advance(DELAY);
        const urls = [];
        for (let turn = 0; turn < 2; turn++) urls.push((await frontier.claim(1))[0].task.url);
        assert.deepEqual([first.task.url, ...urls], ['http://a.test/0', 'http://b.test/3', 'http://a.test/5']);
      }));

    test('last in first out serves depth-first crawls', () =>
      withFrontier({ order: 'lifo' }, async (opened, clock) => {
        await opened.frontier.add([1, 2, 3].map((n) => task(`http://a.test/${n}`)));
        assert.deepEqual(await drain(opened, clock), ['http://a.test/3', 'http://a.test/2', 'http://a.test/1']);
      }));

    test('the page budget parks a host; a larger one in the next run lets it go on', () =>
      withFrontier({ budgets: { maxPages: 2 } }, async (opened, clock) => {
        await opened.frontier.add([1, 2, 3, 4].map((n) => task(`http://a.test/${n}`)));
        assert.equal((await drain(opened, clock)).length, 2);
        assert.equal((await opened.frontier.counts()).parked, 2);
        assert.deepEqual(await opened.frontier.add([task('http://a.test/5')]), ['over-budget']);
        const again = await opened.crash({ ...options, budgets: { maxPages: 10 } });
        assert.deepEqual(await again.frontier.add([task('http://a.test/5')]), ['added']);
        clock.advance(DELAY);
        assert.equal((await drain(again, clock)).length, 3);
        await again.close();
      }));

    test('byte, time and queue budgets', () =>
      withFrontier({ budgets: { maxBytes: 250, maxQueued: 4 } }, async (opened, clock) => {
        const verdicts = await opened.frontier.add([1, 2, 3, 4, 5].map((n) => task(`http://a.test/${n}`)));
        assert.deepEqual(verdicts, ['added', 'added', 'added', 'added', 'over-budget']);
        assert.equal((await drain(opened, clock)).length, 3);
        const again = await opened.crash({ ...options, budgets: { maxMs: 40 } });
        clock.advance(DELAY);
        assert.equal((await drain(again, clock)).length, 1);
        assert.equal((await again.pages.host('a.test' as HostKey))?.parked, 'time budget used up');
        await again.close();
      }));

    test('clocks, holds, leases and back-offs survive a crash', () =>
      withFrontier({}, async (opened, clock) => {
        const { frontier } = opened;
        await frontier.add(['a', 'b', 'c'].flatMap((h) => [1, 2].map((n) => task(`http://${h}.test/${n}`))));
        const claims = await frontier.claim(2);
        const [resting, killed] = claims;
        await frontier.settle([settled(resting, clock)]);
        await frontier.holdHosts(['c.test' as HostKey], clock.now() + 50_000, 'test');
        clock.advance(10);
        const again = await opened.crash();
        assert.equal((await again.frontier.counts()).leased, 0);
        assert.deepEqual(await again.frontier.claim(9), [], 'nobody is asked at once');
        clock.advance(DELAY - 11);
        assert.deepEqual(await again.frontier.claim(9), []);
        // The host that was being asked when the process died rests for a whole delay from the restart; others as long at most.
        clock.advance(1);
        const early = await again.frontier.claim(9);
        assert.ok(early.every(({ task: { host } }) => host === resting.task.host));
        clock.advance(10);
        const late = await again.frontier.claim(9);
        assert.deepEqual([...early, ...late].map(({ task: { host } }) => host).sort(), ['a.test', 'b.test']);
        assert.equal(
          [...early, ...late].find(({ task: { host } }) => host === killed.task.host)?.task.url,
          killed.task.url,
        );
        clock.advance(50_000);
        assert.deepEqual(
          (await again.frontier.claim(9)).map((c) => c.task.host),
          ['c.test'],
        );
        await again.close();
      }));

    const cutOff = (bounds: SuiteOptions) => {
      const slow: SuiteOptions = { ...bounds, politeness: { minimumDelayMs: DELAY, delayFactor: 5 } };
      return withFrontier(slow, async (opened, clock) => {
        await opened.frontier.add([task('http://a.test/1')]);
        const [claim] = await opened.frontier.claim(1);
        clock.advance(4000);
        const again = await opened.crash(slow);
        const rest = ((await again.frontier.nextDue()) as number) - clock.now();
        assert.ok(rest >= 20_000 && rest <= 30_000, `${rest}: five times what it took, where that is known`);
        clock.advance(30_000);
        assert.equal((await again.frontier.claim(1))[0].task.url, claim.task.url);
        clock.advance(3_600_000);
        const later = await again.crash(slow);
        const further = ((await later.frontier.nextDue()) as number) - clock.now();
        assert.ok(further >= DELAY && further <= 30_000, 'no longer, though it was an hour ago');
        await later.close();
      });
    };
    test('a request that a crash cut off has taken as long as it may have', () => cutOff({ maxRequestMs: 10_000 }));
    test('also where requests end with the lease of their owner, as those of nodes', () =>
      cutOff({ maxRequestMs: 0, longestFetchMs: 10_000 }));

    test('politeness by address: hosts on one server take turns', () =>
      withFrontier({ byAddress: true }, async ({ frontier }, clock) => {
        await frontier.add(['a', 'b', 'c'].map((h) => task(`http://${h}.test/`)));
        assert.deepEqual(await frontier.claim(9), [], 'no address is known yet');
        assert.equal((await frontier.unresolvedHosts(9)).length, 3);
        const places = { 'a.test': '192.0.2.1', 'b.test': '192.0.2.1', 'c.test': '192.0.2.2' };
        await frontier.setAddresses(
          Object.entries(places).map(([host, address]) => ({ host: host as HostKey, address })),
        );
        const first = await frontier.claim(9);
        assert.deepEqual(
          first.map((c) => c.task.host),
          ['a.test', 'c.test'],
        );
        clock.advance(100);
        await frontier.settle(first.map((claim) => settled(claim, clock)));
        assert.deepEqual(await frontier.claim(9), []);
        clock.advance(DELAY);
        assert.deepEqual(
          (await frontier.claim(9)).map((c) => c.task.host),
          ['b.test'],
        );
      }));

    test('address first: a host waits for its address, and is asked for it once', () =>
      withFrontier({ addressFirst: true }, async ({ frontier }, clock) => {
        await frontier.add(['a', 'b'].map((h) => task(`http://${h}.test/`)));
        assert.deepEqual(await frontier.claim(9), []);
        assert.deepEqual(await frontier.unresolvedHosts(1), ['a.test']);
        await frontier.add([task('http://a.test/2')]);
        assert.deepEqual(await frontier.unresolvedHosts(9), ['b.test'], 'each host is given out once');
        await frontier.setAddresses([{ host: 'b.test' as HostKey, address: '' }]);
        const [claim] = await frontier.claim(9);
        assert.equal(claim.task.host, 'b.test');
        await frontier.setAddresses([{ host: 'a.test' as HostKey, address: '192.0.2.1' }]);
        const [other] = await frontier.claim(9);
        assert.equal(other.task.host, 'a.test');
        await frontier.settle([claim, other].map((one) => settled(one, clock)));
        clock.advance(DELAY);
        assert.equal((await frontier.claim(9)).length, 1, 'once placed, always placed');
        assert.deepEqual(await frontier.unresolvedHosts(9), []);
      }));

    test('politeness by registrable domain', () =>
      withFrontier({ byDomain: true }, async (opened, clock) => {
        const { frontier } = opened;
        await frontier.add(['www.a.com', 'api.a.com', 'b.com'].map((h) => task(`http://${h}/`)));
        const first = await frontier.claim(9);
        assert.deepEqual(
          first.map((c) => c.task.host),
          ['www.a.com', 'b.com'],
        );
        await frontier.settle(first.map((claim) => settled(claim, clock)));
        const again = await opened.crash();
        assert.deepEqual(await again.frontier.claim(9), [], 'the clock of the domain survives too');
        clock.advance(DELAY);
        assert.deepEqual(
          (await again.frontier.claim(9)).map((c) => c.task.host),
          ['api.a.com'],
        );
        await again.close();
      }));

    test('robots tasks are never held to be known and go first', () =>
      withFrontier({}, async ({ frontier }, clock) => {
        await frontier.add([task('http://b.test/page')]);
        const robots = task('http://b.test/robots.txt', { purpose: 'robots', forOrigin: 'http://a.test' });
        assert.deepEqual(await frontier.add([robots]), ['added']);
        const [claim] = await frontier.claim(1);
        assert.equal(claim.task.purpose, 'robots');
        assert.equal(claim.task.forOrigin, 'http://a.test');
        await frontier.settle([settled(claim, clock)]);
        assert.deepEqual(await frontier.add([robots]), ['added']);
      }));

    test('a probe is never held to be known, goes first, and leaves no page behind', () =>
      withFrontier({}, async ({ frontier, pages }, clock) => {
        const probe = task('http://a.test/nowhere', { purpose: 'probe', lane: 3 });
        assert.deepEqual(await frontier.add([task('http://a.test/1'), probe]), ['added', 'added']);
        const [claim] = await frontier.claim(1);
        assert.equal(claim.task.purpose, 'probe');
        await frontier.settle([settled(claim, clock)]);
        assert.equal(await pages.page(probe.url), undefined);
        assert.equal((await pages.totals()).pages, 0);
        assert.deepEqual(await frontier.add([probe]), ['added']);
      }));

    test('a URL held back when its turn comes costs its host nothing, is explained, and may come in again', () =>
      withFrontier({}, async (opened, clock) => {
        const { frontier } = opened;
        await frontier.add([task('http://a.test/1'), task('http://a.test/2')]);
        const [claim] = await frontier.claim(1);
        await frontier.settle([{ claim, outcome: { kind: 'refused', by: 'trap', rule: 'too much of the same' } }]);
        const [next] = await frontier.claim(1);
        assert.equal(next.task.url, 'http://a.test/2', 'the host need not rest');
        const again = await opened.crash();
        const record = await again.pages.page(claim.task.url);
        assert.deepEqual(
          [record?.state, record?.outcome],
          ['refused-link', { kind: 'refused', by: 'trap', rule: 'too much of the same' }],
        );
        assert.deepEqual((await again.pages.totals()).refused, { trap: 1 });
        assert.deepEqual(await again.frontier.add([task('http://a.test/1')]), ['added']);
        assert.deepEqual(await again.frontier.add([task('http://a.test/1')]), ['known']);
        clock.advance(10_000);
        assert.deepEqual((await drain(again, clock)).sort(), ['http://a.test/1', 'http://a.test/2']);
        assert.deepEqual((await again.pages.totals()).refused, {});
        await again.close();
      }));

    test('any history of adds, claims, ends and crashes: every URL settled once, no host asked too early', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 20 })), { maxLength: 60 }),
          fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 5, maxLength: 60 }),
          async (urls, steps) => {
            const clock = new VirtualClock();
            let opened = await engine.open(clock, { ...options, leaseMs: 5000 });
            const expected = new Set(urls.map(([h, p]) => `http://h${h}.test/${p}`));
            const ended = new Map<string, number>();
            const lastEnd = new Map<string, number>();
            let open: Claim[] = [];
            let added = 0;
            const step = async (what: number): Promise<void> => {
              if (what <= 2 && added < urls.length) {
                await opened.frontier.add(urls.slice(added, added + 7).map(([h, p]) => task(`http://h${h}.test/${p}`)));
                added += 7;
              } else if (what <= 5) {
                for (const claim of await opened.frontier.claim(3)) {
                  const last = lastEnd.get(claim.task.host);
                  assert.ok(last === undefined || clock.now() >= last + DELAY, `${claim.task.host} asked too early`);
                  lastEnd.set(claim.task.host, clock.now());
                  open.push(claim);
                }
              } else if (what <= 7) {
                const valid = open.filter((claim) => claim.expiresAt > clock.now());
                for (const claim of valid) {
                  ended.set(claim.task.url, (ended.get(claim.task.url) ?? 0) + 1);
                  lastEnd.set(claim.task.host, clock.now());
                }
                await opened.frontier.settle(valid.map((claim) => settled(claim, clock)));
                open = [];
              } else if (what === 8) {
                clock.advance(700);
              } else {
                for (const claim of open) lastEnd.set(claim.task.host, clock.now());
                open = [];
                opened = await opened.crash();
              }
            };
            for (const what of steps) await step(what);
            while (added < urls.length) await step(0);
            for (let i = 0; i < 2000 && ((await opened.frontier.nextDue()) !== undefined || open.length > 0); i++) {
              await step(3);
              await step(6);
              await step(8);
            }
            assert.deepEqual([...ended.keys()].sort(), [...expected].sort());
            for (const [url, times] of ended) assert.equal(times, 1, url);
            await opened.close();
          },
        ),
        { numRuns: propertyRuns(25) },
      );
    });
  });

  concurrencyConformance(engine.name, withFrontier);
  if (engine.claimsAhead !== false) aheadConformance(engine.name, withFrontier);
  crowdConformance(engine.name, withFrontier);
  moveConformance(engine.name, withFrontier);
  if (engine.keepsPages) {
    boundConformance(engine.name, withFrontier);
    revisitConformance(engine.name, withFrontier);
  } else test(`Frontier: ${engine.name}: visits again`, { skip: 'the engine keeps no contents' });
}
