import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { extractPage } from '../../../../src/extract/extract-page.ts';
import { MOST_BYTES } from '../../../../src/extract/kernel/memory-layout.ts';
import { readPage } from '../../../../src/extract/read-page.ts';

const url = 'https://a.example/page';
/** With it a document is too long for the kernel. */
const comment = Buffer.from(`<!--${'x'.repeat(MOST_BYTES)}-->`);

const word = fc.oneof(
  fc.constantFrom(
    'words',
    'of',
    'prose,',
    'für',
    '中文',
    'by Ann Lee',
    '12 May 2021',
    '7',
    '&amp;',
    '&#50;',
    '&nbsp;',
    '\u00a0',
    '\ud800',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const gap = fc.constantFrom(
  ' ',
  ' ',
  ' ',
  ' ',
  '  ',
  '\n',
  '\u00a0',
  '<b>',
  '</b>',
  '<p>',
  '<a href=x>',
  '</a>',
  '\r\n',
  '\0',
);
const text = fc.array(fc.tuple(word, gap), { minLength: 5, maxLength: 120 }).map((all) => all.flat().join(''));
const prose = fc.constantFrom(
  '',
  'and so the sentence goes on without an end '.repeat(9),
  'und für die Straße läßt sich sagen '.repeat(15),
);
const page = fc
  .array(fc.tuple(prose, text), { minLength: 1, maxLength: 5 })
  .map((parts) => `<h1>Title of it</h1>${parts.map(([before, after]) => `<p>${before}${after}</p>`).join('\n')}`);

function told(document: Uint8Array): object {
  const { content, metadata } = readPage(document, { url, spam: false });
  const { text, links } = extractPage(document, { url, text: true });
  return { content: content.text, kind: content.kind, metadata, text, links };
}

test('a page says the same where it is too long for the kernel', () => {
  fc.assert(
    fc.property(page, (html) => {
      const document = Buffer.from(html);
      assert.deepEqual(told(document), told(Buffer.concat([document, comment])));
    }),
    { numRuns: 60 },
  );
});
