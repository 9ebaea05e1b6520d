import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DocumentBlock } from '../../../../src/contracts/content/document.ts';
import { ConversionBudget, DEFAULT_CONVERSION_LIMITS } from '../../../../src/convert/documents/conversion-budget.ts';
import { DocumentBuilder } from '../../../../src/convert/documents/document-builder.ts';
import { renderMarkdown } from '../../../../src/convert/documents/render-blocks.ts';
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

/** As browsers read them: control characters at the ends, and tabs and line breaks anywhere, count for nothing. */
const SCRIPTS = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  ' \u0000javascript:alert(1)',
  'javascript\r:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'da\nta:text/html,x',
  'vbscript:x',
  'x:y',
  'file:///etc/passwd',
];

test('no link of a document runs a script or opens a file, however it is written', () => {
  const blocks: DocumentBlock[] = [{ kind: 'paragraph', text: 'click here' }];
  for (const script of SCRIPTS) {
    const links = [
      { url: script, text: 'here' },
      { url: script, text: '' },
      { url: script, text: 'nowhere' },
    ];
    assert.doesNotMatch(renderHtml({ blocks, links }), /<a /, JSON.stringify(script));
    assert.doesNotMatch(renderMarkdown(blocks, links), /\]\(/, JSON.stringify(script));
    const builder = new DocumentBuilder(new ConversionBudget(DEFAULT_CONVERSION_LIMITS));
    builder.paragraph('click here');
    builder.link(script, 'here');
    const conversion = builder.finish();
    assert.deepEqual(conversion.kind === 'converted' && conversion.document.links, [], JSON.stringify(script));
  }
});

test('a page made of a document is bounded, however long the addresses of its links are', () => {
  const limits = { ...DEFAULT_CONVERSION_LIMITS, maxText: 100_000 };
  const builder = new DocumentBuilder(new ConversionBudget(limits));
  builder.paragraph('words');
  for (let link = 0; link < 200; link++) builder.link(`/${link}?${'"'.repeat(4000)}`, '');
  const conversion = builder.finish();
  assert.ok(conversion.kind === 'converted');
  assert.equal(conversion.document.links.length, 24);
  assert.ok(renderHtml(conversion.document).length < 15 * limits.maxText);
});
