import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openSegmentIndex } from '../../../../src/index/segment-index.ts';
import { SegmentFile } from '../../../../src/index/store/segment-file.ts';
import { indexedDocument } from '../../../conformance/search-index-suite.ts';
import { analyzeWords } from '../brute-force-scores.ts';

describe('files of segments', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'orb-segment-file-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function written(bytes: Uint8Array, wholeBytes: number): SegmentFile {
    writeFileSync(join(folder, 'segment-1.postings'), bytes);
    const file = new SegmentFile(folder, 'segment-1', 'postings', wholeBytes);
    rmSync(join(folder, 'segment-1.postings'));
    return file;
  }

  for (const [kind, wholeBytes] of [
    ['in memory', 100],
    ['open', 99],
  ] as const) {
    it(`are read when their name is gone: ${kind}`, () => {
      const bytes = Uint8Array.from({ length: 100 }, (_, at) => at);
      const file = written(bytes, wholeBytes);
      try {
        assert.equal(file.isWhole, wholeBytes === 100);
        assert.deepEqual([...file.read(97, 3)], [97, 98, 99]);
        const padded = file.read(98, 2, 4);
        assert.equal(padded.length, 6);
        assert.deepEqual([...padded.subarray(0, 2)], [98, 99]);
        assert.throws(() => file.read(98, 3), {
          code: 'FOLDER_CORRUPT',
          message: /postings of index segment segment-1 end/,
        });
      } finally {
        file.close();
        file.close();
      }
    });
  }

  it('hold no descriptor where segments are small, and one where a part is large', async (t) => {
    if (process.platform !== 'linux') return t.skip('Descriptors are listed in /proc.');
    await using index = await openSegmentIndex({ folder, analyze: analyzeWords, mergeWidth: 3 });
    await using reader = await openSegmentIndex({ folder, analyze: analyzeWords, readOnly: true });
    for (let commit = 0; commit < 5; commit++) {
      index.add(indexedDocument(`small-${commit}`, { body: 'some words of a page' }));
      await index.commit();
    }
    using held = reader.snapshot();
    assert.deepEqual(openIn(folder), []);
    index.add(indexedDocument('large', { title: 'x'.repeat(300_000), body: 'w7' }));
    await index.commit();
    await index.mergeAll();
    // The snapshot answers from segments whose files are gone.
    assert.equal(held.top({ kind: 'term', terms: ['words'] }, 10).total, 5);
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((number) => held.document(number).id).sort(),
      [0, 1, 2, 3, 4].map((at) => `small-${at}`),
    );
    using now = reader.snapshot();
    assert.equal(now.top({ kind: 'term', terms: ['w7'] }, 10).total, 1);
    assert.deepEqual(new Set(openIn(folder).map((name) => name.replace(/^segment-\d+/, ''))), new Set(['.strings']));
  });
});

/** Names of the files of a folder that this process holds open. */
function openIn(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path.slice(folder.length + 1)] : [];
    } catch {
      // The descriptor of the listing itself is closed by now.
      return [];
    }
  });
}
