import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSegmentIndex } from '../../../src/index/segment-index.ts';
import { indexedDocument } from '../../conformance/search-index-suite.ts';
import { analyzeWords } from './brute-force-scores.ts';

test('small merges on the way ask nobody what is said of documents; large ones and the last one do', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'merges-on-the-way-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await using index = await openSegmentIndex({ folder, analyze: analyzeWords, mergeWidth: 2 });
  let asked = 0;
  index.refreshWith(async () => {
    asked++;
    return { anchors: [], rank: 0.5, cluster: 0 };
  });
  let documents = 0;
  const add = async (count: number, commits: number): Promise<void> => {
    for (let commit = 0; commit < commits; commit++) {
      for (let at = 0; at < count; at++) index.add(indexedDocument(`${documents++}`, { body: 'text' }));
      await index.commit();
    }
    await index.settled();
  };
  await add(1, 12);
  assert.ok(index.segments < 12);
  assert.equal(asked, 0);
  await add(1000, 4);
  assert.ok(asked >= 2000, String(asked));
  asked = 0;
  await index.mergeAll();
  assert.equal(index.segments, 1);
  assert.equal(asked, documents);
});
