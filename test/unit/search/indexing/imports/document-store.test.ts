import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import type { ImportedDocument } from '../../../../../src/search/indexing/imports/document-block.ts';
import { DocumentStore, documentStorePath } from '../../../../../src/search/indexing/imports/document-store.ts';

const root = mkdtempSync(join(tmpdir(), 'orbweaver-store-'));
after(() => rmSync(root, { recursive: true, force: true }));

function folder(): string {
  return mkdtempSync(join(root, 'f-'));
}

test('what was committed is found by id after opening again', () => {
  const place = folder();
  {
    using store = new DocumentStore(place);
    for (let n = 0; n < 500; n++) store.put({ id: `d${n}`, title: `title ${n}`, text: `text ${n} `.repeat(100) });
    store.commit();
  }
  using store = new DocumentStore(place, { readOnly: true });
  assert.equal(store.count, 500);
  assert.deepEqual(store.get('d123'), { id: 'd123', title: 'title 123', text: 'text 123 '.repeat(100) });
  assert.equal(store.get('d500'), undefined);
});

test('what was not committed is not there', () => {
  const place = folder();
  {
    using store = new DocumentStore(place);
    store.put({ id: 'kept', title: '', text: 'a' });
    store.commit();
    store.put({ id: 'lost', title: '', text: 'x'.repeat(200_000) });
  }
  using store = new DocumentStore(place);
  assert.equal(store.get('lost'), undefined);
  assert.equal(store.get('kept')?.text, 'a');
});

test('of documents with one id the last counts, whatever the order of commits', () => {
  const documents = fc.array(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      title: fc.string(),
      text: fc.string({ unit: 'binary' }),
    }),
  );
  fc.assert(
    fc.property(fc.array(documents, { maxLength: 5 }), (batches) => {
      using store = new DocumentStore(folder());
      const expected = new Map<string, ImportedDocument>();
      for (const batch of batches) {
        for (const made of batch) {
          const document = { ...made };
          store.put(document);
          expected.delete(document.id);
          expected.set(document.id, document);
        }
        store.commit();
      }
      assert.deepEqual([...store.all()], [...expected.values()]);
      for (const [id, document] of expected) assert.deepEqual(store.get(id), document);
    }),
    { numRuns: 15 },
  );
});

test('a block of the older form, packed as a whole, is still read', () => {
  const place = folder();
  const documents = ['a', 'b', 'c'].map((id) => ({ id, title: `title of ${id}`, text: `text of ${id}` }));
  {
    using store = new DocumentStore(place);
    for (const document of documents) store.put(document);
    store.commit();
  }
  const db = new DatabaseSync(documentStorePath(place));
  db.prepare('UPDATE block SET content = ?').run(zstdCompressSync(Buffer.from(JSON.stringify(documents))));
  db.close();
  using store = new DocumentStore(place);
  assert.deepEqual(store.get('b'), documents[1]);
  store.put({ id: 'b', title: 'new', text: '' });
  store.commit();
  assert.deepEqual([...store.all()], [documents[0], documents[2], { id: 'b', title: 'new', text: '' }]);
});

test('short documents that were compressed one by one, as they once all were, are still read', () => {
  const place = folder();
  const documents = ['a', 'b'].map((id) => ({ id, title: `title of ${id}`, text: `text of ${id}` }));
  {
    using store = new DocumentStore(place);
    for (const document of documents) store.put(document);
    store.commit();
  }
  const plain = documents.map((document) => Buffer.from(JSON.stringify(document)));
  const packed = plain.map((bytes) => zstdCompressSync(bytes));
  const head = Buffer.alloc(4 + 8 * documents.length);
  head.writeUInt32LE(documents.length, 0);
  let end = head.length;
  for (const [slot, bytes] of packed.entries()) {
    end += bytes.length;
    head.writeUInt32LE(end, 4 + 8 * slot);
    head.writeUInt32LE(plain[slot].length, 8 + 8 * slot);
  }
  const db = new DatabaseSync(documentStorePath(place));
  db.prepare('UPDATE block SET content = ?').run(Buffer.concat([head, ...packed]));
  db.close();
  using store = new DocumentStore(place, { readOnly: true });
  assert.deepEqual([...store.all()], documents);
  assert.deepEqual(store.get('b'), documents[1]);
});

test('long documents are compressed, and short and long ones come back as they were put', () => {
  const place = folder();
  const documents = [10, 5_000, 9_000, 300_000].map((length) => ({
    id: `d${length}`,
    title: 'é ',
    text: 'wörter und 字 '.repeat(length / 10),
  }));
  {
    using store = new DocumentStore(place);
    for (const document of documents) store.put(document);
    store.commit();
  }
  using store = new DocumentStore(place, { readOnly: true });
  for (const document of documents) assert.deepEqual(store.get(document.id), document);
  const db = new DatabaseSync(documentStorePath(place), { readOnly: true });
  const { bytes } = db.prepare('SELECT sum(length(content)) AS bytes FROM block').get() as { bytes: number };
  db.close();
  assert.ok(bytes < 20_000, `${bytes} bytes for 300,000 characters`);
});
