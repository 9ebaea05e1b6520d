import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fingerprint } from '../../src/base/fingerprint.ts';
import type { PlaceChange } from '../../src/contracts/place.ts';
import type { CanonicalUrl } from '../../src/contracts/url.ts';
import { propertyRuns } from '../property-runs.ts';
import { DELAY, drain, type OpenedFrontier, settled, task, type WithFrontier } from './opened-frontier.ts';

function to(url: string, lane: number, why = `lane ${lane}`): PlaceChange {
  return { fingerprint: fingerprint(url), lane, why };
}

/** Lanes of everything that waits and was never visited. */
function lanes({ frontier }: OpenedFrontier): Record<string, number> {
  const names = ['a', 'b', 'c'].flatMap((h) => [1, 2, 3].map((n) => `http://${h}.test/${n}`));
  const urls = new Map(names.map((url) => [fingerprint(url), url]));
  return Object.fromEntries(
    [...frontier.waiting()].map(({ fingerprint: fp, lane }) => [urls.get(fp) ?? String(fp), lane]),
  );
}

/** Part of the conformance suite: URLs that wait get another place. */
export function moveConformance(name: string, withFrontier: WithFrontier): void {
  describe(`Frontier: ${name}: moves`, () => {
    test('a URL that waits is moved forth and back, keeps its age, and says why', () =>
      withFrontier({ movable: true }, async (opened, clock) => {
        const { frontier, pages } = opened;
        await frontier.add([1, 2, 3].map((n) => task(`http://a.test/${n}`, { lane: 4, why: 'found late' })));
        assert.equal((await pages.page('http://a.test/3' as CanonicalUrl))?.place?.why, 'found late');
        assert.equal(await frontier.move([to('http://a.test/3', 1, '9 links to it'), to('http://a.test/1', 6)]), 2);
        assert.deepEqual((await pages.page('http://a.test/3' as CanonicalUrl))?.place, {
          lane: 1,
          why: '9 links to it',
        });
        assert.equal(await frontier.move([to('http://a.test/2', 6), to('http://a.test/2', 6, 'again')]), 1);
        const [claim] = await frontier.claim(1);
        assert.deepEqual([claim.task.url, claim.task.why], ['http://a.test/3', '9 links to it']);
        await frontier.settle([settled(claim, clock)]);
        assert.deepEqual(await drain(opened, clock), ['http://a.test/1', 'http://a.test/2']);
      }));

    test('what is under way, settled or unknown is not moved', () =>
      withFrontier({ movable: true }, async ({ frontier }, clock) => {
        await frontier.add([1, 2].map((n) => task(`http://a.test/${n}`, { lane: 3 })));
        const [claim] = await frontier.claim(1);
        assert.equal(await frontier.move([to('http://a.test/1', 0), to('http://x.test/', 0)]), 0);
        await frontier.settle([settled(claim, clock)]);
        assert.equal(await frontier.move([to('http://a.test/1', 0)]), 0);
        clock.advance(DELAY);
        assert.equal((await frontier.claim(1))[0].task.url, 'http://a.test/2');
      }));

    test('a host that became more urgent while it waited goes before the others', () =>
      withFrontier({ movable: true }, async ({ frontier }) => {
        await frontier.add(['a', 'b', 'c'].map((h) => task(`http://${h}.test/1`, { lane: 5 })));
        // They all stand in line by now.
        await frontier.release(await frontier.claim(1));
        await frontier.move([to('http://c.test/1', 1), to('http://a.test/1', 6)]);
        const order = [];
        for (let turn = 0; turn < 3; turn++) order.push((await frontier.claim(1))[0].task.host);
        assert.deepEqual(order, ['c.test', 'b.test', 'a.test']);
      }));

    test('a place in line that a host left behind does not bring it forward later', () =>
      withFrontier({ movable: true }, async ({ frontier }, clock) => {
        const urls = { 'http://a.test/1': 5, 'http://a.test/2': 7, 'http://b.test/1': 0, 'http://b.test/2': 6 };
        await frontier.add(Object.entries(urls).map(([url, lane]) => task(url, { lane })));
        await frontier.release(await frontier.claim(1));
        await frontier.move([to('http://a.test/1', 1)]);
        const order: string[] = [];
        for (let turn = 0; turn < 4; turn++) {
          const [claim] = await frontier.claim(1);
          order.push(claim.task.url);
          await frontier.settle([settled(claim, clock)]);
          if (turn === 1) clock.advance(DELAY);
        }
        assert.deepEqual(order, ['http://b.test/1', 'http://a.test/1', 'http://b.test/2', 'http://a.test/2']);
      }));

    test('a settlement moves URLs in its own step, and places survive a crash', () =>
      withFrontier({ movable: true }, async (opened, clock) => {
        const { frontier } = opened;
        await frontier.add([task('http://a.test/1'), task('http://b.test/1', { lane: 4, offTopic: 2, why: 'so' })]);
        const [claim] = await frontier.claim(1);
        const links = [task('http://c.test/1', { lane: 7, why: 'new' })];
        await frontier.settle([
          settled(claim, clock, { links, moves: [to('http://b.test/1', 2), to('http://c.test/1', 1)] }),
        ]);
        const again = await opened.crash();
        assert.deepEqual(lanes(again), { 'http://b.test/1': 2, 'http://c.test/1': 1 });
        clock.advance(DELAY);
        const [first] = await again.frontier.claim(1);
        const [second] = await again.frontier.claim(1);
        assert.deepEqual(
          [first.task.url, second.task.url, second.task.why, second.task.offTopic],
          ['http://c.test/1', 'http://b.test/1', 'lane 2', 2],
        );
        await again.close();
      }));

    test('a URL that is to be tried again returns to the lane it was moved to', () =>
      withFrontier({ movable: true }, async ({ frontier }, clock) => {
        await frontier.add([task('http://a.test/1', { lane: 5 }), task('http://a.test/2', { lane: 6 })]);
        const [claim] = await frontier.claim(1);
        const nextVisit = clock.now() + 5000;
        await frontier.settle([settled(claim, clock, { outcome: { kind: 'failed', code: 'reset' }, nextVisit })]);
        assert.equal(await frontier.move([to('http://a.test/1', 7)]), 1);
        assert.equal(
          await frontier.updateRevisits([{ fingerprint: fingerprint('http://a.test/1'), at: 0, why: '' }]),
          0,
        );
        clock.advance(5000);
        assert.deepEqual((await frontier.claim(1))[0].task.url, 'http://a.test/2');
      }));

    test('a frontier that was not movable becomes so, and back', () =>
      withFrontier({}, async (opened, clock) => {
        await opened.frontier.add([task('http://a.test/1', { lane: 3 }), task('http://b.test/1', { lane: 4 })]);
        assert.deepEqual([...opened.frontier.waiting()], []);
        assert.equal(await opened.frontier.move([to('http://a.test/1', 0)]), 0);
        const movable = await opened.crash({ movable: true });
        assert.deepEqual(lanes(movable), { 'http://a.test/1': 3, 'http://b.test/1': 4 });
        assert.equal(await movable.frontier.move([to('http://b.test/1', 1)]), 1);
        const fixed = await movable.crash({});
        const [claim] = await fixed.frontier.claim(1);
        assert.equal(claim.task.url, 'http://b.test/1');
        await fixed.frontier.settle([settled(claim, clock)]);
        const again = await fixed.crash({ movable: true });
        assert.deepEqual(lanes(again), { 'http://a.test/1': 3 }, 'what happened meanwhile is known');
        await again.close();
      }));

    test('any adds and moves: URLs come in the order of their lanes, on a host and across hosts', async () => {
      const step = fc.record({
        h: fc.integer({ min: 0, max: 3 }),
        n: fc.integer({ min: 0, max: 5 }),
        lane: fc.integer({ min: 0, max: 9 }),
        what: fc.constantFrom('add', 'move', 'move', 'look', 'crash'),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 50 }), (steps) =>
          withFrontier({ movable: true }, async (first, clock) => {
            let opened = first;
            const expected = new Map<string, { lane: number; age: number }>();
            for (const { h, n, lane, what } of steps) {
              const url = `http://h${h}.test/${n}`;
              const known = expected.get(url);
              if (what === 'add') {
                await opened.frontier.add([task(url, { lane })]);
                if (known === undefined) expected.set(url, { lane: Math.min(lane, 7), age: expected.size });
              } else if (what === 'move') {
                const moved = await opened.frontier.move([to(url, lane)]);
                assert.equal(moved, known === undefined || known.lane === Math.min(lane, 7) ? 0 : 1);
                if (known !== undefined) known.lane = Math.min(lane, 7);
              } else if (what === 'look') await opened.frontier.release(await opened.frontier.claim(2));
              else opened = await opened.crash();
            }
            await drainInOrder(opened, clock.advance.bind(clock), expected, clock);
            await opened.close();
          }),
        ),
        { numRuns: propertyRuns(40) },
      );
    });
  });
}

/** Every round all hosts are due: each gives its best URL, the best of all first. */
async function drainInOrder(
  { frontier }: OpenedFrontier,
  advance: (ms: number) => void,
  expected: Map<string, { lane: number; age: number }>,
  clock: Parameters<typeof settled>[1],
): Promise<void> {
  while (expected.size > 0) {
    advance(DELAY);
    const claims = await frontier.claim(10);
    const byHost = new Map<string, string>();
    for (const [url, { lane, age }] of expected) {
      const { host } = new URL(url);
      const best = expected.get(byHost.get(host) ?? '');
      if (best === undefined || lane < best.lane || (lane === best.lane && age < best.age)) byHost.set(host, url);
    }
    assert.deepEqual(claims.map((claim) => claim.task.url).sort(), [...byHost.values()].sort());
    const order = claims.map((claim) => expected.get(claim.task.url)?.lane ?? -1);
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    );
    await frontier.settle(claims.map((claim) => settled(claim, clock)));
    for (const claim of claims) expected.delete(claim.task.url);
  }
  assert.equal((await frontier.counts()).queued, 0);
  assert.deepEqual([...frontier.waiting()], []);
}
