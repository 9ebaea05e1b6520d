import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import type { OrbweaverError } from '../../../src/base/errors.ts';
import { openSegmentIndex, type SegmentIndex } from '../../../src/index/segment-index.ts';
import { type IndexDisk, nodeIndexDisk } from '../../../src/index/store/index-disk.ts';
import { DocumentStore } from '../../../src/search/indexing/imports/document-store.ts';
import { importDocuments } from '../../../src/search/indexing/imports/import-documents.ts';
import { indexedDocument } from '../../conformance/search-index-suite.ts';
import { analyzeWords } from './brute-force-scores.ts';

/** A real disk that has `room` bytes left and then says ENOSPC. */
class SmallDisk implements IndexDisk {
  room = Number.POSITIVE_INFINITY;
  readonly rename = nodeIndexDisk.rename;
  readonly remove = nodeIndexDisk.remove;
  readonly link = nodeIndexDisk.link;
  readonly list = nodeIndexDisk.list;
  readonly syncFolder = nodeIndexDisk.syncFolder;

  create(path: string) {
    const file = nodeIndexDisk.create(path);
    return {
      append: (bytes: Uint8Array) => {
        if (bytes.length > this.room)
          throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
        this.room -= bytes.length;
        file.append(bytes);
      },
      sync: () => file.sync(),
      close: () => file.close(),
    };
  }
}

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function found(index: SegmentIndex): number {
  using snapshot = index.snapshot();
  return snapshot.top({ kind: 'term', terms: ['word'] }, 100).total;
}

test('a full disk during a commit is told as DISK_FULL; the index answers, and commits when there is room', async (t) => {
  const folder = temporaryFolder(t);
  const disk = new SmallDisk();
  await using index = await openSegmentIndex({ folder, analyze: analyzeWords, disk });
  index.add(indexedDocument('first', { body: 'a word' }));
  await index.commit();
  const before = readdirSync(folder).sort();
  index.add(indexedDocument('second', { body: 'another word' }));
  index.remove('first');
  let failures = 0;
  // Wherever the space ends: in a segment, in the list of deletions, in the manifest.
  for (let room = 0; ; room += 40) {
    disk.room = room;
    const error = await index.commit().then(
      () => undefined,
      (error: OrbweaverError) => error,
    );
    if (error === undefined) break;
    failures++;
    assert.deepEqual([error.code, error.exitCode], ['DISK_FULL', 4]);
    assert.match(error.remedy ?? '', /Free some space/);
    assert.equal(found(index), 1, 'what was committed before is found');
    if (room === 0) assert.deepEqual(readdirSync(folder).sort(), before, 'nothing half-written takes up space');
  }
  assert.ok(failures > 5, `${failures} failures`);
  assert.equal(found(index), 1);
  using snapshot = index.snapshot();
  assert.equal(snapshot.find('first'), undefined);
  assert.equal(typeof snapshot.find('second'), 'number');
});

test('a merge that finds the disk full harms neither the commits nor the end', async (t) => {
  const folder = temporaryFolder(t);
  const disk = new SmallDisk();
  {
    await using index = await openSegmentIndex({ folder, analyze: analyzeWords, disk, mergeWidth: 100 });
    for (let at = 0; at < 4; at++) {
      index.add(indexedDocument(`${at}`, { body: 'a word' }));
      await index.commit();
    }
    disk.room = 0;
    const files = readdirSync(folder).sort();
    await assert.rejects(index.mergeAll(), { code: 'DISK_FULL' });
    assert.deepEqual(readdirSync(folder).sort(), files, 'nothing half-merged takes up space');
    assert.equal(found(index), 4);
  }
  await using again = await openSegmentIndex({ folder, analyze: analyzeWords });
  assert.equal(found(again), 4);
});

test('an import onto a full disk ends with DISK_FULL, and the same import goes on when there is room', async (t) => {
  const folder = temporaryFolder(t);
  const disk = new SmallDisk();
  await using index = await openSegmentIndex({ folder: join(folder, 'index'), analyze: analyzeWords, disk });
  using store = new DocumentStore(folder);
  const documents = Array.from({ length: 6 }, (_, at) => ({ id: `${at}`, title: '', text: 'a word' }));
  const parts = { index, store, clock: systemClock, commitDocuments: 3, onCommitted: () => (disk.room = 0) };
  await assert.rejects(importDocuments(documents, parts), { code: 'DISK_FULL' });
  assert.equal(found(index), 3);
  disk.room = Number.POSITIVE_INFINITY;
  assert.equal(await importDocuments(documents, { index, store, clock: systemClock }), 6);
  assert.equal(found(index), 6);
});
