import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexedDocument } from '../../../../src/contracts/search-index.ts';
import { ciffFormat } from '../../../../src/export/ciff/ciff-format.ts';
import { createAnalyzer } from '../../../../src/index/analysis/analyzer.ts';
import { documentOf, HeldOutput, IndexedFolder, jobOf } from '../indexed-documents.ts';

type Field = number | bigint | Buffer;

/** The wire format of Protocol Buffers, by its definition: fields by number. */
function fieldsOf(message: Buffer): Map<number, Field[]> {
  const fields = new Map<number, Field[]>();
  for (let at = 0; at < message.length; ) {
    const [key, behind] = varint(message, at);
    at = behind;
    const field = fields.get(key >> 3) ?? [];
    fields.set(key >> 3, field);
    if ((key & 7) === 0) {
      const [value, end] = varint(message, at);
      field.push(value);
      at = end;
    } else if ((key & 7) === 1) {
      field.push(message.subarray(at, at + 8));
      at += 8;
    } else {
      assert.equal(key & 7, 2, 'a kind that CIFF does not have');
      const [length, start] = varint(message, at);
      field.push(message.subarray(start, start + length));
      at = start + length;
    }
  }
  return fields;
}

function varint(bytes: Buffer, from: number): [value: number, end: number] {
  let value = 0;
  for (let at = from, scale = 1; ; at++, scale *= 128) {
    value += (bytes[at] & 0x7f) * scale;
    if (bytes[at] < 0x80) return [value, at + 1];
  }
}

interface Ciff {
  readonly header: {
    readonly lists: number;
    readonly documents: number;
    readonly terms: number;
    readonly average: number;
  };
  readonly lists: { term: string; df: number; cf: number; postings: [document: number, frequency: number][] }[];
  readonly documents: { number: number; id: string; length: number }[];
}

function readCiff(file: Buffer): Ciff {
  let at = 0;
  const next = (): Map<number, Field[]> => {
    const [length, start] = varint(file, at);
    at = start + length;
    assert.ok(at <= file.length);
    return fieldsOf(file.subarray(start, at));
  };
  const number = (fields: Map<number, Field[]>, field: number): number => Number(fields.get(field)?.[0] ?? 0);
  const text = (fields: Map<number, Field[]>, field: number): string => String(fields.get(field)?.[0] ?? '');
  const head = next();
  assert.equal(number(head, 1), 1);
  assert.deepEqual([number(head, 2), number(head, 3)], [number(head, 4), number(head, 5)]);
  const header = {
    ...{ lists: number(head, 2), documents: number(head, 3), terms: number(head, 6) },
    average: Buffer.from((head.get(7)?.[0] ?? assert.fail('no average')) as Buffer).readDoubleLE(0),
  };
  const lists = Array.from({ length: header.lists }, () => {
    const list = next();
    let last = 0;
    const postings = (list.get(4) ?? []).map((bytes): [number, number] => {
      const posting = fieldsOf(bytes as Buffer);
      last += number(posting, 1);
      return [last, number(posting, 2)];
    });
    return { term: text(list, 1), df: number(list, 2), cf: number(list, 3), postings };
  });
  const documents = Array.from({ length: header.documents }, () => {
    const record = next();
    return { number: number(record, 1), id: text(record, 2), length: number(record, 3) };
  });
  assert.equal(at, file.length, 'nothing follows');
  return { header, lists, documents };
}

/** Counted in the documents themselves. */
function frequenciesOf(documents: readonly IndexedDocument[]): Map<string, Map<string, number>> {
  const { analyze } = createAnalyzer();
  const counts = new Map<string, Map<string, number>>();
  for (const { id, title, headings, body, description } of documents)
    for (const text of [title, headings, body, description])
      analyze(text, 'en', (term) => {
        const held = counts.get(term) ?? new Map<string, number>();
        counts.set(term, held);
        held.set(id, (held.get(id) ?? 0) + 1);
      });
  return counts;
}

const A = documentOf('https://a.example/1', {
  title: 'Orb webs',
  body: `${'silk '.repeat(40)} spiders spin 東京 𝒳`,
  anchors: [{ text: 'named by others silk', weight: 2 }],
});
const B = documentOf('https://a.example/2', { headings: 'Silk', body: 'A web of silk', description: 'webs' });
const GONE = documentOf('https://a.example/gone', { body: 'vanished silk' });
const C = documentOf('https://b.example/3', { title: 'Silk road', body: `trade ${'road '.repeat(17)}` });

async function exported(folder: IndexedFolder, urls?: readonly string[]): Promise<Ciff> {
  const output = new HeldOutput();
  assert.ok(ciffFormat.target === 'stream');
  await ciffFormat.write(folder.source(urls), output, jobOf());
  return readCiff(output.contents);
}

test('the index is written with exact frequencies, without what was deleted, numbered without gaps', async () => {
  using folder = new IndexedFolder();
  await folder.add([A, GONE], [B], [C, GONE.id]);
  const { header, lists, documents } = await exported(folder);
  assert.deepEqual(
    documents.map(({ number }) => number),
    [0, 1, 2],
  );
  assert.deepEqual(documents.map(({ id }) => id).sort(), [A.id, B.id, C.id]);
  const expected = frequenciesOf([A, B, C]);
  assert.deepEqual(new Set(lists.map(({ term }) => term)), new Set(expected.keys()));
  assert.ok(!lists.some(({ term }) => term.startsWith('vanish') || term === 'name'));
  for (const { term, df, cf, postings } of lists) {
    const found = new Map(postings.map(([document, frequency]) => [documents[document].id, frequency]));
    assert.deepEqual(found, new Map([...(expected.get(term) ?? [])]), term);
    assert.equal(df, postings.length);
    assert.equal(
      cf,
      postings.reduce((sum, [, frequency]) => sum + frequency, 0),
    );
    assert.deepEqual(
      postings.map(([document]) => document),
      postings.map(([document]) => document).toSorted((a, b) => a - b),
    );
  }
  assert.deepEqual(
    lists.map(({ term }) => term),
    lists.map(({ term }) => term).toSorted(),
  );
  const lengths = documents.reduce((sum, { length }) => sum + length, 0);
  assert.deepEqual([header.terms, header.average], [lengths, lengths / 3]);
});

test('a filter makes it an index of those pages alone', async () => {
  using folder = new IndexedFolder();
  await folder.add([A, B], [C]);
  const { documents, lists } = await exported(folder, [B.id, C.id, 'https://unknown.example/']);
  assert.deepEqual(documents.map(({ id }) => id).sort(), [B.id, C.id]);
  assert.deepEqual(new Set(lists.map(({ term }) => term)), new Set(frequenciesOf([B, C]).keys()));
});

test('without an index it is said how to make one', async () => {
  using folder = new IndexedFolder();
  await assert.rejects(exported(folder), /There is no search index/);
});
