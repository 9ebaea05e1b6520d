import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOutGraph, PICTURE } from '../../../../src/web/graph/graph-layout.ts';
import { graphView } from '../../../../src/web/graph/graph-view.ts';
import { groupGraph } from '../../../../src/web/graph/group-graph.ts';

const URLS = [
  'http://a.test/',
  'http://a.test/docs/',
  'http://a.test/docs/one?x=/y/z',
  'http://a.test/blog/2026/post',
  'http://b.test/',
];
const SMALL = {
  urls: URLS,
  ranks: Float64Array.of(0.4, 0.2, 0.1, 0.1, 0.2),
  edges: Uint32Array.of(0, 1, 1, 2, 2, 0, 0, 3, 0, 4, 4, 0),
};

/** Pages in folders of folders. */
function large(pages: number) {
  const urls = Array.from({ length: pages }, (_, at) => `http://big.test/s${at % 70}/t${at % 7}/p${at}`);
  const ranks = Float64Array.from({ length: pages }, (_, at) => 1 / (at + 2));
  const edges = Uint32Array.from({ length: pages * 4 }, (_, at) => (at * 7919) % pages);
  return { urls, ranks, edges };
}

test('hosts first, then the pages of one where they are few', () => {
  const hosts = groupGraph(SMALL, { prefix: '/' });
  assert.deepEqual(
    hosts.groups.map(({ kind, name, pages }) => [kind, name, pages]),
    [
      ['host', 'a.test', 4],
      ['host', 'b.test', 1],
    ],
  );
  assert.deepEqual(hosts.links, [
    { from: 0, to: 1, count: 1 },
    { from: 1, to: 0, count: 1 },
  ]);
  const pages = groupGraph(SMALL, { host: 'a.test', prefix: '/' });
  assert.deepEqual([pages.pages, pages.inside, pages.incoming, pages.outgoing], [4, 4, 1, 1]);
  assert.deepEqual(
    pages.groups.map(({ kind }) => kind),
    ['page', 'page', 'page', 'page'],
  );
  const below = groupGraph(SMALL, { host: 'a.test', prefix: '/docs/' });
  assert.deepEqual(
    below.groups.map(({ key }) => key),
    ['http://a.test/docs/', 'http://a.test/docs/one?x=/y/z'],
  );
  assert.equal(groupGraph(SMALL, { host: 'none.test', prefix: '/' }).pages, 0);
});

test('many pages are folders by the next step of their path, and what is left is one', () => {
  const top = groupGraph(large(20_000), { host: 'big.test', prefix: '/' });
  assert.equal(top.groups.length, 48);
  assert.deepEqual([top.groups[0].kind, top.groups.at(-1)?.kind], ['folder', 'rest']);
  assert.equal(
    top.groups.reduce((sum, { pages }) => sum + pages, 0),
    20_000,
  );
  assert.ok(Math.abs(top.groups.reduce((sum, { rank }) => sum + rank, 0) - 1) < 1e-9);
  assert.ok(top.links.length <= 400);
  const next = groupGraph(large(20_000), { host: 'big.test', prefix: '/s3/' });
  assert.deepEqual(
    next.groups.map(({ key }) => key),
    ['/s3/t3/'],
  );
});

test('circles lie within the picture, nearly apart, and always in the same places', () => {
  const graph = groupGraph(large(20_000), { host: 'big.test', prefix: '/' });
  const circles = layOutGraph(graph);
  assert.deepEqual(circles, layOutGraph(graph));
  for (const { x, y, radius } of circles) {
    assert.ok(x - radius >= 0 && x + radius <= PICTURE.width, `${x} ${radius}`);
    assert.ok(y - radius >= 0 && y + radius <= PICTURE.height, `${y} ${radius}`);
  }
  assert.deepEqual(layOutGraph({ groups: graph.groups.slice(0, 1), links: [] }).length, 1);
});

test('a circle leads into its folder, or to its page; strangers write nothing but text', () => {
  const odd = 'http://a.test/"><script>x</script>';
  const graph = groupGraph({ ...SMALL, urls: [odd, ...URLS.slice(1)] }, { host: 'a.test', prefix: '/' });
  const { markup } = graphView(graph, { host: 'a.test', prefix: '/' }, 2);
  assert.doesNotMatch(markup, /<script>/);
  assert.match(markup, /href="\/page\?url=http%3A%2F%2Fa\.test%2Fdocs%2F"/);
  assert.match(markup, /class="graph zoom-2"/);
  const folders = groupGraph(large(5000), { host: 'big.test', prefix: '/' });
  assert.match(
    graphView(folders, { host: 'big.test', prefix: '/' }, 1).markup,
    /href="\/graph\?host=big\.test&amp;prefix=%2Fs0%2F"/,
  );
});
