import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentWords, renderDocument } from '../../../../src/web/docs/markdown.ts';

const PAGES = new Set(['a.html', 'how-to/b.html', 'how-to/index.html', 'readme.html']);

function render(markdown: string, file = 'docs/a.md', path = 'a.html') {
  return renderDocument({ file, path, markdown }, PAGES);
}

test('HTML in a page is shown as text, comments are left out, line breaks are kept', () => {
  const { content } = render(
    'A <script>alert(1)</script> and <b onclick="x">b</b>.<br>End\n\n<!-- note -->\n\n<img src=x onerror=alert(1)>\n',
  );
  assert.doesNotMatch(content.markup, /<script|<b |<img|note/);
  assert.match(content.markup, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  assert.match(content.markup, /<br>End/);
});

test('code is escaped, in blocks and in lines, whatever its language is called', () => {
  const { content } = render('`<i>` and\n\n```sh" onload="x\n<u>&amp;\n```\n');
  assert.match(content.markup, /<code>&lt;i&gt;<\/code>/);
  assert.match(content.markup, /<pre tabindex="0"><code>&lt;u&gt;&amp;amp;<\/code><\/pre>/);
  assert.doesNotMatch(content.markup, /onload/);
});

test('links lead to pages of the site, to anchors and to the web, and nowhere else', () => {
  const { content } = render(
    [
      '[page](how-to/b.md#part) [folder](how-to/) [up](../README.md) [here](#x) [web](https://example.org/?a=1&b=2)',
      '[script](javascript:alert(1)) [data](data:text/html,x) [source](../src/index.ts) [root](/etc/passwd) ![picture](x.png "t")',
    ].join('\n\n'),
  );
  const links = [...content.markup.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  assert.deepEqual(links, [
    'how-to/b.html#part',
    'how-to/index.html',
    'readme.html',
    '#x',
    'https://example.org/?a=1&amp;b=2',
  ]);
  assert.match(content.markup, /script data source root picture/);
});

test('links from a folder lead out of it', () => {
  const { content } = render('[a](../a.md) [b](b.md)', 'docs/how-to/b.md', 'how-to/b.html');
  assert.match(content.markup, /href="..\/a.html".*href="b.html"/);
});

test('headings have the anchors of GitHub, each once', () => {
  const { title, headings, content } = render('# The `x` page\n\n## What: is it?\n\n## What: is it?\n\n### Deep\n');
  assert.equal(title, 'The x page');
  assert.deepEqual(headings, [
    { text: 'What: is it?', anchor: 'what-is-it' },
    { text: 'What: is it?', anchor: 'what-is-it-1' },
  ]);
  assert.match(content.markup, /<h3 id="deep">Deep<a class="anchor" href="#deep"/);
});

test('the words of a page are those that are read', () => {
  const markdown =
    '# Title\n\n<!-- hidden -->\n\nSome **bold** [link](x.md).\n\n## Part\n\n| a | b |\n|---|---|\n| c<br>d | `e` |\n\n- one\n- two\n';
  const { title, headings, text } = documentWords({ file: 'docs/a.md', path: 'a.html', markdown });
  assert.equal(title, 'Title');
  assert.deepEqual(headings, ['Part']);
  assert.match(text, /Some bold link\./);
  assert.match(text, /c d · e/);
  assert.match(text, /one\ntwo/);
  assert.doesNotMatch(text, /hidden|\*\*|\|/);
});
