import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { byteSourceOf } from '../../../../src/extract/byte-text.ts';
import type { ContentTree } from '../../../../src/extract/main-content/content-tree.ts';
import { elementName, TEXT } from '../../../../src/extract/main-content/names/content-elements.ts';
import { buildTree, DEFAULT_TREE_LIMITS, TreeBuilder } from '../../../../src/extract/main-content/tree-builder.ts';
import { TreeRooms } from '../../../../src/extract/main-content/tree-columns.ts';
import { scanOnce } from '../../../../src/extract/scan-once.ts';

/** The tree below the body in brackets, texts trimmed. */
function shape(html: string): string {
  const tree = buildTree(html);
  const below = (row: number): string => {
    const parts: string[] = [];
    for (let child = row + 1; child < tree.end[row]; child = tree.end[child])
      parts.push(
        tree.element[child] === TEXT ? textOf(tree, child) : `${elementName(tree.element[child])}(${below(child)})`,
      );
    return parts.filter((part) => part !== '').join(' ');
  };
  return below(0);
}

function textOf(tree: ContentTree, row: number): string {
  return tree.html.slice(tree.from[row], tree.to[row]).trim();
}

describe('end tags that are left out', () => {
  const cases: readonly [string, string][] = [
    ['<p>a<p>b', 'p(a) p(b)'],
    ['<p>a<div>b</div>c', 'p(a) div(b) c'],
    ['<p>a<b>b<ul><li>c</ul>', 'p(a b(b)) ul(li(c))'],
    ['<ul><li>a<li>b<ul><li>c</ul><li>d</ul>', 'ul(li(a) li(b ul(li(c))) li(d))'],
    ['<dl><dt>a<dd>b<dt>c</dl>', 'dl(dt(a) dd(b) dt(c))'],
    ['<table><tr><td>a<td>b<tr><td>c</table>d', 'table(tr(td(a) td(b)) tr(td(c))) d'],
    ['<table><thead><tr><th>a<tbody><tr><td>b</table>', 'table(thead(tr(th(a))) tbody(tr(td(b))))'],
    ['<table><tr><td><table><tr><td>a</table><td>b</table>', 'table(tr(td(table(tr(td(a)))) td(b)))'],
    ['<h2>a<h3>b</h2>c', 'h2(a) h3(b) c'],
    ['<a href=1>a<a href=2>b</a>', 'a(a) a(b)'],
  ];
  for (const [html, expected] of cases) test(html, () => assert.equal(shape(html), expected));
});

describe('end tags that do not fit', () => {
  const cases: readonly [string, string][] = [
    ['a</div></b></p>b', 'a b'],
    ['<div><b>a</div>b</b>c', 'div(b(a)) b c'],
    ['<b>a<div>b</b>c</div>d', 'b(a div(b c) d)'],
    ['<table><tr><td>a</div>b</td></table>', 'table(tr(td(a b)))'],
    ['<x-a>a<x-b>b</x-a>c', 'span(a span(b)) c'],
    ['<div>a</body>b</html>c', 'div(a b c)'],
    ['<a name=x></a><div>a</div>', 'a() div(a)'],
  ];
  for (const [html, expected] of cases) test(html, () => assert.equal(shape(html), expected));
});

describe('what is no text', () => {
  const cases: readonly [string, string][] = [
    ['<head><title>a</title><meta x></head><body>b', 'head() b'],
    ['<title>a</title><p>b', 'p(b)'],
    ['<script>"<p>"</script>a<style>b</style>', 'a'],
    ['<noscript><p>a</noscript>b', 'b'],
    ['<template><p>a</p></template>b', 'template(p()) b'],
    ['<svg><title>a</title><path/><text>b</text></svg>c', 'svg(title() span()) c'],
    ['<svg><g>a<p>b', 'svg(span()) p(b)'],
    ['<button>a</button><select><option>b</select>c', 'button() select(option()) c'],
  ];
  for (const [html, expected] of cases) test(html, () => assert.equal(shape(html), expected));
});

test('text runs end at blocks, not at inline elements', () => {
  const { runs } = buildTree('<div>one <b>two</b> <a href=x>three</a><p>four</p>five</div>');
  assert.deepEqual([...runs.length], ['onetwothree'.length, 4, 4]);
  assert.deepEqual([...runs.linked], [5, 0, 0]);
});

test('text after the end tag of a link is not linked, though a block in it is open', () => {
  const { runs } = buildTree('<a href=x><div>one</a>two</div>');
  assert.deepEqual([[...runs.length], [...runs.linked]], [[6], [3]]);
});

test('rows form a tree in document order', () => {
  const tag = fc.constantFrom(...'p div table tr td ul li b a svg select h1 pre x-y'.split(' '));
  const piece = fc.oneof(
    tag.map((name) => `<${name}>`),
    tag.map((name) => `</${name}>`),
    fc.constantFrom('text', ' ', '<br>', '<a href=x>'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
      const tree = buildTree(pieces.join(''));
      for (let row = 1; row < tree.element.length; row++) {
        assert.ok(tree.parent[row] < row && row < tree.end[row] && tree.end[row] <= tree.end[tree.parent[row]]);
        assert.notEqual(tree.element[tree.parent[row]], TEXT);
      }
    }),
  );
});

describe('room that is used again', () => {
  const rooms = new TreeRooms();
  const read = (html: string): TreeBuilder =>
    scanOnce<[TreeBuilder]>(byteSourceOf(html), [
      (scanner) => new TreeBuilder(scanner, DEFAULT_TREE_LIMITS, undefined, rooms),
    ])[0];
  const long = `<ul>${'<li>a <b>b</b>'.repeat(6000)}</ul>`;
  const pages = [
    '<p class=x>one</p><p>two',
    long,
    '<table><tr><td>a<td>b</table>',
    '',
    '<div id=y><a href=z>c</a></div>',
  ];

  test('gives the trees that room of their own gives', () => {
    for (const html of [...pages, ...pages]) {
      const builder = read(html);
      assert.deepEqual(columnsOf(builder.tree()), columnsOf(buildTree(html)));
      builder.giveBack();
    }
  });

  test('is that of one tree at a time', () => {
    const builders = pages.map(read);
    const trees = builders.map((builder) => builder.tree());
    for (const [at, tree] of trees.entries()) assert.deepEqual(columnsOf(tree), columnsOf(buildTree(pages[at])));
    for (const builder of builders) builder.giveBack();
    const [first, second] = [rooms.take(), rooms.take()];
    assert.notEqual(first, second);
  });
});

function columnsOf({ html, bytes, ...tree }: ContentTree): object {
  return tree;
}
