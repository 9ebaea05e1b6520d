import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../../../src/base/seeded-random.ts';
import { VirtualClock } from '../../../src/base/virtual-clock.ts';
import type { Claim, CrawlTask } from '../../../src/contracts/crawl-task.ts';
import type { CanonicalUrl, HostKey } from '../../../src/contracts/url.ts';
import { compareFrontiers } from '../../../src/laboratory/queues/compare-frontiers.ts';
import { MercatorFrontier } from '../../../src/laboratory/queues/mercator-frontier.ts';
import { RecordedGraphBuilder } from '../../../src/laboratory/replay/recorded-graph.ts';
import { callProgram } from '../../called-program.ts';
import { propertyRuns } from '../../property-runs.ts';

const task = (name: string, host: string, lane = 0): CrawlTask => ({
  ...{ url: `http://${host}/${name}` as CanonicalUrl, host: host as HostKey, depth: 1, redirects: 0, lane },
  fingerprint: BigInt(`0x${Buffer.from(`${host}${name}`).toString('hex')}`),
  ...({ discovery: { how: 'seed' }, purpose: 'page' } as const),
});

function mercator(clock: VirtualClock, backQueues: number, restMs = 0, choice: 'strict' | 'biased' = 'strict') {
  return new MercatorFrontier({ clock, lanes: 3, choice, backQueues, restMs, random: seededRandom(1) });
}

const settled = (claims: readonly Claim[], endedAt: number) =>
  claims.map((claim) => ({ claim, outcome: { kind: 'stored' as const }, use: { fetchMs: 1, bytes: 0, endedAt } }));

const names = (claims: readonly Claim[]): string[] => claims.map(({ task: { url } }) => new URL(url).pathname.slice(1));

describe("Mercator's frontier, as it is taught", () => {
  test('a back queue has one host; URLs of a host that has a queue join it, and the next host is pulled', async () => {
    const clock = new VirtualClock();
    await using frontier = mercator(clock, 2);
    const tasks = [task('a1', 'a'), task('a2', 'a'), task('b1', 'b', 1), task('c1', 'c', 2), task('a3', 'a', 2)];
    await frontier.add(tasks);
    assert.deepEqual(await frontier.add([task('a1', 'a')]), ['known']);
    const first = await frontier.claim(9);
    assert.deepEqual(names(first), ['a1', 'b1'], 'one URL of each of two hosts; a third has no queue');
    assert.deepEqual(await frontier.claim(9), [], 'while a URL is fetched its queue takes no part');
    await frontier.settle(settled(first, clock.now()));
    assert.deepEqual(names(await frontier.claim(9)).sort(), ['a2', 'c1'], 'the queue of b was empty and has taken c');
  });

  test('a more urgent URL does not overtake what lies in a back queue, but comes before what waits in front', async () => {
    const clock = new VirtualClock();
    await using frontier = mercator(clock, 2);
    await frontier.add([task('slow1', 'a', 2), task('slow2', 'a', 2), task('other', 'b', 2), task('late', 'd', 2)]);
    const order: string[][] = [];
    for (let claims = await frontier.claim(2); claims.length > 0; claims = await frontier.claim(2)) {
      order.push(names(claims).sort());
      if (order.length === 1) await frontier.add([task('urgent', 'a', 0), task('next', 'c', 0)]);
      clock.advance(1);
      await frontier.settle(settled(claims, clock.now()));
    }
    // slow2 came into the queue of its host when the second queue was filled; urgent joins it there, and next goes before late.
    assert.deepEqual(order, [
      ['other', 'slow1'],
      ['next', 'slow2'],
      ['late', 'urgent'],
    ]);
  });

  test('whatever comes when: every URL once, no host before its rest is over, no more hosts at once than queues', async () => {
    const added = fc.record({ host: fc.integer({ min: 0, max: 6 }), lane: fc.integer({ min: 0, max: 4 }) });
    const rounds = fc.array(fc.array(added, { maxLength: 8 }), { minLength: 1, maxLength: 8 });
    const how = fc.record({
      backQueues: fc.integer({ min: 1, max: 5 }),
      threads: fc.integer({ min: 1, max: 6 }),
      restMs: fc.integer({ min: 0, max: 12 }),
      choice: fc.constantFrom('strict' as const, 'biased' as const),
    });
    await fc.assert(
      fc.asyncProperty(rounds, how, async (batches, { backQueues, threads, restMs, choice }) => {
        const clock = new VirtualClock();
        await using frontier = mercator(clock, backQueues, restMs, choice);
        const endedAt = new Map<string, number>();
        const fetched: string[] = [];
        const wanted: string[] = [];
        for (let round = 0; ; round++) {
          const tasks = (batches[round] ?? []).map(({ host, lane }, at) => task(`${round}-${at}`, `h${host}`, lane));
          wanted.push(...tasks.map(({ url }) => url));
          await frontier.add(tasks);
          const claims = await frontier.claim(threads);
          assert.ok(claims.length <= Math.min(threads, backQueues));
          assert.equal(new Set(claims.map(({ task: { host } }) => host)).size, claims.length);
          for (const {
            task: { host, url },
          } of claims) {
            assert.ok(clock.now() >= (endedAt.get(host) ?? 0) + (endedAt.has(host) ? restMs : 0), url);
            fetched.push(url);
          }
          clock.advance(1);
          for (const {
            task: { host },
          } of claims)
            endedAt.set(host, clock.now());
          await frontier.settle(settled(claims, clock.now()));
          if (claims.length > 0 || round < batches.length) continue;
          const due = await frontier.nextDue();
          if (due === undefined) break;
          if (due > clock.now()) clock.advanceTo(due);
        }
        assert.deepEqual(fetched.sort(), wanted.sort());
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

/** A page that links to the first page of each host, and that to all others of the host. */
function star(hosts: number, pagesPerHost: number) {
  const builder = new RecordedGraphBuilder();
  const urls = ['http://hub.test/'];
  for (let host = 0; host < hosts; host++) {
    for (let page = 0; page < pagesPerHost; page++) {
      const first = 1 + host * pagesPerHost;
      builder.add(page === 0 ? 0 : first, first + page);
      urls.push(`http://h${host}.test/${page}`);
    }
  }
  return builder.build(urls);
}

describe('frontiers compared', () => {
  test('threads are busy as far as back queues reach: B / (threads × (rest + 1))', async () => {
    const graph = star(100, 20);
    const measures = await compareFrontiers(graph, {
      ...{
        threads: 10,
        backQueues: [1, 3, 10],
        choices: ['strict'],
        rest: 9,
        orders: ['breadth-first'],
        seeds: [0],
        seed: 1,
      },
    });
    assert.deepEqual(
      measures.map(({ backQueues, requests }) => [backQueues, requests]),
      [undefined, 10, 30, 100].map((count) => [count, 2001]),
    );
    const [ours, one, three, ten] = measures.map(({ busy }) => busy);
    assert.ok(Math.abs(one - 0.1) < 0.01, `B = threads: ${one}`);
    assert.ok(Math.abs(three - 0.3) < 0.05, `B = 3 threads: ${three}`);
    // A hundred hosts that rest nine times as long as they are asked keep ten threads busy.
    for (const busy of [ours, ten]) assert.ok(busy > 0.85, `a queue for every host: ${busy}`);
    assert.deepEqual(
      measures.map(({ boundShare }) => boundShare === undefined),
      [true, false, false, false],
    );
  });

  test('the command takes its settings, and says what it cannot do', async () => {
    const spec = ['--spec', '{"hosts": 12, "pagesPerHost": 5}'];
    const run = await callProgram([
      'simulate',
      'run',
      ...spec,
      '--frontier',
      '4',
      '--back-queues',
      '3',
      '--rest',
      '2',
      '--order',
      'breadth-first',
      '--json',
    ]);
    assert.equal(run.status, 0, run.stderr);
    const { frontiers } = JSON.parse(run.stdout);
    assert.deepEqual(
      frontiers.map(({ choice, backQueues }: { choice: string; backQueues?: number }) => [choice, backQueues]),
      [
        ['strict', undefined],
        ['strict', 12],
        ['biased', undefined],
        ['biased', 12],
      ],
    );
    const refused = async (...flags: string[]) => (await callProgram(['simulate', 'run', ...spec, ...flags])).stderr;
    assert.match(await refused('--back-queues', '3'), /USAGE: --back-queues is a setting of --frontier/);
    assert.match(await refused('--frontier', '--lane-choice', 'random'), /takes strict or biased/);
    assert.match(await refused('--frontier', '--policy', 'age'), /--frontier goes without --policy/);
    assert.match(await refused('--frontier', '--cluster'), /goes without/);
  });
});
