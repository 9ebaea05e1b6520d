import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../../../../src/base/seeded-random.ts';
import type { HostUse, Settlement } from '../../../../src/contracts/crawl-task.ts';
import { AnswerTimes } from '../../../../src/crawl/nodes/answer-times.ts';
import { assignNearest, ENOUGH_ANSWERS, type NearNode } from '../../../../src/crawl/nodes/assign-nearest.ts';
import { assignPartitions } from '../../../../src/crawl/nodes/assign-partitions.ts';
import { propertyRuns } from '../../../property-runs.ts';

const STORED = { kind: 'stored' } as const;
const answered = (fetchMs: number, more: Partial<HostUse> = {}): Pick<Settlement, 'use' | 'outcome'> => ({
  use: { fetchMs, bytes: 1, endedAt: 0, ...more },
  outcome: STORED,
});

type Owners = readonly (string | undefined)[];

/** Nodes crawl for so long between two looks at each other that each knows how near its partitions are. */
function crawlOn(owners: Owners, times: Map<string, AnswerTimes>, ms: (name: string, partition: number) => number) {
  for (const [partition, name] of owners.entries()) {
    if (name === undefined) continue;
    for (let answer = 0; answer < ENOUGH_ANSWERS; answer++)
      times.get(name)?.note(partition, answered(ms(name, partition)));
  }
}

/** From nothing known to where nothing moves any more. */
function settled(count: number, names: readonly string[], ms: (name: string, partition: number) => number) {
  const times = new Map(names.map((name) => [name, new AnswerTimes()]));
  const nodes = (): NearNode[] =>
    names.map((name) => ({ name, weight: 1, answerTimes: times.get(name)?.report() ?? {} }));
  let owners: Owners = assignPartitions(Array(count).fill(undefined), nodes());
  let moves = 0;
  for (let round = 0; round < 40 * names.length; round++) {
    crawlOn(owners, times, ms);
    const next = assignNearest(owners, nodes());
    const moved = next.filter((name, at) => name !== owners[at]).length;
    if (moved === 0) return { owners, moves, round };
    moves += moved;
    owners = next;
  }
  assert.fail('partitions go on moving');
}

const sum = (owners: Owners, ms: (name: string, partition: number) => number): number =>
  owners.reduce((total, name, partition) => total + ms(String(name), partition), 0);

describe('partitions to the nodes that are nearest', () => {
  test('those of two continents find their own, and stay there', () => {
    const ms = (name: string, partition: number): number => ((partition % 2 === 0) === (name === 'a') ? 20 : 180);
    const { owners, moves } = settled(64, ['a', 'b'], ms);
    assert.deepEqual(
      owners,
      owners.map((_, partition) => (partition % 2 === 0 ? 'a' : 'b')),
    );
    // Each was tried elsewhere once at most, and came back once at most.
    assert.ok(moves <= 2 * 64, `${moves} moves`);
  });

  test('whatever the ways are, it comes to rest, shares are kept to within one, and ways are hardly longer than without in the worst case', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 4, max: 60 }), fc.nat(), (n, count, seed) => {
        const names = Array.from({ length: n }, (_, at) => `node-${at}`);
        const random = seededRandom(seed);
        const ways = new Map(names.map((name) => [name, Array.from({ length: count }, () => 5 + 300 * random())]));
        const ms = (name: string, partition: number): number => ways.get(name)?.[partition] ?? 0;
        const { owners } = settled(count, names, ms);
        for (const name of names) {
          const held = owners.filter((owner) => owner === name).length;
          assert.ok(Math.abs(held - count / n) < 1 + 1e-9, `${name} has ${held} of ${count}`);
        }
        const nodes = names.map((name) => ({ name, weight: 1 }));
        const anyhow = assignPartitions(Array(count).fill(undefined), nodes);
        // What was tried and is not much worse stays.
        assert.ok(sum(owners, ms) <= sum(anyhow, ms) * 1.25, 'not farther than without');
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  test('who does not know yet keeps what it has; a node that dies leaves nothing behind', () => {
    const nodes: readonly NearNode[] = [
      { name: 'a', weight: 1, answerTimes: { 0: [500, ENOUGH_ANSWERS - 1] } },
      { name: 'b', weight: 1, answerTimes: {} },
    ];
    assert.deepEqual(assignNearest(['a', 'b'], nodes), ['a', 'b']);
    assert.deepEqual(assignNearest(['a', 'b', 'gone', undefined], nodes.slice(0, 1)), ['a', 'a', 'a', 'a']);
    assert.deepEqual(assignNearest(['a'], []), [undefined]);
    assert.deepEqual(assignNearest(['a', undefined], [{ name: 'a', weight: 0, answerTimes: {} }]), [
      undefined,
      undefined,
    ]);
  });

  test('where most partitions are empty, they are given for those that are not', () => {
    const nodes = ['a', 'b'].map((name) => ({ name, weight: 1 }));
    const first = assignPartitions(Array(64).fill(undefined), nodes);
    // All hosts lie in partitions of one node, and near the other.
    const busy = first.flatMap((name, partition) => (name === 'a' ? [partition] : [])).slice(0, 8);
    const times = Object.fromEntries(busy.map((partition) => [partition, [200, ENOUGH_ANSWERS]] as const));
    const [a, b] = [
      { ...nodes[0], answerTimes: times },
      { ...nodes[1], answerTimes: {} },
    ];
    const next = assignNearest(first, [a, b]);
    assert.deepEqual(
      busy.map((partition) => next[partition]),
      busy.map(() => 'b'),
    );
    assert.equal(next.filter((name) => name === 'b').length, first.filter((name) => name === 'b').length);
    // It finds out, and they stay: there is nothing that it would be given for.
    const near = Object.fromEntries(busy.map((partition) => [partition, [20, ENOUGH_ANSWERS]] as const));
    assert.deepEqual(assignNearest(next, [a, { ...b, answerTimes: near }]), next);
    // Or it is no nearer: then, too.
    const far = Object.fromEntries(busy.map((partition) => [partition, [190, ENOUGH_ANSWERS]] as const));
    assert.deepEqual(assignNearest(next, [a, { ...b, answerTimes: far }]), next);
  });

  test('times vary: a fifth less is no reason to move', () => {
    const node = (name: string, ms: number): NearNode => ({
      ...{ name, weight: 1, answerTimes: { 0: [ms, ENOUGH_ANSWERS], 1: [100, ENOUGH_ANSWERS] } },
    });
    assert.deepEqual(assignNearest(['a', 'b'], [node('a', 100), node('b', 65)]), ['a', 'b']);
    assert.deepEqual(assignNearest(['a', 'b'], [node('a', 100), node('b', 40)]), ['b', 'a']);
  });

  test('times of a former process count; answers that never came do not', () => {
    const times = new AnswerTimes();
    times.restore({ 3: [70, 25] });
    times.note(4, answered(9, { unsent: true }));
    times.note(4, answered(9, { pushback: { kind: 'busy', why: 'HTTP 503' } }));
    times.note(4, { outcome: STORED });
    // Ended at once by somebody on the way.
    times.note(4, { ...answered(1), outcome: { kind: 'failed', code: 'reset' } });
    for (const fetchMs of [10, 30, 20]) times.note(5, answered(fetchMs));
    assert.deepEqual(times.report(), { 3: [70, 25], 5: [20, 3] });
    // One answer does not make it forget 25.
    times.note(3, answered(900));
    assert.deepEqual(times.report()[3], [70, 25]);
    for (let more = 0; more < 24; more++) times.note(3, answered(80));
    assert.deepEqual(times.report()[3], [80, 25]);
  });

  test('of very many partitions all nodes report the same ones: the others stay where they are', () => {
    const ms = (name: string, partition: number): number => ((partition % 2 === 0) === (name === 'a') ? 20 : 180);
    const count = 1500;
    const { owners, moves } = settled(count, ['a', 'b'], ms);
    const first = assignPartitions(Array(count).fill(undefined), [
      { name: 'a', weight: 1 },
      { name: 'b', weight: 1 },
    ]);
    assert.deepEqual(owners.slice(1024), first.slice(1024));
    const isFar = (name: string | undefined, partition: number): boolean => ms(String(name), partition) > 20;
    const far = owners.slice(0, 1024).filter(isFar).length;
    assert.ok(far < 100 && far < first.slice(0, 1024).filter(isFar).length / 4, `${far} far`);
    assert.ok(moves <= 2 * 1024, `${moves} moves`);
  });
});
