import assert from 'node:assert/strict';
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import fc from 'fast-check';
import { trecDocument } from '../../../../src/export/trec/trec-document.ts';
import { trecDocuments } from '../../../../src/search/indexing/imports/trec-documents.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { COPY, HOSTILE, SPIDER, spiderCrawl, WEAVER } from '../exported-crawl.ts';

interface ReadDocument {
  readonly docno: string;
  readonly header: readonly string[];
  readonly content: string;
}

/** By the definition of the format alone: lines with tags, in their order. */
function readTrec(text: string): ReadDocument[] {
  const documents: ReadDocument[] = [];
  const lines = text.split('\n');
  assert.equal(lines.pop(), '');
  for (let at = 0; at < lines.length; at++) {
    assert.equal(lines[at++], '<DOC>');
    const docno = /^<DOCNO>(\S+)<\/DOCNO>$/.exec(lines[at++])?.[1] ?? assert.fail(lines[at - 1]);
    assert.equal(lines[at++], '<DOCHDR>');
    const header: string[] = [];
    while (lines[at] !== '</DOCHDR>') header.push(lines[at++]);
    const content: string[] = [];
    for (at++; lines[at] !== '</DOC>'; at++) content.push(lines[at] ?? assert.fail('no end'));
    documents.push({ docno, header, content: content.join('\n') });
  }
  return documents;
}

test('documents are read back by a plain reader: one for each page, whatever the page says', async () => {
  await using crawl = await spiderCrawl();
  const documents = readTrec(readFileSync(await crawl.export('trec-web', 'all.trec'), 'utf8'));
  const escaped = HOSTILE.replace('<', '%3C').replace('>', '%3E');
  assert.deepEqual(documents.map(({ docno }) => docno).sort(), [COPY, escaped, SPIDER, WEAVER].sort());
  const copy = documents.find(({ docno }) => docno === COPY);
  assert.match(copy?.content ?? '', /The garden spider builds an orb web/, 'a revisit has the body of its original');
  assert.equal(copy?.header[1], 'HTTP/1.1 200 OK');
  assert.ok(copy?.header.includes('Content-Type: text/html; charset=utf-8'));
  const [url, , date, type, length] = (copy?.header[0] ?? '').split(' ');
  assert.deepEqual([url, type, date.length], [COPY, 'text/html', 14]);
  assert.equal(Number(length), Buffer.byteLength(copy?.content ?? ''));
});

test('our own importer finds the same documents', async () => {
  await using crawl = await spiderCrawl();
  const path = await crawl.export('trec-web', 'all.trec');
  const found = new Map<string, string>();
  for await (const { id, title, text } of trecDocuments(createInterface({ input: createReadStream(path) }), path))
    found.set(id, `${title} ${text}`);
  assert.equal(found.size, 4);
  assert.match(found.get(SPIDER) ?? '', /Garden spider.*builds an orb web/s);
  assert.ok(!found.has('forged'));
});

test('no content ends its document', async () => {
  const markup = fc.constantFrom(
    '</DOC>',
    '<DOC>',
    '</doc >',
    '<DOCNO>',
    '</DOCHDR>',
    '\n',
    '\r',
    '\0',
    '&lt;',
    'é',
    '\ud800',
  );
  const text = fc.array(fc.oneof(markup, fc.string()), { maxLength: 12 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(text, text, text, async (html, header, url) => {
      const page = { url: `https://a.example/${url}`, date: 0, statusLine: header, rawHeaders: ['X', header], html };
      const written = trecDocument(page) + trecDocument({ ...page, url: 'https://b.example/' });
      assert.equal(written.match(/<\/DOC>/gi)?.length, 2);
      assert.equal(written.match(/<DOC>/gi)?.length, 2);
      assert.equal(written.match(/<\/?DOCNO>/gi)?.length, 4);
      assert.equal(written.match(/<\/?DOCHDR>/gi)?.length, 4);
      assert.equal(Buffer.from(written).toString(), written, 'it is UTF-8');
      assert.equal(readTrec(written)[1].docno, 'https://b.example/');
    }),
    { numRuns: propertyRuns(600) },
  );
});
