import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { OrbweaverError } from '../../../../src/base/errors.ts';
import type { AnchorText, IndexSnapshot, QueryNode } from '../../../../src/contracts/search-index.ts';
import { DEFAULT_RANKING } from '../../../../src/index/ranking-options.ts';
import { openSegmentIndex, type SegmentIndex } from '../../../../src/index/segment-index.ts';
import { checkSegments } from '../../../../src/index/store/check-segments.ts';
import { type IndexDisk, nodeIndexDisk } from '../../../../src/index/store/index-disk.ts';
import { indexedDocument } from '../../../conformance/search-index-suite.ts';
import { analyzeWords } from '../brute-force-scores.ts';

const DOCUMENTS = 300;
const PER_COMMIT = 100;
const term = (...terms: string[]): QueryNode => ({ kind: 'term', terms });
const phrase = (...terms: string[]): QueryNode => ({ kind: 'phrase', terms, offsets: terms.map((_, at) => at) });

const found = (snapshot: IndexSnapshot, query: QueryNode): string[] =>
  snapshot
    .top(query, 1000)
    .top.map(({ document }) => snapshot.document(document).id)
    .sort((a, b) => Number(a) - Number(b));

const scores = (index: SegmentIndex, query: QueryNode): Map<string, number> => {
  using snapshot = index.snapshot();
  const { top } = snapshot.top(query, 1000);
  return new Map(top.map(({ document, score }) => [snapshot.document(document).id, score]));
};

/** What links say of a document in a round: of most nothing at first, and of some nothing any longer. */
function anchorsOf(id: string, round: number): AnchorText[] {
  const number = Number(id);
  const said = number % 3 === round % 3 ? [] : [{ text: `said ${number % 7} twice`, weight: 1 }];
  return round === 0 ? said.slice(0, number % 2) : [...said, { text: `round${round} said`, weight: 0.5 }];
}

async function filled(folder: string, more: Partial<Parameters<typeof openSegmentIndex>[0]> = {}) {
  const index = await openSegmentIndex({ folder, analyze: analyzeWords, mergeWidth: 100, ...more });
  for (let at = 0; at < DOCUMENTS; at++) {
    const body = `common words ${at % 5 === 0 ? 'said here' : ''} ${at}`;
    index.add(indexedDocument(`${at}`, { title: `title ${at % 10}`, body, anchors: anchorsOf(`${at}`, 0) }));
    if (at % PER_COMMIT === PER_COMMIT - 1) await index.commit();
  }
  return index;
}

test('what links say of documents is renewed, again and again, and no posting is written for it', async (t) => {
  const folder = temporaryFolder(t);
  let round = 0;
  await using index = await filled(folder);
  index.refreshWith(async (id) => ({ anchors: anchorsOf(id, round), rank: round / 10, cluster: round }));
  const ids = Array.from({ length: DOCUMENTS }, (_, at) => `${at}`);
  const asked = [term('said'), term('common'), term('3'), phrase('said', '3'), phrase('words', 'said'), term('twice')];
  for (round = 1; round <= 3; round++) {
    assert.equal(await index.refreshAll({ isClean: true }), DOCUMENTS);
    assert.equal(await index.refreshAll({ isClean: true }), 0, 'all are of today');
    assert.equal(index.segments, DOCUMENTS / PER_COMMIT);
    assert.equal(index.work.merges, 0);
    assert.deepEqual(checkSegments(folder).faults, []);
    await using reader = await openSegmentIndex({ folder, analyze: analyzeWords, readOnly: true });
    using snapshot = reader.snapshot();
    assert.deepEqual(found(snapshot, phrase(`round${round}`, 'said')), ids);
    assert.deepEqual(found(snapshot, term(`round${round - 1}`)), [], 'former anchors are forgotten');
    assert.equal(snapshot.frequency(`round${round - 1}`), 0);
    assert.deepEqual(snapshot.terms('round', 10), [{ term: `round${round}`, documents: DOCUMENTS }]);
    const said = ids.filter((id) => Number(id) % 3 !== round % 3);
    assert.deepEqual(found(snapshot, term('twice')), said);
    assert.equal(snapshot.frequency('twice'), said.length);
    assert.equal(snapshot.fact('rank', 7), round / 10);
  }
  round = 3;
  const before = asked.map((query) => scores(index, query));
  await index.mergeAll();
  assert.equal(index.segments, 1);
  for (const [at, query] of asked.entries())
    assert.deepEqual(
      [...scores(index, query)].sort(),
      [...before[at]].sort(),
      `scores of ${JSON.stringify(query)} are those of one segment`,
    );
});

test('documents that are replaced, removed or told as gone meanwhile stay so', async (t) => {
  const folder = temporaryFolder(t);
  await using index = await filled(folder);
  index.refreshWith(async (id) => {
    if (id === '5') return 'gone';
    // While segments are renewed.
    if (id === '120') index.remove('7');
    if (id === '250') index.add(indexedDocument('8', { body: 'replaced' }));
    return { anchors: anchorsOf(id, 1), rank: 0, cluster: 0 };
  });
  await index.refreshAll({ isClean: true });
  await index.commit();
  await using reader = await openSegmentIndex({ folder, analyze: analyzeWords, readOnly: true });
  using snapshot = reader.snapshot();
  assert.equal(snapshot.documents, DOCUMENTS - 2);
  assert.equal(snapshot.find('5'), undefined);
  assert.equal(snapshot.find('7'), undefined);
  assert.deepEqual(found(snapshot, term('replaced')), ['8']);
  assert.equal(found(snapshot, term('common')).length, DOCUMENTS - 3);
  assert.equal(found(snapshot, term('round1')).length, DOCUMENTS - 3);
});

test('segments with lists of word pairs are written again: these tell of anchors, too', async (t) => {
  const folder = temporaryFolder(t);
  await using index = await filled(folder, { ranking: { ...DEFAULT_RANKING, pairedDocuments: 50 } });
  index.refreshWith(async (id) => ({ anchors: anchorsOf(id, 1), rank: 0, cluster: 0 }));
  assert.equal(await index.refreshAll(), DOCUMENTS);
  assert.equal(index.work.merges, DOCUMENTS / PER_COMMIT);
  using snapshot = index.snapshot();
  assert.equal(found(snapshot, phrase('round1', 'said')).length, DOCUMENTS);
});

test('where it is known that anchors are the same, they are not asked for', async (t) => {
  const folder = temporaryFolder(t);
  let asked = 0;
  const told = (id: string, round: number, hasSameAnchors: boolean) => ({
    ...{ rank: round / 10, cluster: round, hasSameAnchors },
    get anchors() {
      asked++;
      return anchorsOf(id, hasSameAnchors ? 1 : round);
    },
  });
  await using index = await filled(folder, { ranking: { ...DEFAULT_RANKING, pairedDocuments: DOCUMENTS + 1 } });
  index.refreshWith(async (id) => told(id, 1, false));
  assert.equal(await index.refreshAll(), DOCUMENTS);
  asked = 0;
  index.refreshWith(async (id) => told(id, 2, true));
  assert.equal(await index.refreshAll(), DOCUMENTS, 'of ranks');
  assert.equal(asked, 0);
  {
    using snapshot = index.snapshot();
    assert.equal(snapshot.fact('rank', 7), 0.2);
    assert.equal(found(snapshot, phrase('round1', 'said')).length, DOCUMENTS);
  }
  index.refreshWith(async (id) => told(id, 3, id !== '150'));
  assert.equal(await index.refreshAll(), DOCUMENTS);
  assert.equal(asked, 1);
  assert.equal(index.work.merges, 0);
  using snapshot = index.snapshot();
  assert.deepEqual(found(snapshot, term('round3')), ['150']);
  assert.equal(found(snapshot, phrase('round1', 'said')).length, DOCUMENTS - 1);
  assert.equal(snapshot.fact('rank', 7), 0.3);
});

test('anchors that stay from one renewal to the next leave the same files as when all are new', async (t) => {
  const changed = (id: string): boolean => Number(id) % 10 === 3;
  const files = async (folder: string, rounds: readonly ((id: string) => AnchorText[])[]): Promise<Buffer[]> => {
    await using index = await filled(folder);
    for (const [round, anchors] of rounds.entries()) {
      index.refreshWith(async (id) => ({
        ...{ anchors: anchors(id), rank: 0.5, cluster: 0, hasSameAnchors: round > 0 && !changed(id) },
      }));
      await index.refreshAll();
    }
    const names = readdirSync(folder).filter((name) => name.endsWith('.documents'));
    return names.map((name) => readFileSync(join(folder, name))).sort(Buffer.compare);
  };
  const last = (id: string): AnchorText[] => anchorsOf(id, changed(id) ? 2 : 1);
  const inTwo = await files(temporaryFolder(t), [(id) => anchorsOf(id, 1), last]);
  const atOnce = await files(temporaryFolder(t), [last]);
  assert.equal(inTwo.length, DOCUMENTS / PER_COMMIT);
  assert.deepEqual(inTwo, atOnce);
});

test('anchors that were prepared leave the same files as when all are new, and nothing is written for them', async (t) => {
  const changed = (id: string): boolean => Number(id) % 10 === 3;
  const last = (id: string): AnchorText[] => anchorsOf(id, changed(id) ? 2 : 1);
  let asked = 0;
  const files = async (folder: string, preparedSegments: number): Promise<Buffer[]> => {
    await using index = await filled(folder);
    index.refreshWith(async (id) => ({ anchors: anchorsOf(id, 1), rank: 0, cluster: 0 }));
    const { bytesWritten } = index.work;
    let left = preparedSegments * PER_COMMIT;
    if (left > 0) await index.refreshAll({ mark: 1, isPreparation: true, isOver: () => left-- < 0 });
    assert.equal(index.work.bytesWritten, bytesWritten);
    asked = 0;
    index.refreshWith(async (id, _, mark) => ({
      ...{ rank: 0.5, cluster: 0, hasSameAnchors: mark === 1 && !changed(id) },
      get anchors() {
        asked++;
        return last(id);
      },
    }));
    assert.equal(await index.refreshAll({ mark: 2 }), DOCUMENTS);
    const names = readdirSync(folder).filter((name) => name.endsWith('.documents'));
    return names.map((name) => readFileSync(join(folder, name))).sort(Buffer.compare);
  };
  const atOnce = await files(temporaryFolder(t), 0);
  assert.equal(asked, DOCUMENTS);
  assert.deepEqual(await files(temporaryFolder(t), DOCUMENTS), atOnce);
  assert.equal(asked, DOCUMENTS / 10);
  assert.deepEqual(await files(temporaryFolder(t), 1.5), atOnce, 'of a part of the segments');
  assert.ok(asked > DOCUMENTS / 10 && asked < DOCUMENTS, `${asked} were asked for`);
});

test('ranks alone are renewed in any segment, though documents of it are deleted or it has lists of word pairs', async (t) => {
  const folder = temporaryFolder(t);
  await using index = await filled(folder, { ranking: { ...DEFAULT_RANKING, pairedDocuments: 50 } });
  index.remove('7');
  await index.commit();
  index.refreshWith(async (id) => ({ anchors: anchorsOf(id, 0), rank: 0.5, cluster: 1 }));
  assert.equal(await index.refreshAll(), DOCUMENTS - 1);
  assert.equal(index.work.merges, 0);
  await using reader = await openSegmentIndex({ folder, analyze: analyzeWords, readOnly: true });
  using snapshot = reader.snapshot();
  assert.equal(snapshot.documents, DOCUMENTS - 1);
  assert.equal(snapshot.find('7'), undefined);
  assert.equal(snapshot.fact('rank', 8), 0.5);
});

test('a document whose anchors nobody knows keeps those that were renewed before', async (t) => {
  const folder = temporaryFolder(t);
  await using index = await filled(folder);
  index.refreshWith(async (id) => ({ anchors: anchorsOf(id, 1), rank: 0, cluster: 0 }));
  await index.refreshAll();
  index.refreshWith(async (id) => (Number(id) < 10 ? undefined : { anchors: anchorsOf(id, 2), rank: 0, cluster: 0 }));
  await index.refreshAll();
  using snapshot = index.snapshot();
  assert.equal(found(snapshot, term('round1')).length, 10);
  assert.equal(found(snapshot, term('round2')).length, DOCUMENTS - 10);
});

test('a renewal that finds the disk full leaves the index as it was, and nothing half-written', async (t) => {
  const folder = temporaryFolder(t);
  let room = Number.POSITIVE_INFINITY;
  const disk: IndexDisk = {
    ...nodeIndexDisk,
    create(path) {
      const file = nodeIndexDisk.create(path);
      const append = (bytes: Uint8Array): void => {
        room -= bytes.length;
        if (room < 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
        file.append(bytes);
      };
      return { ...file, append };
    },
  };
  await using index = await filled(folder, { disk });
  index.refreshWith(async (id) => ({ anchors: anchorsOf(id, 1), rank: 0, cluster: 0 }));
  const files = readdirSync(folder).sort();
  const one = statSync(join(folder, files.find((name) => name.endsWith('.documents'))!)).size;
  // In the first segment, and in one after it.
  for (const left of [10, 2 * one]) {
    room = left;
    await assert.rejects(index.refreshAll(), (error) => error instanceof OrbweaverError && error.code === 'DISK_FULL');
    assert.deepEqual(readdirSync(folder).sort(), files);
    using snapshot = index.snapshot();
    assert.deepEqual(found(snapshot, term('round1')), []);
    assert.equal(snapshot.documents, DOCUMENTS);
  }
  room = Number.POSITIVE_INFINITY;
  assert.equal(await index.refreshAll(), DOCUMENTS);
  using snapshot = index.snapshot();
  assert.equal(found(snapshot, term('round1')).length, DOCUMENTS);
});

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'renewed-segments-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
