import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConvertedMedia } from '../../../../src/contracts/plugin.ts';
import { convertByPlugin } from '../../../../src/crawl/plugins/convert-by-plugin.ts';

const DOCUMENT = { bytes: new Uint8Array(), mediaType: 'x/y', url: 'http://h.test/x' };
const LIMITS = { maxText: 1000, maxLinks: 100 };

/** As a plug-in in JavaScript may give it, whatever the types say. */
async function converted(given: unknown) {
  return await convertByPlugin({ plugin: 'x', call: () => given as ConvertedMedia }, DOCUMENT, LIMITS);
}

test('values that are no texts are written as such: a document is not lost for them', async () => {
  const result = await converted({
    title: 7,
    language: null,
    description: 8,
    authors: 'Ada',
    keywords: [1, 'two'],
    blocks: [
      { kind: 'heading', text: 2026 },
      {
        kind: 'table',
        rows: [
          ['legs', 8],
          [null, undefined],
        ],
      },
      { kind: 'paragraph', text: null },
    ],
    links: [{ url: 'javascript:alert(1)', text: 'legs' }],
  });
  assert.ok(result.kind === 'converted', JSON.stringify(result));
  const { title, description, language, authors, keywords } = result.document;
  assert.deepEqual(
    { title, description, language, authors, keywords },
    { title: '7', description: '8', language: undefined, authors: [], keywords: ['1', 'two'] },
  );
  assert.match(result.text, /2026\n\nlegs\t8/);
  assert.match(result.html ?? '', /<title>7<\/title>/);
  assert.match(result.html ?? '', /<h1>2026<\/h1>/);
  assert.match(result.html ?? '', /<td>legs<\/td><td>8<\/td>/);
  assert.doesNotMatch(result.html ?? '', /<a |lang=/);
});

test('what is made of blocks is bounded as their text is', async () => {
  const blocks = [{ kind: 'heading', level: 1, text: 'x'.repeat(5000) }];
  const links = Array.from({ length: 50 }, (_, at) => ({ url: `/${at}/${'x'.repeat(5000)}`, text: '' }));
  for (const given of [
    { text: 'short', blocks },
    { text: 'short', links },
  ]) {
    const result = await converted(given);
    assert.ok(result.kind === 'converted');
    assert.equal(result.html, undefined);
  }
});
