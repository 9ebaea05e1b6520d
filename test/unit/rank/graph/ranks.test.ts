import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { hits } from '../../../../src/rank/graph/hits.ts';
import { hostGraph, hostRank } from '../../../../src/rank/graph/host-rank.ts';
import { type LinkGraph, LinkGraphBuilder } from '../../../../src/rank/graph/link-graph.ts';
import { pageRank } from '../../../../src/rank/graph/page-rank.ts';
import { rankPriors } from '../../../../src/rank/graph/prior.ts';
import { scoreRanks } from '../../../../tools/score-ranks.ts';
import { corpus, skipWithout } from '../../../corpora.ts';
import { propertyRuns } from '../../../property-runs.ts';

type Edge = readonly [number, number];

const NODES = 10;
const edgeLists = fc.uniqueArray(fc.tuple(fc.nat(NODES - 1), fc.nat(NODES - 1)), {
  maxLength: 40,
  selector: ([from, to]) => from * NODES + to,
});

function graphOf(edges: readonly Edge[], nodes = NODES): LinkGraph {
  const builder = new LinkGraphBuilder({ nodes, selfLinks: 'keep' });
  for (const [from, to] of edges) builder.add(from, to);
  return builder.build();
}

/** By the definition: the surfer's walk, step by step, the pages without links spread evenly. */
function walked(edges: readonly Edge[], damping: number): number[] {
  const out = Array.from({ length: NODES }, (_, node) => edges.filter(([from]) => from === node).length);
  let ranks: number[] = Array.from({ length: NODES }, () => 1 / NODES);
  for (let step = 0; step < 600; step++) {
    const lost = ranks.reduce((sum, rank, node) => sum + (out[node] === 0 ? rank : 0), 0);
    const next = ranks.map(() => (1 - damping + damping * lost) / NODES);
    for (const [from, to] of edges) next[to] += (damping * ranks[from]) / out[from];
    ranks = next;
  }
  return ranks;
}

describe('pageRank', () => {
  test('is where the walk of the surfer ends', () => {
    fc.assert(
      fc.property(edgeLists, fc.constantFrom(0.5, 0.85, 0.95), (edges, damping) => {
        const { ranks } = pageRank(graphOf(edges), { damping, tolerance: 1e-13 });
        for (const [node, rank] of walked(edges, damping).entries()) assert.ok(Math.abs(ranks[node] - rank) < 1e-10);
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  test('sums to 1, also when it has to stop early', () => {
    const { ranks, iterations } = pageRank(
      graphOf([
        [0, 1],
        [1, 2],
        [2, 0],
        [3, 0],
      ]),
      { maxIterations: 2 },
    );
    assert.equal(iterations, 2);
    assert.ok(Math.abs(ranks.reduce((sum, rank) => sum + rank, 0) - 1) < 1e-12);
  });

  test('nothing has no ranks; pages without links have the same', () => {
    assert.equal(pageRank(graphOf([], 0)).ranks.length, 0);
    assert.deepEqual([...pageRank(graphOf([], 4)).ranks], [0.25, 0.25, 0.25, 0.25]);
  });
});

describe('hits', () => {
  test('authorities are what hubs point to, and hubs what points to authorities', () => {
    fc.assert(
      fc.property(edgeLists, (edges) => {
        const { hubs, authorities, iterations } = hits(graphOf(edges), { tolerance: 1e-12, maxIterations: 20_000 });
        // Two communities of nearly the same strength take their time; then there is nothing to compare.
        fc.pre(iterations < 20_000);
        const pulled: number[] = Array.from({ length: NODES }, () => 0);
        for (const [from, to] of edges) pulled[to] += hubs[from];
        const length = Math.hypot(...pulled);
        for (const [node, value] of pulled.entries()) {
          assert.ok(Math.abs(value / (length || 1) - authorities[node]) < 1e-6);
        }
        if (edges.length > 0) assert.ok(Math.abs(Math.hypot(...hubs) - 1) < 1e-9);
      }),
      { numRuns: propertyRuns(50) },
    );
  });
});

describe('hostRank', () => {
  test('a host speaks once for another, however many of its pages link there', () => {
    // Host 0: pages 0 to 3; host 1: pages 4, 5; host 2: page 6.
    const hostOf = Uint32Array.from([0, 0, 0, 0, 1, 1, 2]);
    const pages = graphOf(
      [
        [0, 4],
        [1, 4],
        [2, 5],
        [3, 5],
        [0, 1],
        [4, 6],
        [0, 6],
      ],
      7,
    );
    const hosts = hostGraph(pages, hostOf, 3);
    assert.equal(hosts.edges, 3);
    assert.deepEqual([...hosts.outDegrees], [2, 1, 0]);
    const { ranks } = hostRank(pages, hostOf, 3);
    assert.ok(ranks[2] > ranks[1] && ranks[1] > ranks[0]);
  });

  test('the numbers of pages need not lie together', () => {
    const hosts = hostGraph(
      graphOf(
        [
          [0, 1],
          [2, 3],
          [0, 3],
        ],
        4,
      ),
      Uint32Array.from([0, 1, 0, 1]),
      2,
    );
    assert.equal(hosts.edges, 1);
  });
});

describe('rankPriors', () => {
  test('rise with the rank, from 0 to 1, and stay together where ranks do', () => {
    const { ranks } = pageRank(
      graphOf([
        [0, 1],
        [2, 1],
        [3, 1],
        [1, 0],
      ]),
    );
    const priors = rankPriors(ranks);
    const order = [...ranks.keys()].sort((a, b) => ranks[a] - ranks[b]);
    for (const [at, node] of order.entries()) {
      assert.ok(priors[node] >= 0 && priors[node] <= 1);
      if (at > 0) assert.ok(priors[node] >= priors[order[at - 1]]);
    }
    assert.ok(Math.max(...priors) < 0.5, 'ten pages have no star of the web among them');
  });

  test('a thousand times the average is the top of the scale', () => {
    const nodes = 100_000;
    const ranks = new Float64Array(nodes).fill(0.15 / nodes);
    ranks[7] = 5000 / nodes;
    ranks[8] = 1000 / nodes;
    const priors = rankPriors(ranks);
    assert.equal(priors[7], 1);
    assert.ok(priors[8] > 0.8 && priors[8] < 1);
    assert.ok(priors[0] < 1e-6);
  });

  test('the host takes its share', () => {
    const ranks = Float64Array.from([0.5, 0.5]);
    const hosts = { ranks: Float64Array.from([0.9, 0.1]), hostOf: Uint32Array.from([0, 1]) };
    const [first, second] = rankPriors(ranks, { hosts });
    assert.ok(first > second);
  });
});

test('equal to the values of the web-graph data set', { skip: skipWithout('web-graph') }, () => {
  for (const { name, error, misplaced, passed } of scoreRanks(corpus('web-graph')!)) {
    assert.ok(passed, `${name}: error ${error}, ${misplaced} misplaced`);
  }
});
