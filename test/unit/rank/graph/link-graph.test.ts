import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type LinkGraph, LinkGraphBuilder, type LinkGraphOptions } from '../../../../src/rank/graph/link-graph.ts';

const edgeLists = fc.array(fc.tuple(fc.nat(12), fc.nat(12)), { maxLength: 80 });

function graphOf(edges: readonly (readonly [number, number])[], options: LinkGraphOptions = {}): LinkGraph {
  const builder = new LinkGraphBuilder(options);
  for (const [from, to] of edges) builder.add(from, to);
  return builder.build();
}

function edgesOf({ nodes, starts, sources }: LinkGraph): string[] {
  return Array.from({ length: nodes }, (_, to) =>
    Array.from(sources.subarray(starts[to], starts[to + 1]), (from) => `${from}>${to}`),
  ).flat();
}

describe('LinkGraphBuilder', () => {
  test('holds the edges that it was given, repeated ones and those of a page to itself as asked', () => {
    fc.assert(
      fc.property(
        edgeLists,
        fc.constantFrom('once' as const, 'keep' as const),
        fc.constantFrom('drop' as const, 'keep' as const),
        (edges, duplicates, selfLinks) => {
          const graph = graphOf(edges, { duplicates, selfLinks });
          const atOnce = new LinkGraphBuilder({ duplicates, selfLinks });
          atOnce.addAll(Uint32Array.from(edges.flat()));
          assert.deepEqual(atOnce.build(), graph);
          const wanted = edges.filter(([from, to]) => selfLinks === 'keep' || from !== to).map(([f, t]) => `${f}>${t}`);
          const expected = duplicates === 'once' ? [...new Set(wanted)] : wanted;
          assert.deepEqual(edgesOf(graph).sort(), expected.sort());
          assert.equal(graph.edges, expected.length);
          assert.equal(graph.nodes, Math.max(-1, ...edges.flat()) + 1);
          const degrees = Array.from({ length: graph.nodes }, () => 0);
          for (const edge of expected) degrees[Number(edge.split('>')[0])]++;
          assert.deepEqual([...graph.outDegrees], degrees);
        },
      ),
    );
  });

  test('the order of the edges makes no difference', () => {
    fc.assert(
      fc.property(edgeLists, (edges) => {
        assert.deepEqual(graphOf(edges.toReversed()), graphOf(edges));
      }),
    );
  });

  test('nodes without links are nodes', () => {
    const graph = graphOf([[0, 1]], { nodes: 5 });
    assert.equal(graph.nodes, 5);
    assert.deepEqual([...graph.starts], [0, 0, 1, 1, 1, 1]);
  });

  test('takes more edges than fit into one chunk', () => {
    const builder = new LinkGraphBuilder({ duplicates: 'keep' });
    const edges = (1 << 20) + 10;
    for (let edge = 0; edge < edges; edge++) builder.add(edge % 1000, 1000 + (edge % 7));
    const graph = builder.build();
    assert.equal(graph.edges, edges);
    assert.equal(
      graph.outDegrees.reduce((sum, degree) => sum + degree, 0),
      edges,
    );
  });
});
