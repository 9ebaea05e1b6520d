import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cleanHtml } from '../../../../src/extract/main-content/clean/clean-html.ts';
import { markdown } from '../../../../src/extract/main-content/clean/markdown.ts';
import { plainText } from '../../../../src/extract/main-content/clean/plain-text.ts';
import { buildTree } from '../../../../src/extract/main-content/tree-builder.ts';

const resolve = (reference: string) => URL.parse(reference, 'https://site.example/dir/')?.href;

function written(html: string): { readonly text: string; readonly html: string; readonly markdown: string } {
  const tree = buildTree(html);
  const selection = { roots: [0], dropped: new Uint8Array(tree.element.length) };
  return {
    text: plainText(tree, selection),
    html: cleanHtml(tree, selection, resolve),
    markdown: markdown(tree, selection, resolve),
  };
}

describe('Markdown', () => {
  const cases: readonly (readonly [what: string, html: string, expected: string])[] = [
    ['headings', '<h1>One</h1><h3>Two <i>three</i></h3>text', '# One\n\n### Two *three*\n\ntext'],
    ['emphasis hugs its text', 'a<b> b </b>c<i></i> <em>d</em>', 'a **b** c *d*'],
    ['emphasis does not cross blocks', '<b>a<p>b</p></b>', '**a**\n\n**b**'],
    ['links', '<a href="a b(c)">x [y]</a>', '[x \\[y\\]](https://site.example/dir/a%20b%28c%29)'],
    ['links without text or target', '<a href="/x"><span></span></a>a<a href="javascript:x">b</a><a>c</a>', 'abc'],
    ['lists', '<ul><li>a<li>b<ol><li>c<li>d</ol><li>e</ul>f', '- a\n- b\n  1. c\n  2. d\n- e\n\nf'],
    ['paragraphs in items', '<ul><li><p>a</p><p>b</p><li>c</ul>', '- a\n\n  b\n\n- c'],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>c', '> a\n>\n> b\n\nc'],
    ['quotes in lists', '<ul><li>a<blockquote>b</blockquote></ul>', '- a\n\n  > b'],
    ['code', '<p>Use <code>a`b</code>.</p><pre>x  &lt; y\n  z</pre>', 'Use ``a`b``.\n\n```\nx  < y\n  z\n```'],
    ['code before a text', '<p><code>a</code> b <kbd>c</kbd></p>', '`a` b `c`'],
    ['tables', '<table><tr><th>A<th>B<tr><td>1|2<td><b>3</b></table>', '| A | B |\n| --- | --- |\n| 1\\|2 | **3** |'],
    [
      'tables without a head',
      '<table><tr><td>1<td>2<tr><td>3<td>4</table>',
      '|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |',
    ],
    ['tables for layout', '<table><tr><td><p>a</p><td><table><tr><td>b</table></table>', 'a\n\nb'],
    ['images', '<img src=x.png alt="A [b]"><img src=y.png>', '![A \\[b\\]](https://site.example/dir/x.png)'],
    ['line breaks', 'a<br>b<br><br>c<h2>d<br>e</h2>', 'a  \nb\n\nc\n\n## d e'],
    ['rules', 'a<hr>b', 'a\n\n---\n\nb'],
    ['definitions', '<dl><dt>a<dd>b</dl>', 'a\n:   b'],
    [
      'text that looks like markup',
      '<p># a *b* snake_case _c_ &lt;d&gt; &amp;amp;</p><p>1. e</p><p>- f</p>',
      '\\# a \\*b\\* snake_case \\_c\\_ \\<d> \\&amp;\n\n1\\. e\n\n\\- f',
    ],
  ];
  for (const [what, html, expected] of cases) test(what, () => assert.equal(written(html).markdown, expected));
});

describe('clean HTML', () => {
  const cases: readonly (readonly [what: string, html: string, expected: string])[] = [
    ['boxes become paragraphs', '<div>a <span class=x>b</span><section>c</section></div>', '<p>a b</p>\n<p>c</p>\n'],
    [
      'attributes go, references are absolute',
      '<p style=x><a href=/y onclick=z>a</a></p>',
      '<p><a href="https://site.example/y">a</a></p>\n',
    ],
    [
      'old names get new ones',
      '<p><b>a</b><i>b</i><tt>c</tt></p>',
      '<p><strong>a</strong><em>b</em><code>c</code></p>\n',
    ],
    ['empty elements go', '<p></p><ul><li></ul><p>a</p>', '<p>a</p>\n'],
    [
      'inline elements around blocks',
      '<b>a<div>b</div></b>c',
      '<p><strong>a</strong></p>\n<p><strong>b</strong></p>\n<p>c</p>\n',
    ],
    [
      'inline elements around pictures',
      '<b><img src=x>a</b>',
      '<strong><img src="https://site.example/dir/x" alt=""></strong><p><strong>a</strong></p>\n',
    ],
    ['characters are escaped', '<p>&lt;script> &amp; "x"</p>', '<p>&lt;script&gt; &amp; "x"</p>\n'],
    [
      'attributes are escaped',
      '<p><a href="/?a=1&amp;b=&quot;&lt;">x</a></p>',
      '<p><a href="https://site.example/?a=1&amp;b=%22%3C">x</a></p>\n',
    ],
    ['preformatted text keeps its white space', '<pre>a\n  b</pre>', '<pre>a\n  b</pre>\n'],
    ['tables for layout go', '<table><tr><td>a</table>', '<p>a</p>\n'],
  ];
  for (const [what, html, expected] of cases) test(what, () => assert.equal(written(html).html, expected));
});

describe('plain text', () => {
  const cases: readonly (readonly [what: string, html: string, expected: string])[] = [
    ['a line for each block', '<div>a <b>b</b><p>c</p>d</div>e<br>f', 'a b\nc\nd\ne\nf'],
    ['cells of a row in one line', '<table><tr><td>a<td>b<tr><td>c</table>', 'a b\nc'],
    ['lines of preformatted text', '<pre>a\nb &amp; c</pre>', 'a\nb & c'],
    ['text that is written as it is', '<xmp>&amp; <b></xmp>', '&amp; <b>'],
  ];
  for (const [what, html, expected] of cases) test(what, () => assert.equal(written(html).text, expected));
});
