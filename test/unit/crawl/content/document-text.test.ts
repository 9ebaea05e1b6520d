import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentText } from '../../../../src/crawl/content/document-text.ts';

test('links of documents in Markdown are absolute, as those of pages are', async () => {
  const url = 'http://h.test/files/a';
  const said = '# Webs\n\nSee the [leaf](leaf.html "a leaf"), or [all](/all?a=1&b=2) of [them](http://x.test/).';
  assert.equal(
    await documentText(Buffer.from(said), `${url}.md`, 'text/markdown', 'markdown'),
    '# Webs\n\nSee the [leaf](http://h.test/files/leaf.html), or [all](http://h.test/all?a=1&b=2) of [them](http://x.test/).',
  );
  const page = '<title>t</title><main><h1>Webs</h1><p>See the <a href="leaf.html">leaf</a>.</p></main>';
  assert.match(
    await documentText(Buffer.from(page), `${url}.html`, 'text/html', 'markdown'),
    /\[leaf\]\(http:\/\/h\.test\/files\/leaf\.html\)/,
  );
});
