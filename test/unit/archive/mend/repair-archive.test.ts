import assert from 'node:assert/strict';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { cdxjOf, sortedCdxjOf } from '../../../../src/archive/archive-file-name.ts';
import { type Committed, repairArchive } from '../../../../src/archive/mend/repair-archive.ts';
import { readWarc } from '../../../../src/archive/warc/warc-reader.ts';
import type { ArchiveLocation } from '../../../../src/contracts/archive.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { collected, entryOf, NOON, temporaryFolder, testArchive } from '../archive-fixture.ts';

function committedBy(locations: readonly ArchiveLocation[]): Map<string, Committed> {
  return new Map(locations.map((location) => [location.file, location]));
}

async function damageIn(path: string): Promise<string[]> {
  const found: string[] = [];
  for await (const item of readWarc(path)) if (item.kind === 'damage') found.push(item.why);
  return found;
}

/** An archive of some visits, in every form that a line of the index can take. */
async function sampleArchive(folder: string, maxFileBytes = 1_000_000): Promise<ArchiveLocation[]> {
  const archive = testArchive(folder, { maxFileBytes });
  const locations = [
    await archive.put(entryOf({ raw: 'one' })),
    await archive.put(entryOf({ at: NOON + 7, raw: Buffer.from([1, 2]), body: Buffer.from('x'), mediaType: '' })),
    await archive.put(entryOf({ at: NOON + 1000, raw: 'one', revisitOf: { url: 'http://example.com/', date: NOON } })),
    await archive.put(
      entryOf({
        at: NOON + 2000,
        status: 304,
        raw: '',
        revisitOf: { url: 'http://example.com/', date: NOON },
        profile: 'server-not-modified',
      }),
    ),
    await archive.put(entryOf({ url: 'http://example.com/b?q=%22%5C', raw: 'two', mediaType: 'text/x"y\\z' })),
  ];
  await archive.close();
  return locations;
}

/** Each byte near both ends and near the given borders; elsewhere every 23rd. */
function cutsBetween(from: number, to: number, borders: readonly number[]): number[] {
  const near = [from, ...borders, to];
  const all = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return all.filter((end) => (end - from) % 23 === 0 || near.some((border) => Math.abs(end - border) <= 10));
}

describe('repair', () => {
  test('cuts a torn tail, wherever in the last visit it ends', async (t) => {
    const folder = temporaryFolder(t);
    const locations = await sampleArchive(folder);
    const settled = locations.at(-2)!;
    const { file } = settled;
    const warc = readFileSync(join(folder, file));
    const index = readFileSync(join(folder, cdxjOf(file)));
    const whole = readFileSync(join(folder, cdxjOf(file)), 'latin1')
      .split('\n')
      .slice(0, -2);
    const borders: number[] = [];
    for await (const item of readWarc(join(folder, file))) if (item.kind === 'record') borders.push(item.record.offset);
    for (const end of cutsBetween(settled.fileEnd, warc.length, borders)) {
      // The index is written after the WARC: some of its line may be there once the visit is whole.
      const indexEnd =
        end < warc.length ? settled.indexEnd : settled.indexEnd + ((end * 31) % (index.length - settled.indexEnd));
      writeFileSync(join(folder, file), warc.subarray(0, end));
      writeFileSync(join(folder, cdxjOf(file)), index.subarray(0, indexEnd));
      rmSync(join(folder, sortedCdxjOf(file)), { force: true });
      const report = await repairArchive(folder, committedBy([settled]));
      assert.deepEqual(report.removed, []);
      assert.deepEqual(report.lost, []);
      assert.deepEqual(report.reindexed, []);
      assert.deepEqual(report.cut, end === settled.fileEnd ? [] : [{ file, bytes: end - settled.fileEnd }]);
      assert.ok(readFileSync(join(folder, file)).equals(warc.subarray(0, settled.fileEnd)));
      assert.ok(readFileSync(join(folder, cdxjOf(file))).equals(index.subarray(0, settled.indexEnd)));
      assert.equal(readFileSync(join(folder, sortedCdxjOf(file)), 'latin1'), `${whole.toSorted().join('\n')}\n`);
    }
    assert.deepEqual(await damageIn(join(folder, file)), []);
    const archive = testArchive(folder);
    assert.equal(await archive.get('http://example.com/b?q=%22%5C' as CanonicalUrl), undefined);
    assert.equal(String(Buffer.from((await archive.get('http://example.com/' as CanonicalUrl))?.body ?? [])), 'one');
  });

  test('cuts a torn line of the index, wherever it ends', async (t) => {
    const folder = temporaryFolder(t);
    const [settled, next] = await sampleArchive(folder);
    const path = join(folder, cdxjOf(settled.file));
    const index = readFileSync(path);
    for (const end of cutsBetween(settled.indexEnd, next.indexEnd, [])) {
      writeFileSync(path, index.subarray(0, end));
      await repairArchive(folder, committedBy([settled]));
      assert.ok(readFileSync(path).equals(index.subarray(0, settled.indexEnd)));
      assert.ok(readFileSync(join(folder, sortedCdxjOf(settled.file))).equals(index.subarray(0, settled.indexEnd)));
    }
  });

  test('removes files without a settled page, leaves foreign ones alone, and is not needed twice', async (t) => {
    const folder = temporaryFolder(t);
    const locations = await sampleArchive(folder, 2000);
    const files = [...new Set(locations.map((location) => location.file))];
    assert.ok(files.length >= 2);
    const foreign = ['other.warc.gz', 'notes.txt', 'orbweaver.cdxj', 'x.cdxj.sorted'];
    for (const name of foreign) writeFileSync(join(folder, name), 'mine');
    writeFileSync(join(folder, `${sortedCdxjOf(files[0])}.tmp`), 'half');
    writeFileSync(join(folder, 'orbweaver-20250102120000-00000-main.cdxj'), 'orphan');
    const kept = locations.filter((location) => location.file === files[0]);
    const report = await repairArchive(folder, committedBy(kept));
    assert.deepEqual(report.removed, files.slice(1));
    const left = [files[0], cdxjOf(files[0]), sortedCdxjOf(files[0]), ...foreign];
    assert.deepEqual(readdirSync(folder).sort(), left.sort());
    const again = await repairArchive(folder, committedBy(kept));
    assert.deepEqual(again, { removed: [], cut: [], reindexed: [], lost: [] });
  });

  test('makes a lost or shortened index anew, the same byte for byte', async (t) => {
    const folder = temporaryFolder(t);
    const locations = await sampleArchive(folder);
    const { file } = locations[0];
    const path = join(folder, cdxjOf(file));
    const index = readFileSync(path);
    for (const spoil of [
      () => rmSync(path),
      () => truncateSync(path, 10),
      () => writeFileSync(path, ''),
      () => writeFileSync(path, Buffer.alloc(index.length)),
    ]) {
      spoil();
      const report = await repairArchive(folder, committedBy(locations));
      assert.deepEqual(report.reindexed, [file]);
      assert.equal(readFileSync(path, 'latin1'), index.toString('latin1'));
      assert.ok(await testArchive(folder).get('http://example.com/b?q=%22%5C' as CanonicalUrl));
    }
  });

  test('tells of settled pages that are gone, and changes nothing then', async (t) => {
    const folder = temporaryFolder(t);
    const locations = await sampleArchive(folder);
    const { file, fileEnd } = locations.at(-1)!;
    truncateSync(join(folder, file), fileEnd - 20);
    const missing = {
      file: 'orbweaver-20260102120000-00009-main.warc.gz',
      offset: 1,
      length: 1,
      fileEnd: 9,
      indexEnd: 9,
    };
    const report = await repairArchive(folder, committedBy([...locations, missing]));
    assert.deepEqual(report.lost, [
      { file, committed: fileEnd, present: fileEnd - 20 },
      { file: missing.file, committed: 9, present: 0 },
    ]);
    assert.equal(statSync(join(folder, file)).size, fileEnd - 20);
    assert.ok(await testArchive(folder).get('http://example.com/' as CanonicalUrl));
  });

  test('goes on after a repair in a new file, and nothing is stored twice', async (t) => {
    const folder = temporaryFolder(t);
    const locations = await sampleArchive(folder);
    await repairArchive(folder, committedBy(locations.slice(0, 1)));
    const archive = testArchive(folder);
    const { file } = await archive.put(entryOf({ url: 'http://example.com/b?q=%22%5C', raw: 'two' }));
    await archive.close();
    assert.ok(file > locations[0].file);
    const urls = (await collected(archive.scan())).map((document) => document.url);
    assert.deepEqual(urls, ['http://example.com/', 'http://example.com/b?q=%22%5C']);
  });

  test('refuses to throw away an archive that the state does not know', async (t) => {
    const folder = temporaryFolder(t);
    await sampleArchive(folder);
    await assert.rejects(repairArchive(folder, new Map(), 1000), { code: 'FOLDER_CORRUPT' });
    assert.equal((await testArchive(folder).files()).length, 1);
    const copy = join(folder, 'copy');
    mkdirSync(copy);
    for (const name of await testArchive(folder).files()) copyFileSync(join(folder, name), join(copy, name));
    assert.equal((await repairArchive(copy, new Map())).removed.length, 1);
    cpSync(copy, join(folder, 'empty'), { recursive: true });
    assert.deepEqual(await repairArchive(join(folder, 'empty'), new Map()), {
      removed: [],
      cut: [],
      reindexed: [],
      lost: [],
    });
  });

  test('a folder that does not exist needs no repair', async (t) => {
    const report = await repairArchive(join(temporaryFolder(t), 'none'), new Map());
    assert.deepEqual(report, { removed: [], cut: [], reindexed: [], lost: [] });
  });
});
