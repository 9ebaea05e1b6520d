import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Claim, HostUse } from '../../src/contracts/crawl-task.ts';
import type { HostKey } from '../../src/contracts/url.ts';
import { propertyRuns } from '../property-runs.ts';
import { DELAY, drain, type SuiteOptions, settled, task, type WithFrontier } from './opened-frontier.ts';

const NO_DELAY: SuiteOptions = { politeness: { minimumDelayMs: 0, delayFactor: 0 } };

function atOnce(count: number): SuiteOptions {
  return { hostConcurrency: () => count };
}

function urls(count: number, host = 'a.test') {
  return Array.from({ length: count }, (_, n) => task(`http://${host}/${n}`));
}

/** Part of the conformance suite: a host that may have several leases at once. */
export function concurrencyConformance(name: string, withFrontier: WithFrontier): void {
  describe(`Frontier: ${name}: several leases of a host`, () => {
    test('as many as are allowed and no more, each for another URL', () =>
      withFrontier({ ...NO_DELAY, ...atOnce(3) }, async ({ frontier }, clock) => {
        await frontier.add(urls(5));
        const claims = await frontier.claim(9);
        assert.deepEqual(claims.map((c) => c.task.url).sort(), [
          'http://a.test/0',
          'http://a.test/1',
          'http://a.test/2',
        ]);
        assert.deepEqual(await frontier.claim(9), []);
        assert.equal((await frontier.counts()).leased, 3);
        await frontier.settle([settled(claims[1], clock)]);
        assert.deepEqual(
          (await frontier.claim(9)).map((c) => c.task.url),
          ['http://a.test/3'],
        );
        assert.deepEqual(await frontier.settle(claims.map((claim) => settled(claim, clock))), [
          'applied',
          'expired',
          'applied',
        ]);
      }));

    test('a host has no more leases than URLs, and a new one is given out beside them', () =>
      withFrontier({ ...NO_DELAY, ...atOnce(4) }, async ({ frontier }) => {
        await frontier.add(urls(2));
        assert.equal((await frontier.claim(9)).length, 2);
        assert.deepEqual(await frontier.claim(9), []);
        await frontier.add([task('http://a.test/new')]);
        assert.deepEqual(
          (await frontier.claim(9)).map((c) => c.task.url),
          ['http://a.test/new'],
        );
      }));

    test('each host has its own number', () =>
      withFrontier({ ...NO_DELAY, hostConcurrency: (host) => (host === 'own.test' ? 3 : 1) }, async ({ frontier }) => {
        await frontier.add([...urls(5, 'own.test'), ...urls(5, 'other.test')]);
        const hosts = (await frontier.claim(9)).map((c) => c.task.host);
        assert.deepEqual(hosts.sort(), ['other.test', 'own.test', 'own.test', 'own.test']);
      }));

    test('the delay counts between starts, whether requests end or not', () =>
      withFrontier(atOnce(3), async ({ frontier }, clock) => {
        await frontier.add(urls(6));
        assert.equal((await frontier.claim(9)).length, 1);
        assert.equal(await frontier.nextDue(), clock.now() + DELAY);
        clock.advance(DELAY - 1);
        assert.deepEqual(await frontier.claim(9), []);
        clock.advance(1);
        const [second] = await frontier.claim(9);
        assert.equal(second.task.url, 'http://a.test/1');
        clock.advance(400);
        await frontier.settle([settled(second, clock)]);
        assert.equal(await frontier.nextDue(), clock.now() + DELAY - 400, 'its end starts no rest');
      }));

    test('a slow answer and a Crawl-delay keep all starts apart', () =>
      withFrontier(
        { ...atOnce(4), politeness: { minimumDelayMs: 100, delayFactor: 5, maxAdaptiveDelayMs: 4000 } },
        async ({ frontier }, clock) => {
          await frontier.add(urls(9));
          const [first] = await frontier.claim(9);
          const start = clock.now();
          clock.advance(50);
          await frontier.settle([settled(first, clock, { use: { fetchMs: 400, bytes: 1, endedAt: clock.now() } })]);
          assert.equal(await frontier.nextDue(), start + 2000);
          clock.advanceTo(start + 2000);
          const [second] = await frontier.claim(9);
          const robots = { origin: 'http://a.test', fetchedAt: 0, expiresAt: 1e15, why: 'read', redirects: 0 } as const;
          await frontier.settle([
            settled(second, clock, {
              outcome: { kind: 'deferred', why: 'robots.txt' },
              robots: { ...robots, state: 'rules', crawlDelayMs: 60_000 },
            }),
          ]);
          clock.advance(59_999);
          assert.deepEqual(await frontier.claim(9), []);
          clock.advance(1);
          assert.equal((await frontier.claim(9)).length, 1);
        },
      ));

    test('Retry-After holds the host, and trouble of requests that were under way together counts once', () =>
      withFrontier({ ...NO_DELAY, ...atOnce(8) }, async ({ frontier, pages }, clock) => {
        await frontier.add(urls(20));
        const claims = await frontier.claim(9);
        assert.equal(claims.length, 8);
        clock.advance(10);
        const use = (pushback: HostUse['pushback']): HostUse => ({
          fetchMs: 5,
          bytes: 0,
          endedAt: clock.now(),
          pushback,
        });
        const failed = { outcome: { kind: 'failed', code: 'http-5xx' } as const, nextVisit: clock.now() };
        const down = { kind: 'unreachable', why: 'connection refused' } as const;
        await frontier.settle(claims.slice(0, 7).map((claim) => settled(claim, clock, { ...failed, use: use(down) })));
        const host = await pages.host('a.test' as HostKey);
        assert.deepEqual([host?.pushbacks, host?.parked], [1, undefined]);
        clock.advance(1);
        const busy = { kind: 'busy', why: 'HTTP 429', retryAfterMs: 500_000 } as const;
        await frontier.settle([settled(claims[7], clock, { ...failed, use: use(busy) })]);
        clock.advance(499_999);
        assert.deepEqual(await frontier.claim(9), []);
        clock.advance(1);
        assert.equal((await frontier.claim(9)).length, 8);
      }));

    test('a claim that sent no request leaves the clock as it was, and keeps its place', () =>
      withFrontier(atOnce(2), async ({ frontier }, clock) => {
        await frontier.add([task('http://a.test/1', { lane: 1 }), task('http://a.test/2', { lane: 3 })]);
        const [first] = await frontier.claim(9);
        await frontier.release([first]);
        const [again] = await frontier.claim(9);
        assert.equal(again.task.url, first.task.url);
        await frontier.settle([{ claim: again, outcome: { kind: 'deferred', why: 'robots.txt is awaited' } }]);
        const [third] = await frontier.claim(9);
        assert.equal(third.task.url, first.task.url);
        await frontier.settle([{ claim: third, outcome: { kind: 'refused', by: 'robots', rule: 'Disallow: /' } }]);
        assert.equal((await frontier.claim(9))[0].task.url, 'http://a.test/2');
        assert.equal(await frontier.nextDue(), clock.now() + 600_000, 'nothing but the end of a lease');
      }));

    test('a URL that is deferred comes before less urgent ones that were claimed beside it', () =>
      withFrontier({ ...NO_DELAY, ...atOnce(2) }, async ({ frontier }, clock) => {
        await frontier.add([0, 4, 5, 6].map((lane) => task(`http://a.test/${lane}`, { lane })));
        await frontier.add([task('http://b.test/1', { lane: 1 })]);
        const claims = await frontier.claim(9);
        const of = (url: string) => claims.find((c) => c.task.url === url) as Claim;
        const deferred = settled(of('http://a.test/0'), clock, { outcome: { kind: 'deferred', why: 'robots.txt' } });
        await frontier.settle([deferred, settled(of('http://b.test/1'), clock)]);
        await frontier.add([task('http://b.test/2', { lane: 2 })]);
        assert.equal((await frontier.claim(1))[0].task.url, 'http://a.test/0');
      }));

    test('leases run out one by one, and a restart lets the host rest once', () =>
      withFrontier({ ...atOnce(2), leaseMs: 5000 }, async (opened, clock) => {
        const { frontier } = opened;
        await frontier.add(urls(4));
        const [first] = await frontier.claim(9);
        clock.advance(DELAY);
        const [second] = await frontier.claim(9);
        clock.advanceTo(first.expiresAt);
        assert.deepEqual(await frontier.claim(9), []);
        assert.equal((await frontier.counts()).leased, 1);
        assert.deepEqual(await frontier.settle([settled(first, clock), settled(second, clock)]), [
          'expired',
          'applied',
        ]);
        clock.advance(DELAY);
        const [third] = await frontier.claim(9);
        assert.equal(third.task.url, first.task.url);
        clock.advance(DELAY);
        assert.equal((await frontier.claim(9)).length, 1);
        const again = await opened.crash();
        assert.deepEqual(await again.frontier.claim(9), []);
        clock.advance(DELAY);
        assert.equal((await again.frontier.claim(9))[0].task.url, first.task.url);
        await again.close();
      }));

    test('URLs of a host that another claim has are neither taken along nor settled along', () =>
      withFrontier({ ...NO_DELAY, ...atOnce(2) }, async ({ frontier }, clock) => {
        await frontier.add(urls(4));
        const [first] = await frontier.claim(1);
        const along = await frontier.claimAlong(first, 9);
        assert.deepEqual(
          along.map((c) => c.task.url),
          ['http://a.test/1', 'http://a.test/2', 'http://a.test/3'],
        );
        const [second] = await frontier.claim(1);
        const refused = { kind: 'refused', by: 'robots', rule: 'Disallow: /' } as const;
        assert.deepEqual(await frontier.settle(along.map((claim) => ({ claim, outcome: refused }))), [
          'expired',
          'applied',
          'applied',
        ]);
        assert.deepEqual(await frontier.settle([settled(second, clock), settled(first, clock)]), [
          'applied',
          'applied',
        ]);
        assert.equal((await frontier.counts()).queued, 0);
      }));

    test('a request that is answered makes room for the next, before it is settled', () =>
      withFrontier({ ...NO_DELAY, ...atOnce(2) }, async ({ frontier }, clock) => {
        await frontier.add(urls(9));
        const first = await frontier.claim(9);
        await frontier.answered(first);
        await frontier.answered(first);
        assert.equal((await frontier.counts()).leased, 2, 'the leases stay');
        assert.deepEqual(await frontier.claim(9), [], 'no more answers wait than requests may be under way');
        await frontier.settle([settled(first[0], clock)]);
        const second = await frontier.claim(9);
        assert.deepEqual(
          second.map((c) => c.task.url),
          ['http://a.test/2', 'http://a.test/3'],
        );
        assert.deepEqual(await frontier.claim(9), [], 'two requests may be under way');
        await frontier.answered([second[1]]);
        assert.deepEqual(await frontier.claim(9), []);
        assert.deepEqual(await frontier.settle([first[1], ...second].map((claim) => settled(claim, clock))), [
          'applied',
          'applied',
          'applied',
        ]);
        assert.equal((await frontier.claim(9)).length, 2);
      }));

    test('an answered request still starts no other before the delay, and none where there is one at a time', () =>
      withFrontier({ hostConcurrency: (host) => (host === 'a.test' ? 2 : 1) }, async ({ frontier }, clock) => {
        await frontier.add([...urls(3), ...urls(3, 'b.test')]);
        const claims = await frontier.claim(9);
        assert.equal(claims.length, 2);
        await frontier.answered(claims);
        assert.deepEqual(await frontier.claim(9), []);
        clock.advance(DELAY);
        assert.deepEqual(
          (await frontier.claim(9)).map((c) => c.task.host),
          ['a.test'],
        );
      }));

    test('an answered lease that runs out or is given back frees nothing twice', () =>
      withFrontier({ ...NO_DELAY, ...atOnce(2), byDomain: true, leaseMs: 5000 }, async ({ frontier }, clock) => {
        await frontier.add([...urls(4, 'x.example.com'), ...urls(4, 'y.example.com')]);
        const claims = await frontier.claim(9);
        assert.equal(claims.length, 2);
        await frontier.answered(claims);
        await frontier.release([claims[0]]);
        clock.advance(1000);
        const more = await frontier.claim(9);
        assert.equal(more.length, 2, 'of the domain, whatever host');
        clock.advanceTo(claims[1].expiresAt);
        assert.deepEqual(await frontier.claim(9), [], 'two are under way');
        assert.equal((await frontier.counts()).leased, 2);
        await frontier.settle(more.map((claim) => settled(claim, clock)));
        assert.equal((await frontier.claim(9)).length, 2);
      }));

    test('by domain: hosts of a domain share as many leases', () =>
      withFrontier({ ...NO_DELAY, ...atOnce(3), byDomain: true }, async (opened, clock) => {
        const { frontier } = opened;
        await frontier.add(['x', 'y', 'z'].flatMap((n) => urls(3, `${n}.example.com`)));
        const claims = await frontier.claim(20);
        assert.equal(claims.length, 3);
        await frontier.settle(claims.map((claim) => settled(claim, clock)));
        assert.equal((await drain(opened, clock)).length, 6);
      }));

    test('any history: never more than allowed, starts a delay apart, every URL settled once', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 2, max: 4 }),
          fc.constantFrom(0, 300),
          fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 10, maxLength: 60 }),
          (limit, delay, steps) =>
            withFrontier(
              { ...atOnce(limit), politeness: { minimumDelayMs: delay, delayFactor: 0 }, leaseMs: 1e9 },
              async (first, clock) => {
                let opened = first;
                const expected = [...urls(12), ...urls(7, 'b.test')];
                await opened.frontier.add(expected);
                const done: string[] = [];
                const starts = new Map<string, number>();
                let open: Claim[] = [];
                const answered = new Set<Claim>();
                const step = async (what: number): Promise<void> => {
                  if (what <= 4) {
                    for (const claim of await opened.frontier.claim(5)) {
                      const { host } = claim.task;
                      assert.ok(
                        clock.now() - (starts.get(host) ?? Number.NEGATIVE_INFINITY) >= delay,
                        `${host} too soon`,
                      );
                      starts.set(host, clock.now());
                      open.push(claim);
                    }
                    for (const host of ['a.test', 'b.test']) {
                      const ofHost = open.filter((c) => c.task.host === host);
                      const waiting = ofHost.filter((claim) => answered.has(claim)).length;
                      assert.ok(ofHost.length - waiting <= limit && waiting < 2 * limit, `${host} too often`);
                    }
                    assert.equal(new Set(open.map((c) => c.task.url)).size, open.length, 'one URL leased twice');
                  } else if (what <= 6) {
                    const [claim, ...others] = open;
                    if (claim === undefined) return;
                    open = others;
                    done.push(claim.task.url);
                    assert.deepEqual(await opened.frontier.settle([settled(claim, clock)]), ['applied']);
                  } else if (what === 7) {
                    await opened.frontier.release(open.splice(0, 1));
                    // Nobody was asked, so nothing is known of when it may be asked next.
                    starts.clear();
                  } else if (what === 8) {
                    clock.advance(100);
                  } else if (what === 9) {
                    const some = open.filter((_, at) => at % 2 === 0);
                    await opened.frontier.answered(some);
                    for (const claim of some) answered.add(claim);
                  } else {
                    open = [];
                    opened = await opened.crash();
                    starts.clear();
                  }
                };
                for (const what of steps) await step(what);
                for (let turn = 0; turn < 500 && done.length < expected.length; turn++) {
                  await step(0);
                  await step(5);
                  await step(8);
                }
                assert.deepEqual(done.sort(), expected.map((t) => t.url as string).sort());
                await opened.close();
              },
            ),
        ),
        { numRuns: propertyRuns(30) },
      );
    });
  });
}
