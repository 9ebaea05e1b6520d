import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateGraph, startOfGenerated } from '../../../../src/laboratory/generated-graph.ts';
import { RecordedGraphBuilder } from '../../../../src/laboratory/replay/recorded-graph.ts';
import { ranksOf, replayGraph } from '../../../../src/laboratory/replay/replay-graph.ts';
import { LaneQueue } from '../../../../tools/lane-queue.ts';

const options = { pages: 3000, seed: 7 };
const graph = generateGraph(options);
const start = startOfGenerated(graph, options);
const fewOptions = { pages: 500, seed: 7, pagesPerHost: 50 };
const few = generateGraph(fewOptions);

function breadthFirst(): number[] {
  const known = new Set([start]);
  for (const page of known) {
    for (let at = graph.starts[page]; at < graph.starts[page + 1]; at++) known.add(graph.targets[at]);
  }
  return [...known];
}

test('breadth-first over the real frontier takes the pages level by level', async () => {
  const builder = new RecordedGraphBuilder();
  for (const [from, to] of [
    [0, 2],
    [0, 1],
    [2, 3],
    [1, 4],
    [4, 0],
  ])
    builder.add(from, to);
  const small = builder.build([0, 1, 2, 3, 4, 5].map((page) => `http://h.example/${page}`));
  const { course, fetched, pageRankShares } = await replayGraph({
    graph: small,
    seeds: [0],
    order: 'breadth-first',
    checkpoints: [1, 5, 6],
  });
  assert.deepEqual([...course], [0, 2, 1, 3, 4]);
  assert.equal(fetched, 5);
  const ranks = ranksOf(small);
  assert.equal(pageRankShares.length, 2);
  assert.ok(Math.abs(pageRankShares[1] - (1 - ranks[5])) < 1e-12);
});

test('every order fetches every page once, and the real frontier does about as well as bare queues', async () => {
  for (const order of ['depth-first', 'best-first', 'in-degree:1,host-rank:0.1']) {
    const request = { graph: few, seeds: [startOfGenerated(few, fewOptions)], order, checkpoints: [50], atOnce: 3 };
    const real = await replayGraph(request);
    const bare = await replayGraph({ ...request, openFrontier: (needs) => new LaneQueue(needs) });
    for (const { fetched, course } of [real, bare]) {
      assert.equal(fetched, fewOptions.pages);
      assert.equal(new Set(course).size, fewOptions.pages);
    }
    assert.ok(Math.abs(real.pageRankShares[0] - bare.pageRankShares[0]) < 0.1, order);
  }
});

test('best-first has more of the PageRank than breadth-first, and that more than depth-first', async () => {
  const shares: number[] = [];
  for (const order of ['best-first', 'breadth-first', 'depth-first']) {
    const request = { graph, seeds: [start], order, budget: 300, checkpoints: [300] };
    shares.push((await replayGraph({ ...request, openFrontier: (needs) => new LaneQueue(needs) })).pageRankShares[0]);
  }
  assert.ok(shares[0] > shares[1] && shares[1] > shares[2], shares.join(' '));
});

test('a generated graph is the same for the same seed, and all of it can be reached', () => {
  assert.deepEqual(generateGraph(options).targets, graph.targets);
  assert.notDeepEqual(generateGraph({ ...options, seed: 8 }).targets, graph.targets);
  assert.equal(breadthFirst().length, options.pages);
  assert.equal(new Set(graph.urls).size, options.pages);
  const links = graph.targets.length / options.pages;
  assert.ok(links > 7 && links < 13, `${links}`);
});
