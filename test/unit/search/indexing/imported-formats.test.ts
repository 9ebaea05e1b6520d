import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { OrbweaverError } from '../../../../src/base/errors.ts';
import type { ImportedDocument } from '../../../../src/search/indexing/imports/document-block.ts';
import { inputLines } from '../../../../src/search/indexing/imports/input-lines.ts';
import { jsonlDocuments } from '../../../../src/search/indexing/imports/jsonl-documents.ts';
import { trecDocuments } from '../../../../src/search/indexing/imports/trec-documents.ts';
import { collected } from '../../archive/archive-fixture.ts';

const root = mkdtempSync(join(tmpdir(), 'orbweaver-import-'));
after(() => rmSync(root, { recursive: true, force: true }));

async function* lines(text: string): AsyncGenerator<string> {
  yield* text.split('\n');
}

test('JSON lines: id, title, text; ids may be numbers, titles may lack, blank lines are passed over', async () => {
  const text = '{"id":"a","title":"T","text":"x"}\n\n{"id":7,"text":"y"}\n{"_id":"b","title":null,"text":"z"}';
  assert.deepEqual(await collected(jsonlDocuments(lines(text), 'f')), [
    { id: 'a', title: 'T', text: 'x' },
    { id: '7', title: '', text: 'y' },
    { id: 'b', title: '', text: 'z' },
  ]);
});

for (const [line, what] of [
  ['{"id":', /is not JSON/],
  ['[1]', /is not a JSON object/],
  ['{"text":"a"}', /has no "id"/],
  ['{"id":"","text":"a"}', /has no "id"/],
  ['{"id":"a"}', /has no "text"/],
  ['{"id":"a","text":"b","title":3}', /"title"/],
] as const) {
  test(`a bad line is told with its number and a remedy: ${line}`, async () => {
    const read: ImportedDocument[] = [];
    await assert.rejects(
      async () => {
        for await (const document of jsonlDocuments(lines(`{"id":"a","text":"b"}\n${line}`), 'docs.jsonl'))
          read.push(document);
      },
      (error) => {
        assert.ok(error instanceof OrbweaverError);
        assert.equal(error.code, 'INPUT_INVALID');
        assert.match(error.message, /^Line 2 of docs\.jsonl/);
        assert.match(error.message, what);
        assert.match(error.remedy ?? '', /--skip-bad/);
        return true;
      },
    );
    assert.equal(read.length, 1, 'what came before is kept');
  });
}

test('bad lines can be passed over, and are told', async () => {
  const told: string[] = [];
  const text = 'oops\n{"id":"a","text":"b"}\n{}';
  const documents = await collected(jsonlDocuments(lines(text), 'f', (error) => told.push(error.message)));
  assert.deepEqual(documents, [{ id: 'a', title: '', text: 'b' }]);
  assert.equal(told.length, 2);
});

const TREC = `<DOC>
<DOCNO> FT-1 </DOCNO>
<PROFILE>internal</PROFILE>
<HEADLINE>
Ships &amp; boats
</HEADLINE>
<TEXT>
<P>First   words.</P>
1 &lt; 2
</TEXT>
</DOC>
noise between
<doc><docno>FT-2</docno><text>one line</text></doc><DOC><DOCNO>FT-3</DOCNO>
no text tag
</DOC>`;

test('TREC SGML: number, title, text without tags and apparatus', async () => {
  assert.deepEqual(await collected(trecDocuments(lines(TREC), 'f')), [
    { id: 'FT-1', title: 'Ships & boats', text: 'First words.\n1 < 2' },
    { id: 'FT-2', title: '', text: 'one line' },
    { id: 'FT-3', title: '', text: 'no text tag' },
  ]);
});

test('TREC documents without a number or an end are told with their line', async () => {
  await assert.rejects(
    collected(trecDocuments(lines('\n<DOC>\n<TEXT>a</TEXT>\n</DOC>'), 'f')),
    /line 2 of f has no <DOCNO>/,
  );
  await assert.rejects(collected(trecDocuments(lines('<DOC>\n<DOCNO>a</DOCNO>\n'), 'f')), /line 1 of f has no <\/DOC>/);
});

test('lines come from plain files, gzip and standard input', async () => {
  const plain = join(root, 'a.jsonl');
  const packed = join(root, 'packed');
  writeFileSync(plain, 'a\r\nb\n');
  writeFileSync(packed, gzipSync('a\nb\n'));
  const nothing = Readable.from([]);
  assert.deepEqual(await collected(inputLines(plain, nothing)), ['a', 'b']);
  assert.deepEqual(await collected(inputLines(packed, nothing)), ['a', 'b']);
  assert.deepEqual(await collected(inputLines('-', Readable.from(['a\n', 'b']))), ['a', 'b']);
});

test('files that are not there or are cut are told', async () => {
  const cut = join(root, 'cut.gz');
  const whole = gzipSync(`${Array.from({ length: 5000 }, (_, n) => `line ${n * 7919}`).join('\n')}\n`);
  writeFileSync(cut, whole.subarray(0, whole.length - 200));
  const nothing = Readable.from([]);
  await assert.rejects(collected(inputLines(join(root, 'none'), nothing)), { code: 'INPUT_INVALID' });
  await assert.rejects(collected(inputLines(cut, nothing)), { code: 'INPUT_INVALID' });
});
