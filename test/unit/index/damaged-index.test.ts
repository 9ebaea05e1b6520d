import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { QueryNode } from '../../../src/contracts/search-index.ts';
import { createAnalyzer } from '../../../src/index/analysis/analyzer.ts';
import { openSegmentIndex } from '../../../src/index/segment-index.ts';

const { analyze } = createAnalyzer();

async function indexFolder(t: TestContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-damaged-index-'));
  t.after(() => rmSync(folder, { recursive: true }));
  await using index = await openSegmentIndex({ folder, analyze });
  for (let number = 0; number < 30; number++) {
    index.add({
      ...{ id: `d${number}`, title: 'T', headings: '', body: 'spider web', description: '', anchors: [] },
      facts: { host: '', mediaType: '', language: 'en', date: 0, fetchedAt: 0, cluster: 0, spam: 0, rank: 0 },
    });
  }
  await index.commit();
  return folder;
}

const named = (folder: string, ending: string): string =>
  join(folder, readdirSync(folder).find((name) => name.endsWith(ending)) ?? assert.fail(`no ${ending}`));

const SPIDER: QueryNode = { kind: 'term', terms: ['spider'] };

async function assertCorrupt(folder: string, query = SPIDER): Promise<void> {
  await assert.rejects(
    async () => {
      await using index = await openSegmentIndex({ folder, analyze, readOnly: true });
      using snapshot = index.snapshot();
      snapshot.top(query, 5);
    },
    { name: 'OrbweaverError', code: 'FOLDER_CORRUPT', remedy: /index --rebuild/ },
  );
}

test('a manifest that lost its end', async (t) => {
  const folder = await indexFolder(t);
  truncateSync(named(folder, '.json'), 20);
  await assertCorrupt(folder);
});

test('a manifest without its list', async (t) => {
  const folder = await indexFolder(t);
  const path = named(folder, '.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"segments"', '"sXgments"'));
  await assertCorrupt(folder);
});

test('a segment that is not there', async (t) => {
  const folder = await indexFolder(t);
  rmSync(named(folder, '.postings'));
  await assertCorrupt(folder);
});

test('the head of a segment that is no JSON', async (t) => {
  const folder = await indexFolder(t);
  const path = named(folder, '.documents');
  const bytes = readFileSync(path);
  bytes[5] = 0x21;
  writeFileSync(path, bytes);
  await assertCorrupt(folder);
});

const WEB: QueryNode = { kind: 'term', terms: ['web'] };
const PREFIX: QueryNode = { kind: 'prefix', prefix: 'w' };
for (const [what, term, before, query] of [
  ['the first term of a block is too long', 'spider', 1, SPIDER],
  ['a term that is looked for is too long', 'web', 1, WEB],
  ['a term of a prefix is too long', 'web', 1, PREFIX],
  ['a term of a prefix shares too much with the one before', 'web', 2, PREFIX],
] as const) {
  test(`a number in the dictionary: ${what}`, async (t) => {
    const folder = await indexFolder(t);
    const path = named(folder, '.documents');
    const bytes = readFileSync(path);
    // What it shares with the term before, its length, its bytes: a number of two bytes that leads beyond the end.
    const at = bytes.indexOf(term) - before;
    bytes.set([0xff, 0x7f], at);
    if (before === 2) bytes.set([1], at + 2);
    writeFileSync(path, bytes);
    await assertCorrupt(folder, query);
  });
}
