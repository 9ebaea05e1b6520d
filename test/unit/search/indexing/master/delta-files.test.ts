import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { systemClock } from '../../../../../src/base/clock.ts';
import { SectionsReader, SectionsWriter } from '../../../../../src/index/delta/delta-sections.ts';
import { DOCUMENT_STATES, Ledger } from '../../../../../src/index/delta/ledger.ts';
import type { DeltaHead } from '../../../../../src/index/delta/make-delta.ts';
import { manifestName, newestManifest } from '../../../../../src/index/store/manifest.ts';
import { indexFolder } from '../../../../../src/search/indexing/index-folder.ts';
import { feedMaster } from '../../../../../src/search/indexing/master/feed-master.ts';
import { writeDelta } from '../../../../../src/search/indexing/master/write-delta.ts';
import { openIndexOf } from '../../../../../src/search/indexing/open-index.ts';
import { rebuildIndex } from '../../../../../src/search/indexing/rebuild-index.ts';
import { openSearcher } from '../../../../../src/search/open-searcher.ts';
import { propertyRuns } from '../../../../property-runs.ts';
import { giveOlderForm } from '../older-form.ts';
import { FedFolders, heldIn, Texts } from './fed-folders.ts';

const code = (expected: string, message: RegExp) => (error: { code: string; message: string; remedy?: string }) => {
  assert.equal(error.code, expected, error.message);
  assert.match(error.message, message);
  assert.ok(error.remedy !== undefined, 'it names its remedy');
  return true;
};

/** Changes the manifest of the index of a folder. */
function changeManifest(folder: string, change: (manifest: Record<string, unknown>) => object): void {
  const place = indexFolder(folder);
  const path = `${place}/${manifestName(newestManifest(place))}`;
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')))));
}

test('deltas as files: compressed, in order, once each; what is lost is made up for by a whole one', async () => {
  using folders = new FedFolders();
  const texts = new Texts(21);
  const master = folders.of('master');
  const documents = Array.from({ length: 300 }, (_, number) => texts.document(number));
  const source = await folders.change('a', documents, [], true);
  const file = (name: string): string => folders.of(`${name}.delta`);

  const whole = await writeDelta(source, file('first'));
  assert.deepEqual(
    { ...whole, bytes: 0 },
    { sent: 300, removed: 0, restamped: 0, documents: 300, bytes: 0, whole: true },
  );
  assert.equal(statSync(file('first')).size, whole.bytes);
  const parts = ['postings', 'positions', 'strings', 'documents'];
  const plain = parts.reduce((sum, part) => sum + statSync(`${source}/index/${segmentOf(source)}.${part}`).size, 0);
  assert.ok(whole.bytes < plain * 0.9, `${whole.bytes} of ${plain} bytes`);
  await feedMaster(master, [file('first')]);
  assert.deepEqual(heldIn(master), heldIn(source));

  assert.equal((await writeDelta(source, file('none'))).bytes, 0);
  assert.ok(!existsSync(file('none')));
  await assert.rejects(writeDelta(source, file('first')), code('USAGE', /is there already/));

  await folders.change('a', [texts.document(5, 8), texts.document(400, 8)], [documents[7].id], true);
  const second = await writeDelta(source, file('second'));
  assert.deepEqual([second.sent, second.removed, second.whole], [2, 1, false]);
  assert.ok(second.bytes < whole.bytes / 5, `${second.bytes} of ${whole.bytes} bytes`);
  const states = [heldIn(source)];
  await folders.change('a', [texts.document(401, 9)], [], true);
  await writeDelta(source, file('third'));
  states.push(heldIn(source));

  const before = heldIn(master);
  await assert.rejects(feedMaster(master, [file('third')]), code('INPUT_INVALID', /goes on from a state/));
  assert.deepEqual(heldIn(master), before);
  await feedMaster(master, [file('second')]);
  assert.deepEqual(heldIn(master), states[0]);
  // The same again changes nothing.
  const again = await feedMaster(master, [file('second')]);
  assert.equal(again.sources[0].sent, 0);
  assert.deepEqual(heldIn(master), states[0]);

  // The third is lost on its way.
  await folders.change('a', [texts.document(402, 10)]);
  await writeDelta(source, file('fourth'));
  await assert.rejects(feedMaster(master, [file('fourth')]), code('INPUT_INVALID', /goes on from a state/));
  assert.equal((await writeDelta(source, file('fifth'), { whole: true })).sent, 302);
  await feedMaster(master, [file('fifth')]);
  assert.deepEqual(heldIn(master), heldIn(source));
  await assert.rejects(feedMaster(master, [file('first')]), code('INPUT_INVALID', /older than what the master has/));

  // From the folder itself it goes on as well.
  await folders.change('a', [texts.document(403, 11)]);
  assert.equal((await feedMaster(master, [source])).sources[0].sent, 1);
});

test('a delta that was cut off while it was written is made again, or counts where its file is in place', async () => {
  using folders = new FedFolders();
  const texts = new Texts(22);
  const source = await folders.change('a', [texts.document(1), texts.document(2)]);
  const file = folders.of('one.delta');
  await writeDelta(source, file);
  const sent = readFileSync(`${source}/deltas/sent`);
  await folders.change('a', [texts.document(3)]);
  const next = folders.of('two.delta');
  await writeDelta(source, next);
  const then = readFileSync(`${source}/deltas/sent`);
  const { result } = JSON.parse(directoryOf(next)).head;
  const pending = JSON.stringify({ file: next, result });

  // As it is just before the file gets its name, and just after.
  for (const isInPlace of [false, true]) {
    writeFileSync(`${source}/deltas/sent`, sent);
    writeFileSync(`${source}/deltas/sent.new`, then);
    writeFileSync(`${source}/deltas/pending.json`, pending);
    const aside = folders.of('aside');
    if (!isInPlace) renameSync(next, aside);
    const again = folders.of(`again-${isInPlace}.delta`);
    const written = await writeDelta(source, again);
    assert.deepEqual([written.sent, existsSync(again)], isInPlace ? [0, false] : [1, true]);
    if (!isInPlace) renameSync(aside, next);
  }
});

test('a file that was damaged on its way is refused, and the master stays as it is', async () => {
  using folders = new FedFolders();
  const texts = new Texts(23);
  const source = await folders.change('a', [texts.document(1), texts.document(2)]);
  const master = folders.of('master');
  await feedMaster(master, [source]);
  await folders.change('a', [texts.document(3)]);
  const file = folders.of('one.delta');
  await writeDelta(source, file, { whole: true });
  const whole = readFileSync(file);
  const before = heldIn(master);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(whole.length - 1),
      fc.integer({ min: 1, max: 255 }),
      fc.boolean(),
      async (at, flip, cut) => {
        const bytes = Buffer.from(whole);
        bytes[at] ^= flip;
        writeFileSync(file, cut ? whole.subarray(0, at) : bytes);
        await assert.rejects(feedMaster(master, [file]), { code: 'INPUT_INVALID' });
        assert.deepEqual(heldIn(master), before);
      },
    ),
    { numRuns: propertyRuns(60) },
  );
  writeFileSync(file, whole);
  await feedMaster(master, [file]);
  assert.deepEqual(heldIn(master), heldIn(source));
});

test('a file that was changed on purpose leads to no other documents, and to no folder of this machine', async () => {
  using folders = new FedFolders();
  const texts = new Texts(27);
  const source = await folders.change('a', [texts.document(1), texts.document(2)]);
  const file = folders.of('one.delta');
  await writeDelta(source, file);
  const forged = folders.of('forged.delta');
  const master = folders.of('master');
  await forge(file, forged, (head) => ({ ...head, result: '0'.repeat(64) }));
  await assert.rejects(feedMaster(master, [forged]), code('INPUT_INVALID', /does not lead to the documents/));
  await forge(file, forged, (head) => ({ ...head, removed: 5 }));
  await assert.rejects(feedMaster(master, [forged]), code('INPUT_INVALID', /names others/));
  await forge(file, forged, (head) => ({ ...head, segments: [{ documents: 7, hasDeletions: true }] }));
  await assert.rejects(feedMaster(master, [forged]), code('INPUT_INVALID', /another number of documents/));
  const noise = Buffer.alloc(5000, 0xa5);
  await forge(file, forged, (head) => head, { 'segment-0.documents': noise });
  await assert.rejects(feedMaster(master, [forged]), { code: 'INPUT_INVALID' });
  await forge(file, forged, (head) => ({ ...head, version: 99 }));
  await assert.rejects(feedMaster(master, [forged]), { code: 'FOLDER_NEWER_VERSION' });
  await forge(file, forged, () => ({}) as DeltaHead);
  await assert.rejects(feedMaster(master, [forged]), code('INPUT_INVALID', /is no delta/));

  // A path of another machine is none of ours, though there is such a folder here.
  await forge(file, forged, (head) => ({ ...head, origin: { ...head.origin, machine: 'elsewhere.example' } }));
  assert.equal((await feedMaster(master, [forged])).documents, 2);
  await using searcher = await openSearcher(master);
  const { hits } = await searcher.search({ query: 'site:h1.example' });
  assert.deepEqual(
    hits.map(({ snippet }) => snippet),
    [[]],
  );
  assert.deepEqual((await feedMaster(master, [], { onMissing: () => {} })).sources, []);
});

/** The delta with another head, or other sections, and digests that fit. */
async function forge(
  from: string,
  to: string,
  headOf: (head: DeltaHead) => DeltaHead,
  changed: Readonly<Record<string, Uint8Array>> = {},
): Promise<void> {
  using delta = new SectionsReader<DeltaHead>(from);
  const writer = new SectionsWriter(to, true);
  const parts = ['postings', 'positions', 'strings', 'documents'].map((part) => `segment-0.${part}`);
  for (const name of [...parts, 'removed', 'restamped', 'ranks', 'clusters'])
    await writer.add(name, [changed[name] ?? delta.whole(name)]);
  await writer.finish(headOf(delta.head));
}

test('an index that was rebuilt is taken whole', async () => {
  using folders = new FedFolders();
  const texts = new Texts(24);
  const master = folders.of('master');
  const source = await folders.change(
    'a',
    [1, 2, 3].map((number) => texts.document(number)),
  );
  await feedMaster(master, [source]);
  await rebuildIndex(source, systemClock);
  const { sources, documents } = await feedMaster(master, [source]);
  assert.deepEqual([sources[0].whole, sources[0].sent, documents], [true, 3, 3]);
  assert.deepEqual(heldIn(master), heldIn(source));
  assert.equal((await feedMaster(master, [source])).sources[0].bytes, 0);
});

test('what cannot be fed to a master is refused', async () => {
  using folders = new FedFolders();
  const texts = new Texts(25);
  const master = folders.of('master');
  const source = await folders.change('a', [texts.document(1)]);
  const refused = (from: string, expected: string, message: RegExp): Promise<void> =>
    assert.rejects(feedMaster(master, [from]), code(expected, message));

  await assert.rejects(feedMaster(master, [folders.of('nowhere')]), { code: 'INPUT_INVALID' });
  assert.ok(!existsSync(master));
  await feedMaster(master, [source]);
  await refused(master, 'USAGE', /from itself/);
  const other = folders.of('other');
  await feedMaster(other, [source]);
  await refused(other, 'USAGE', /a master index itself/);
  await assert.rejects(feedMaster(source, [other]), code('USAGE', /cannot be a master index/));
  // Nobody else writes to it.
  await assert.rejects(openIndexOf(master), code('USAGE', /is a master index/));
  await assert.rejects(rebuildIndex(master, systemClock), code('USAGE', /is a master index/));

  const copy = folders.of('copy');
  cpSync(source, copy, { recursive: true });
  await refused(copy, 'USAGE', /is a copy of/);

  const strange = await folders.change('strange', [texts.document(2)]);
  changeManifest(strange, ({ origin, ...rest }) => ({
    ...rest,
    origin: { ...(origin as object), analysis: 'another' },
  }));
  await refused(strange, 'INDEX_OUTDATED', /other rules for words/);
  const older = await folders.change('older', [texts.document(3)]);
  giveOlderForm(older);
  await refused(older, 'INDEX_OUTDATED', /older form/);
  const newer = await folders.change('newer', [texts.document(4)]);
  changeManifest(newer, (manifest) => ({ ...manifest, format: 99 }));
  await assert.rejects(feedMaster(master, [newer]), { code: 'FOLDER_NEWER_VERSION' });
  rmSync(`${newer}/index`, { recursive: true });
  await refused(newer, 'INDEX_MISSING', /no search index/);
  writeFileSync(folders.of('text'), 'no delta at all, but long enough to be looked at for one, with some more words');
  await refused(folders.of('text'), 'INPUT_INVALID', /is no delta/);
  assert.equal(heldIn(master).size, 1);
});

test('an index of an earlier version, which does not say which one it is, is known by its folder', async () => {
  using folders = new FedFolders();
  const texts = new Texts(26);
  const master = folders.of('master');
  const source = await folders.change('a', [texts.document(1), texts.document(2)]);
  changeManifest(source, ({ origin: _, ...rest }) => rest);
  await feedMaster(master, [source]);
  assert.equal((await feedMaster(master, [source])).sources[0].bytes, 0);
  // Its next commit names it.
  await folders.change('a', [texts.document(3)]);
  const { sources, documents } = await feedMaster(master, [source]);
  assert.deepEqual([sources[0].sent, documents], [1, 3]);
});

test('a ledger is read back as it was written, and damage is seen', () => {
  const entry = fc.record({
    hash: fc.nat(3),
    mark: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    version: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    standing: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    state: fc.constantFrom(...Object.values(DOCUMENT_STATES)),
  });
  const entries = fc.uniqueArray(entry, { selector: ({ hash, mark }) => `${hash} ${mark}`, maxLength: 40 });
  fc.assert(
    fc.property(entries, fc.nat(), (given, at) => {
      const ledger = Ledger.of(given);
      const bytes = ledger.encode();
      const back = Ledger.decode(bytes);
      assert.deepEqual(back, ledger);
      assert.equal(back?.digest, ledger.digest);
      for (const one of given) assert.deepEqual(ledger.entry(ledger.find(one.hash, one.mark)), { ...one });
      assert.equal(ledger.find(4, 0n), -1);
      bytes[at % bytes.length] ^= 1;
      assert.equal(Ledger.decode(bytes), undefined);
    }),
    { numRuns: propertyRuns(200) },
  );
});

function segmentOf(folder: string): string {
  const place = indexFolder(folder);
  return JSON.parse(readFileSync(`${place}/${manifestName(newestManifest(place))}`, 'utf8')).segments[0].name;
}

/** The directory of a delta, which lies before the last 52 bytes. */
function directoryOf(file: string): string {
  const bytes = readFileSync(file);
  const end = bytes.length - 52;
  return bytes.toString('utf8', end - bytes.readUInt32LE(end), end);
}
