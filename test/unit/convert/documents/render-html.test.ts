import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DocumentBlock } from '../../../../src/contracts/content/document.ts';
import { hasStructure, renderHtml } from '../../../../src/convert/documents/render-html.ts';
import { extractPage } from '../../../../src/extract/extract-page.ts';
import { htmlHeadings } from '../../../../src/extract/html-headings.ts';

const url = 'http://a.test/files/report.pdf';

test('blocks become elements, in their order, and links stand where their texts do', () => {
  const blocks: DocumentBlock[] = [
    { kind: 'heading', level: 1, text: 'A <b> & "c"' },
    { kind: 'paragraph', text: 'See the guide,\nand more.' },
    { kind: 'item', text: 'one' },
    { kind: 'item', text: 'two' },
    { kind: 'table', rows: [['a', '1 < 2']] },
    { kind: 'code', text: '\n<x>' },
    { kind: 'heading', level: 9, text: 'Deep' },
  ];
  const links = [
    { url: '../guide?a=1&b="2"', text: 'guide' },
    { url: '/nowhere', text: 'not in the text' },
  ];
  const html = renderHtml({ title: 'T & U', language: 'en-GB', authors: [], blocks, links });
  assert.equal(
    html,
    `<!doctype html>
<html lang="en-GB">
<head><meta charset="utf-8"><title>T &amp; U</title></head>
<body>
<h1>A &lt;b&gt; &amp; &quot;c&quot;</h1>
<p>See the <a href="../guide?a=1&amp;b=&quot;2&quot;">guide</a>,<br>
and more.</p>
<ul>
<li>one</li>
<li>two</li>
</ul>
<table>
<tr><td>a</td><td>1 &lt; 2</td></tr>
</table>
<pre>

&lt;x&gt;</pre>
<h6>Deep</h6>
<ul>
<li><a href="/nowhere">not in the text</a></li>
</ul>
</body></html>
`,
  );
  const page = extractPage(Buffer.from(html), { url });
  assert.deepEqual([page.title, page.lang], ['T & U', 'en-GB']);
  assert.deepEqual(
    page.links.map((link) => [link.url, link.text]),
    [
      ['http://a.test/guide?a=1&b=%222%22', 'guide'],
      ['http://a.test/nowhere', 'not in the text'],
    ],
  );
});

test('only what has more than words is worth a page', () => {
  const words: DocumentBlock = { kind: 'paragraph', text: 'words' };
  assert.equal(hasStructure({ blocks: [words, { kind: 'code', text: 'x' }], links: [] }), false);
  assert.equal(hasStructure({ blocks: [words], links: [{ url: '/x', text: '' }] }), true);
  assert.equal(hasStructure({ blocks: [words, { kind: 'heading', level: 2, text: 'x' }], links: [] }), true);
});

test('whatever a heading says, it is read back as it was, and begins nothing else', () => {
  // As converters give it: white space collapsed.
  const text = fc
    .string({ unit: fc.constantFrom(...'a<>&"\'/ !-=h1'), maxLength: 30 })
    .map((given) => given.replace(/\s+/g, ' ').trim())
    .filter((given) => given !== '');
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (headings) => {
      const blocks = headings.map((given): DocumentBlock => ({ kind: 'heading', level: 2, text: given }));
      const html = renderHtml({ blocks, links: [] });
      assert.equal(htmlHeadings(Buffer.from(html)), headings.join('\n'));
      assert.deepEqual(extractPage(Buffer.from(html), { url }).links, []);
    }),
  );
});
