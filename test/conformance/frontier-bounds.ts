import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VirtualClock } from '../../src/base/virtual-clock.ts';
import type { Claim, CrawlTask } from '../../src/contracts/crawl-task.ts';
import { type OpenedFrontier, settled, task, type WithFrontier } from './opened-frontier.ts';

/** Long enough that whoever was put off is looked at again. */
const LATER = 1000;

function hosts(domain: string, count: number): CrawlTask[] {
  return Array.from({ length: count }, (_, at) => task(`http://h${at}.${domain}/`));
}

async function claimLater({ frontier }: OpenedFrontier, clock: VirtualClock): Promise<Claim[]> {
  clock.advance(LATER);
  return frontier.claim(99);
}

/** Part of the conformance suite: what a claim bounds over all hosts, by the leases that are under way. */
export function boundConformance(name: string, withFrontier: WithFrontier): void {
  describe(`Frontier, bounds of the claim: ${name}`, () => {
    test('few new hosts of a domain are claimed before one of them has answered, more with each that has', () =>
      withFrontier({ paceNewHosts: true }, async (opened, clock) => {
        const { frontier } = opened;
        await frontier.add([...hosts('crowd.example', 9), ...hosts('other.example', 2)]);
        const first = await frontier.claim(99);
        const crowd = first.filter(({ task: { host } }) => host.endsWith('crowd.example'));
        assert.deepEqual([crowd.length, first.length], [3, 5]);
        assert.deepEqual(await claimLater(opened, clock), [], 'nobody has answered');
        const failed = { outcome: { kind: 'failed', code: 'connect-refused' } } as const;
        await frontier.settle([settled(crowd[0], clock, failed)]);
        const [next, ...others] = await claimLater(opened, clock);
        assert.deepEqual(others, [], 'a host that does not answer leaves its place to one other');
        await frontier.settle([settled(next, clock)]);
        assert.equal((await claimLater(opened, clock)).length, 2, 'one more may be asked at once');
      }));

    test('a place is free again when a lease is given back or runs out, and after a crash', () =>
      withFrontier({ paceNewHosts: true, leaseMs: 60_000 }, async (opened, clock) => {
        const { frontier } = opened;
        await frontier.add(hosts('crowd.example', 9));
        const [given] = await frontier.claim(99);
        await frontier.release([given]);
        assert.equal((await claimLater(opened, clock)).length, 1);
        clock.advance(60_000);
        // Hosts whose lease ran out rest from then on.
        assert.equal((await claimLater(opened, clock)).length + (await claimLater(opened, clock)).length, 3);
        const again = await opened.crash();
        clock.advance(60_000);
        assert.equal((await claimLater(again, clock)).length, 3);
        await again.close();
      }));

    test('a host that has answered is never put off', () =>
      withFrontier({ paceNewHosts: true }, async (opened, clock) => {
        const { frontier } = opened;
        await frontier.add([task('http://h0.crowd.example/')]);
        const [known] = await frontier.claim(1);
        await frontier.settle([settled(known, clock)]);
        await frontier.add([...hosts('crowd.example', 9), task('http://h0.crowd.example/2')]);
        const claims = await claimLater(opened, clock);
        assert.ok(claims.some(({ task: { url } }) => url === 'http://h0.crowd.example/2'));
        assert.equal(claims.length, 5);
      }));

    test('without the option hosts of a domain are claimed together', () =>
      withFrontier({}, async ({ frontier }) => {
        await frontier.add(hosts('crowd.example', 9));
        assert.equal((await frontier.claim(99)).length, 9);
      }));

    test('new pages under way count against maxPages; one that fails leaves its place to another', () =>
      withFrontier({ movable: true, revisits: true, maxPages: 2 }, async (opened, clock) => {
        const { frontier } = opened;
        await frontier.add(hosts('pages.example', 5));
        const [first, second, ...none] = await frontier.claim(99);
        assert.deepEqual([none.length, (await claimLater(opened, clock)).length], [0, 0]);
        await frontier.settle([
          settled(first, clock, { outcome: { kind: 'failed', code: 'http-404' } }),
          settled(second, clock, { nextVisit: clock.now() + 10 * LATER }),
        ]);
        const [third, ...more] = await claimLater(opened, clock);
        assert.equal(more.length, 0);
        await frontier.settle([settled(third, clock, { nextVisit: clock.now() + 10 * LATER })]);
        assert.deepEqual(await claimLater(opened, clock), [], 'as many pages are kept as may be');
        clock.advance(10 * LATER);
        const again = await claimLater(opened, clock);
        assert.deepEqual(again.map(({ task: { url } }) => url).sort(), [second.task.url, third.task.url].sort());
      }));

    test('a page that was visited and never kept counts as new against maxPages', () =>
      withFrontier({ movable: true, revisits: true, maxPages: 2 }, async (opened, clock) => {
        const { frontier } = opened;
        const kept = task('http://kept.example/');
        const absent = [task('http://kept.example/gone'), ...hosts('absent.example', 3)];
        const nextVisit = clock.now() + 60 * LATER;
        await frontier.add([kept, ...absent]);
        const outcomes = [
          { kind: 'gone', status: 404 },
          { kind: 'failed', code: 'http-503' },
        ] as const;
        for (let left = 1 + absent.length; left > 0; ) {
          const claims = await claimLater(opened, clock);
          const settlements = claims.map((claim) => {
            left--;
            const outcome = claim.task.url === kept.url ? { kind: 'stored' as const } : outcomes[left % 2];
            return settled(claim, clock, { outcome, nextVisit });
          });
          await frontier.settle(settlements);
        }
        clock.advanceTo(nextVisit);
        const due = [...(await claimLater(opened, clock)), ...(await claimLater(opened, clock))];
        const fresh = due.filter(({ task: { url } }) => url !== kept.url);
        assert.equal(fresh.length, 1, 'one place is left');
        const later = nextVisit + 60 * LATER;
        await frontier.settle(due.map((claim) => settled(claim, clock, { nextVisit: later })));
        assert.equal((await frontier.counts()).kept, 2);
        const shown: string[] = [];
        for (let turn = 0; turn < 5; turn++) {
          const claims = await claimLater(opened, clock);
          shown.push(...claims.map(({ task: { url } }) => url));
          await frontier.settle(claims.map((claim) => settled(claim, clock, { nextVisit: later })));
        }
        assert.deepEqual(
          shown.filter((url) => url !== kept.url),
          [],
          'as many pages are kept as may be',
        );
        clock.advanceTo(later);
        const again = await claimLater(opened, clock);
        assert.deepEqual(again.map(({ task: { url } }) => url).sort(), [kept.url, fresh[0].task.url].sort());
        await frontier.settle(again.map((claim) => settled(claim, clock)));
        assert.deepEqual(await claimLater(opened, clock), []);
        const { queued, parked } = await frontier.counts();
        assert.deepEqual([queued, parked], [3, 3], 'those that may not be taken are parked, so that a crawl ends');
      }));
  });
}
