import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ArchiveDisk, nodeDisk } from '../../src/archive/archive-disk.ts';
import { resolveSettings } from '../../src/base/settings/resolve-settings.ts';
import { openCrawl } from '../../src/crawl/assemble.ts';
import { checkFolder } from '../../src/crawl/check/check-folder.ts';
import { repairFolder } from '../../src/crawl/check/repair-folder.ts';
import { readSeeds } from '../../src/seeds/read-seeds.ts';
import { startSyntheticWeb, type WebServer } from '../../src/simulate/server/web-server.ts';
import { crawlWeb, storedPages, temporaryFolder } from '../crawl/crawl-web.ts';
import { expectedPages } from './damaged-folder.ts';

const quiet = (): void => {};

interface Written {
  length: number;
  /** Bytes that a power cut leaves. */
  synced: number;
  /** Its name would be found after a power cut. */
  named: boolean;
}

/** Parts of what is not synced that the device has after all, 0 to 1. With `power` the log of a commit is synced. */
interface Left {
  readonly archive: number;
  readonly log: number;
}

/** Writes through to the disk and remembers what of it has been synced. `onAppend` is told between any two writes. */
class RecordingDisk implements ArchiveDisk {
  readonly files = new Map<string, Written>();
  readonly syncedFolders = new Set<string>();
  onAppend: () => void = quiet;

  create(path: string) {
    const file = nodeDisk.create(path);
    const written: Written = { length: 0, synced: 0, named: false };
    this.files.set(path, written);
    return {
      append: (parts: readonly Uint8Array[]) => {
        const count = file.append(parts);
        written.length += count;
        this.onAppend();
        return count;
      },
      truncate: (length: number) => file.truncate(length),
      sync: async () => {
        const { length } = written;
        await file.sync();
        written.synced = Math.max(written.synced, length);
      },
      close: () => file.close(),
    };
  }

  list(folder: string): string[] {
    return nodeDisk.list(folder);
  }

  async syncFolder(folder: string): Promise<void> {
    const before = [...this.files].filter(([path]) => dirname(path) === folder);
    await nodeDisk.syncFolder(folder);
    this.syncedFolders.add(folder);
    for (const [, written] of before) written.named = true;
  }

  /** Makes a copy of the archive what the device would hold; `torn` of what is not synced is there after all, 0 to 1. */
  cut(archive: string, torn: number): void {
    for (const [path, { length, synced, named }] of this.files) {
      const file = join(archive, basename(path));
      if (!existsSync(file)) continue;
      if (!named && torn === 0) rmSync(file);
      else truncateSync(file, synced + Math.floor((length - synced) * torn));
    }
  }
}

describe('a power cut', () => {
  const folders = temporaryFolder();
  let web: WebServer;
  before(async () => {
    web = await startSyntheticWeb({
      ...{ hosts: 3, pagesPerHost: 12, seed: 9, retryAfterSeconds: 0, crawlDelaySeconds: 0, slowRobotsMs: 5 },
      robots: { broken: 0 },
    });
  });
  after(async () => {
    await web[Symbol.asyncDispose]();
    folders[Symbol.dispose]();
  });

  /** Crawls, and copies the folder as the device would hold it at some of the writes. */
  async function cutCrawl(durability: 'process' | 'power', left: readonly Left[]): Promise<string[]> {
    const folder = join(folders.path, `${durability}-crawl`);
    const disk = new RecordingDisk();
    const copies: string[] = [];
    let appends = 0;
    disk.onAppend = () => {
      // Twelve appends apart: within visits, between them, before and after the files are begun.
      if (++appends % 12 !== 1 || copies.length >= left.length) return;
      const copy = join(folders.path, `${durability}-${copies.length}`);
      // Nothing else runs now: what is in the files is what the system has been given.
      cpSync(folder, copy, { recursive: true });
      disk.cut(join(copy, 'archive'), left[copies.length].archive);
      cutLog(join(copy, 'state.db-wal'), left[copies.length].log);
      copies.push(copy);
    };
    const { settings } = resolveSettings({
      overrides: {
        ...{ scope: 'any', delay: 20, delayFactor: 0, backoffStart: 50, concurrency: 32, workers: 0, sitemaps: 'off' },
        ...{ allowPrivate: true, hosts: web.hostsMap(), durability },
      },
    });
    await using crawl = await openCrawl({ folder, settings, version: 'test', disk });
    await crawl.addSeeds(await readSeeds({ args: web.origins, files: [] }));
    await crawl.run();
    if (durability === 'power')
      for (const place of [folder, dirname(folder), join(folder, 'archive')])
        assert.ok(disk.syncedFolders.has(place), `${place} is found after a power cut`);
    assert.equal(copies.length, left.length);
    return copies;
  }

  /** Transactions that were never synced are lost from some point on. */
  function cutLog(log: string, left: number): void {
    if (existsSync(log)) truncateSync(log, Math.floor(statSync(log).size * left));
  }

  test('with durability power: whatever is settled is there, at every instant', async () => {
    const copies = await cutCrawl(
      'power',
      [0, 0, 0.5, 0, 0.9].map((archive) => ({ archive, log: 1 })),
    );
    for (const copy of copies) assert.deepEqual((await checkFolder(copy, quiet)).problems, [], copy);
    const last = copies[copies.length - 1];
    const settled = storedPages(last);
    assert.ok(settled.length > 5);
    await crawlWeb(web, last);
    assert.deepEqual(storedPages(last), expectedPages(web));
  });

  test('with durability process: what is lost is told, repaired, and fetched again', async () => {
    const copies = await cutCrawl('process', [
      { archive: 1, log: 0 },
      { archive: 0.3, log: 1 },
      { archive: 0.99, log: 1 },
      { archive: 0.7, log: 0.4 },
      { archive: 0, log: 1 },
    ]);
    let repaired = 0;
    for (const copy of copies) {
      const { remaining, problems } = await repairFolder(copy, quiet);
      if (problems.length > 0) repaired++;
      assert.deepEqual(remaining, [], copy);
      assert.deepEqual((await checkFolder(copy, quiet)).problems, [], copy);
    }
    assert.ok(repaired >= 2, 'some of them had lost what was settled');
    for (const copy of copies.slice(1, 4)) {
      await crawlWeb(web, copy);
      assert.deepEqual(storedPages(copy), expectedPages(web));
    }
  });

  test('with durability process: an archive behind its state is a damaged folder', async () => {
    const copy = join(folders.path, 'behind');
    await crawlWithArchiveBehind(copy, web);
    await assert.rejects(crawlWeb(web, copy), { code: 'FOLDER_CORRUPT', remedy: /orbweaver check --repair --dir/ });
    await repairFolder(copy, quiet);
    await crawlWeb(web, copy);
    assert.deepEqual(storedPages(copy), expectedPages(web));
  });
});

/** The system has written the state back to the device before the archive. */
async function crawlWithArchiveBehind(folder: string, web: WebServer): Promise<void> {
  await crawlWeb(web, folder, { maxPages: 10 });
  const archive = join(folder, 'archive');
  for (const name of readdirSync(archive))
    truncateSync(join(archive, name), Math.floor(statSync(join(archive, name)).size / 3));
}
