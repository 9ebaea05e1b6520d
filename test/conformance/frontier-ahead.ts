import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { VirtualClock } from '../../src/base/virtual-clock.ts';
import type { Claim } from '../../src/contracts/crawl-task.ts';
import type { Frontier } from '../../src/contracts/frontier.ts';
import type { HostKey } from '../../src/contracts/url.ts';
import { propertyRuns } from '../property-runs.ts';
import { type SuiteOptions, settled, task, type WithFrontier } from './opened-frontier.ts';

const ANY_TIME: SuiteOptions = { politeness: { minimumDelayMs: 0, delayFactor: 0 } };

function atOnce(count: number): SuiteOptions {
  return { ...ANY_TIME, hostConcurrency: () => count };
}

function urls(count: number, host = 'a.test') {
  return Array.from({ length: count }, (_, n) => task(`http://${host}/${n}`));
}

function paths(claims: readonly Claim[]): string[] {
  return claims.map(({ task: { url } }) => new URL(url).pathname);
}

/** As many requests of a host as it may have, which has answered once; that answer is settled. */
async function underWay(frontier: Frontier, clock: VirtualClock): Promise<Claim[]> {
  const [first, ...others] = await frontier.claim(99);
  await frontier.answered([first]);
  const more = await frontier.claim(99);
  await frontier.settle([settled(first, clock)]);
  return [...others, ...more];
}

/** Part of the conformance suite: claims that are given before their requests may begin. */
export function aheadConformance(name: string, withFrontier: WithFrontier): void {
  describe(`Frontier: ${name}: claims ahead of time`, () => {
    test('as many again as may be under way, of a host that has answered', () =>
      withFrontier(atOnce(2), async ({ frontier }, clock) => {
        await frontier.add(urls(9));
        const [first, second] = await frontier.claim(99);
        assert.deepEqual(await frontier.claimAhead(99), [], 'nothing is known of the host');
        await frontier.answered([first]);
        assert.deepEqual(await frontier.claimAhead(99), [], 'a host that is due comes first, be it the same');
        const [third] = await frontier.claim(99);
        const [fourth, ...none] = await frontier.claimAhead(99);
        assert.deepEqual([paths([third, fourth]), none], [['/2', '/3'], []], 'an answer waits to be settled');
        assert.equal(fourth.ahead, true);
        assert.equal((await frontier.counts()).leased, 4);
        assert.deepEqual(await frontier.claim(99), []);
        await frontier.answered([second], [{ claim: fourth, at: clock.now() }]);
        assert.deepEqual(await frontier.claim(99), [], 'it has taken the place of the other');
        await frontier.settle([settled(first, clock), settled(second, clock)]);
        assert.deepEqual(paths(await frontier.claimAhead(99)), ['/4', '/5']);
        assert.deepEqual(await frontier.claimAhead(99), []);
        assert.deepEqual(await frontier.claim(99), []);
      }));

    test('no more than asked for, and of wanted hosts alone', () =>
      withFrontier(atOnce(4), async ({ frontier }, clock) => {
        await frontier.add(urls(20));
        await underWay(frontier, clock);
        assert.deepEqual(await frontier.claimAhead(99, (host) => host !== 'a.test'), []);
        assert.deepEqual(await frontier.claimAhead(0), []);
        assert.equal((await frontier.claimAhead(1)).length, 1);
      }));

    for (const [why, own] of [
      ['that is asked for one thing at a time', { ...ANY_TIME, hostConcurrency: () => 1 }],
      ['that rests between requests', { politeness: { minimumDelayMs: 0, delayFactor: 5 } }],
      ['that shares its leases with others', { ...ANY_TIME, byDomain: true }],
      ['whose pages are counted', { ...ANY_TIME, budgets: { maxPages: 3 } }],
      ['whose bytes are counted', { ...ANY_TIME, budgets: { maxBytes: 1e6 } }],
      ['whose time is counted', { ...ANY_TIME, budgets: { maxMs: 1e6 } }],
    ] as const)
      test(`none of a host ${why}`, () =>
        withFrontier({ hostConcurrency: () => 2, ...own }, async ({ frontier }, clock) => {
          await frontier.add(urls(9));
          const { length } = await underWay(frontier, clock);
          assert.ok(length <= 2);
          assert.deepEqual(await frontier.claimAhead(99), []);
        }));

    test('none while another host is due', () =>
      withFrontier(atOnce(2), async ({ frontier }, clock) => {
        await frontier.add(urls(9));
        await underWay(frontier, clock);
        await frontier.add([task('http://b.test/')]);
        assert.deepEqual(await frontier.claimAhead(99), []);
        assert.deepEqual(
          (await frontier.claim(99)).map((c) => c.task.host),
          ['b.test'],
        );
        assert.equal((await frontier.claimAhead(99)).length, 2);
      }));

    test('none of a host that is held or parked', () =>
      withFrontier(atOnce(2), async ({ frontier }, clock) => {
        const host = 'a.test' as HostKey;
        await frontier.add(urls(9));
        await underWay(frontier, clock);
        await frontier.parkHosts([host], true);
        assert.deepEqual(await frontier.claimAhead(99), []);
        await frontier.parkHosts([host], false);
        await frontier.holdHosts([host], clock.now() + 1000, 'a test');
        assert.deepEqual(await frontier.claimAhead(99), []);
        clock.advance(1000);
        assert.equal((await frontier.claimAhead(99)).length, 2);
      }));

    test('a lease to spare goes to the first that was claimed ahead, once', () =>
      withFrontier(atOnce(2), async ({ frontier }, clock) => {
        await frontier.add(urls(9));
        const [one, two] = await underWay(frontier, clock);
        const ahead = await frontier.claimAhead(99);
        await frontier.settle([settled(one, clock, { outcome: { kind: 'gone', status: 404 } })]);
        assert.ok(((await frontier.nextDue()) ?? Number.POSITIVE_INFINITY) <= clock.now());
        const granted = await frontier.claim(99);
        assert.deepEqual(granted, [ahead[0]]);
        assert.deepEqual(await frontier.claim(99), []);
        // Whoever had begun it by then says so, which changes nothing but for the answer.
        await frontier.answered([two], [{ claim: ahead[0], at: clock.now() }]);
        assert.deepEqual(await frontier.claim(99), [ahead[1]]);
        assert.deepEqual(await frontier.claim(99), []);
        assert.deepEqual(await frontier.settle([two, ...ahead].map((claim) => settled(claim, clock))), [
          'applied',
          'applied',
          'applied',
        ]);
        assert.equal((await frontier.claim(99)).length, 2);
      }));

    test('what goes back is claimed again in its old place, and a host that asks for patience gets it', () =>
      withFrontier(atOnce(2), async ({ frontier }, clock) => {
        await frontier.add(urls(9));
        const [one, two] = await underWay(frontier, clock);
        const ahead = await frontier.claimAhead(99);
        const pushback = { kind: 'busy', why: 'HTTP 429', retryAfterMs: 5000 } as const;
        const use = { fetchMs: 5, bytes: 0, endedAt: clock.now(), pushback };
        const failed = { kind: 'failed', code: 'http-429' } as const;
        await frontier.settle([settled(one, clock, { outcome: failed, use })]);
        assert.deepEqual(await frontier.claim(99), [], 'also of what was claimed ahead');
        await frontier.release(ahead);
        assert.equal((await frontier.counts()).leased, 1);
        await frontier.settle([settled(two, clock)]);
        clock.advance(4999);
        assert.deepEqual(await frontier.claim(99), []);
        clock.advance(1);
        assert.deepEqual(paths(await frontier.claim(99)), paths(ahead));
      }));

    test('one that ends without a request, or runs out, frees no lease of a request', () =>
      withFrontier({ ...atOnce(2), leaseMs: 5000 }, async ({ frontier }, clock) => {
        await frontier.add(urls(9));
        const [one, two] = await underWay(frontier, clock);
        const ahead = await frontier.claimAhead(99);
        await frontier.settle([{ claim: ahead[0], outcome: { kind: 'refused', by: 'robots', rule: 'Disallow: /' } }]);
        assert.deepEqual(await frontier.claim(99), []);
        clock.advanceTo(ahead[1].expiresAt);
        const again = await frontier.claim(99);
        assert.deepEqual(paths(again), paths([one, two]), 'all have run out');
        assert.deepEqual(await frontier.settle([settled(ahead[1], clock)]), ['expired']);
        assert.deepEqual(await frontier.claim(99), []);
      }));

    test('a crash lets them go like others', () =>
      withFrontier({ ...atOnce(2), maxRequestMs: 100 }, async (opened, clock) => {
        await opened.frontier.add(urls(7));
        await underWay(opened.frontier, clock);
        await opened.frontier.claimAhead(99);
        const again = await opened.crash();
        assert.equal((await again.frontier.counts()).leased, 0);
        const done: Claim[] = [];
        for (let turn = 0; turn < 20; turn++) {
          const claims = await again.frontier.claim(99);
          done.push(...claims);
          await again.frontier.settle(claims.map((claim) => settled(claim, clock)));
          clock.advance(1000);
        }
        assert.deepEqual(paths(done).sort(), ['/1', '/2', '/3', '/4', '/5', '/6']);
        await again.close();
      }));

    test('any history: never more requests than allowed, every URL settled once', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 2, max: 4 }),
          fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 10, maxLength: 60 }),
          (limit, steps) =>
            withFrontier({ ...atOnce(limit), leaseMs: 1e9 }, (opened, clock) => live(limit, steps, opened, clock)),
        ),
        { numRuns: propertyRuns(30) },
      );
    });
  });
}

/** Does what workers do, and looks at each step at what is under way. */
async function live(
  limit: number,
  steps: readonly number[],
  first: Parameters<Parameters<WithFrontier>[1]>[0],
  clock: VirtualClock,
): Promise<void> {
  let opened = first;
  const expected = [...urls(15), ...urls(6, 'b.test')];
  await opened.frontier.add(expected);
  const done: string[] = [];
  const asking = new Map<number, Claim>();
  const answered = new Map<number, Claim>();
  const ahead = new Map<number, Claim>();
  const step = async (what: number): Promise<void> => {
    const { frontier } = opened;
    if (what <= 2) {
      for (const claim of await frontier.claim(5)) {
        assert.equal(claim.ahead === true, ahead.delete(claim.id), 'given again, or new');
        asking.set(claim.id, claim);
      }
    } else if (what <= 4) {
      for (const claim of await frontier.claimAhead(5)) ahead.set(claim.id, claim);
    } else if (what <= 6) {
      const [claim] = asking.values();
      if (claim === undefined) return;
      const next = ahead.values().find(({ task: { host } }) => what === 5 && host === claim.task.host);
      asking.delete(claim.id);
      answered.set(claim.id, claim);
      if (next !== undefined) {
        ahead.delete(next.id);
        asking.set(next.id, next);
      }
      await frontier.answered([claim], next === undefined ? [] : [{ claim: next, at: clock.now() }]);
    } else if (what === 7) {
      const [claim] = answered.size > 0 ? answered.values() : asking.values();
      if (claim === undefined) return;
      answered.delete(claim.id);
      asking.delete(claim.id);
      done.push(claim.task.url);
      assert.deepEqual(await frontier.settle([settled(claim, clock)]), ['applied']);
    } else if (what === 8) {
      await frontier.release([...ahead.values()]);
      ahead.clear();
    } else {
      for (const open of [asking, answered, ahead]) open.clear();
      opened = await opened.crash();
    }
    for (const host of ['a.test', 'b.test']) {
      const ofHost = (claims: Map<number, Claim>): number =>
        claims
          .values()
          .filter((claim) => claim.task.host === host)
          .toArray().length;
      assert.ok(ofHost(asking) <= limit, `${host}: ${ofHost(asking)} requests`);
      assert.ok(ofHost(asking) + ofHost(answered) + ofHost(ahead) <= 2 * limit, `${host}: too many leases`);
    }
    const open = [asking, answered, ahead].flatMap((claims) => [...claims.values()]);
    assert.equal(new Set(open.map((c) => c.task.url)).size, open.length, 'one URL leased twice');
    assert.equal((await opened.frontier.counts()).leased, open.length);
  };
  for (const what of steps) await step(what);
  for (let turn = 0; turn < 500 && done.length < expected.length; turn++) {
    for (const what of [0, 3, 7]) await step(what);
    clock.advance(1000);
  }
  assert.deepEqual(done.sort(), expected.map((t) => t.url as string).sort());
  await opened.close();
}
