import assert from 'node:assert/strict';
import { existsSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type ArchiveDisk, type ArchiveFile, nodeDisk } from '../../../../src/archive/archive-disk.ts';
import { cdxjOf } from '../../../../src/archive/archive-file-name.ts';
import { readWarc } from '../../../../src/archive/warc/warc-reader.ts';
import type { ArchiveLocation } from '../../../../src/contracts/archive.ts';
import { entryOf, NOON, temporaryFolder, testArchive } from '../archive-fixture.ts';

/** A real disk that has `room` bytes left and then says ENOSPC, writing what still fits as real ones do. */
class SmallDisk implements ArchiveDisk {
  room: number;
  truncates = true;
  writes = 0;
  synced = 0;

  constructor(room: number) {
    this.room = room;
  }

  create(path: string): ArchiveFile {
    const file = nodeDisk.create(path);
    return {
      append: (parts) => {
        this.writes++;
        const bytes = Buffer.concat(parts);
        if (this.room === 0)
          throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
        const fits = bytes.subarray(0, this.room);
        this.room -= fits.length;
        return file.append([fits]);
      },
      truncate: (length) => {
        if (this.truncates) file.truncate(length);
        else throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      },
      sync: async () => {
        this.synced++;
      },
      close: () => file.close(),
    };
  }

  list(folder: string): string[] {
    return nodeDisk.list(folder);
  }

  async syncFolder(): Promise<void> {
    this.synced++;
  }
}

async function items(path: string): Promise<string[]> {
  const found: string[] = [];
  for await (const item of readWarc(path)) found.push(item.kind === 'damage' ? item.why : item.record.type);
  return found;
}

describe('a full disk', () => {
  test('rejects with DISK_FULL, leaves whole visits only, and writes nothing more', async (t) => {
    // Wherever the room ends: within the warcinfo, a record, an index line.
    for (let room = 0; room < 4200; room += 97) {
      const folder = temporaryFolder(t);
      const disk = new SmallDisk(room);
      const archive = testArchive(folder, { disk });
      let last: ArchiveLocation | undefined;
      let stored = 0;
      await assert.rejects(
        async () => {
          for (;;) {
            last = await archive.put(entryOf({ url: `http://example.com/${stored}` }));
            stored++;
          }
        },
        { code: 'DISK_FULL' },
      );
      const writes = disk.writes;
      disk.room = 1_000_000;
      await assert.rejects(archive.put(entryOf()), { code: 'DISK_FULL' });
      assert.equal(disk.writes, writes);
      await archive.close();
      const [file] = await archive.files();
      assert.equal(statSync(join(folder, file)).size, last?.fileEnd ?? 0);
      assert.equal(statSync(join(folder, cdxjOf(file))).size, last?.indexEnd ?? 0);
      const expected =
        stored === 0 ? [] : ['warcinfo', ...Array(stored).fill(['request', 'response', 'metadata']).flat()];
      assert.deepEqual(await items(join(folder, file)), expected);
    }
  });

  test('what cannot even be cut off is left to the repair', async (t) => {
    const folder = temporaryFolder(t);
    const disk = new SmallDisk(1500);
    disk.truncates = false;
    const archive = testArchive(folder, { disk });
    await assert.rejects(
      async () => {
        for (;;) await archive.put(entryOf());
      },
      { code: 'DISK_FULL' },
    );
    assert.ok(readdirSync(folder).length > 0);
  });

  test('/dev/full says the same', { skip: existsSync('/dev/full') ? false : 'no /dev/full here' }, async (t) => {
    const disk: ArchiveDisk = {
      ...nodeDisk,
      create(path) {
        const file = nodeDisk.create(path);
        if (!path.endsWith('.warc.gz')) return file;
        const full = openSync('/dev/full', 'w');
        return { ...file, append: (parts) => writeSync(full, Buffer.concat(parts)) };
      },
    };
    await assert.rejects(testArchive(temporaryFolder(t), { disk }).put(entryOf()), { code: 'DISK_FULL' });
  });
});

describe('other failures', () => {
  test('a disk that cannot be written to: FOLDER_UNWRITABLE, again and again', async (t) => {
    const disk: ArchiveDisk = {
      ...nodeDisk,
      create() {
        throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
      },
    };
    const archive = testArchive(temporaryFolder(t), { disk });
    await assert.rejects(archive.put(entryOf()), { code: 'FOLDER_UNWRITABLE' });
    await assert.rejects(archive.put(entryOf()), { code: 'FOLDER_UNWRITABLE', message: /EROFS/ });
    await archive.close();
  });

  test('a failed sync fails the puts that wait for it', async (t) => {
    let broken = false;
    const disk: ArchiveDisk = {
      ...nodeDisk,
      create(path) {
        const file = nodeDisk.create(path);
        return {
          ...file,
          sync: async () => {
            if (broken) throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
          },
        };
      },
    };
    const archive = testArchive(temporaryFolder(t), { disk, sync: 'data' });
    await archive.put(entryOf());
    broken = true;
    const failed = await Promise.allSettled([archive.put(entryOf()), archive.put(entryOf()), archive.put(entryOf())]);
    assert.deepEqual(
      failed.map((put) => put.status),
      ['rejected', 'rejected', 'rejected'],
    );
  });
});

describe('one visit', () => {
  test('goes to the WARC in one write and to the index in another', async (t) => {
    const disk = new SmallDisk(1_000_000);
    const archive = testArchive(temporaryFolder(t), { disk });
    for (let n = 1; n <= 5; n++) {
      await archive.put(entryOf({ raw: Buffer.alloc(200_000, 'x'), mediaType: n % 2 ? 'image/png' : 'text/html' }));
      assert.equal(disk.writes, 2 * n);
    }
    assert.equal(disk.synced, 0);
  });

  test("with sync 'data' it resolves only after the device has it, and many share a sync", async (t) => {
    const events: string[] = [];
    const disk: ArchiveDisk = {
      ...nodeDisk,
      create(path) {
        const file = nodeDisk.create(path);
        const kind = path.endsWith('.cdxj') ? 'index' : 'warc';
        return {
          ...file,
          append(parts) {
            events.push(`write ${kind}`);
            return file.append(parts);
          },
          async sync() {
            await file.sync();
            events.push(`sync ${kind}`);
          },
        };
      },
    };
    await using archive = testArchive(temporaryFolder(t), { disk, sync: 'data' });
    await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        await archive.put(entryOf({ at: NOON + n }));
        const written = events.lastIndexOf('write index', events.length);
        events.push(`stored ${n}`);
        assert.ok(written >= 0);
      }),
    );
    // The first put starts a sync at once, the other nine share the second one.
    assert.equal(events.filter((event) => event === 'sync warc').length, 2);
    assert.ok(events.indexOf('stored 0') > events.indexOf('sync warc'));
    assert.ok(events.indexOf('stored 9') > events.lastIndexOf('sync warc'));
    assert.ok(events.indexOf('stored 1') > events.lastIndexOf('sync index'));
  });

  test("with sync 'data' no put resolves before a sync that began after its write", async (t) => {
    let written = 0;
    let safe = 0;
    const disk: ArchiveDisk = {
      ...nodeDisk,
      create(path) {
        const file = nodeDisk.create(path);
        if (path.endsWith('.cdxj')) return { ...file, sync: async () => {} };
        return {
          ...file,
          append(parts) {
            const count = file.append(parts);
            written += count;
            return count;
          },
          async sync() {
            const covered = written;
            await file.sync();
            safe = Math.max(safe, covered);
          },
        };
      },
    };
    await using archive = testArchive(temporaryFolder(t), { disk, sync: 'data' });
    // Each of these puts again as soon as its last one resolves: just between the end of one sync and the next.
    const chains = Array.from({ length: 5 }, async (_, chain) => {
      for (let n = 0; n < 20 + chain; n++) {
        const { fileEnd } = await archive.put(entryOf({ at: NOON + n }));
        assert.ok(safe >= fileEnd, `${safe} of ${fileEnd} bytes are safe`);
      }
    });
    await Promise.all(chains);
  });

  test('a name that is taken is passed over', async (t) => {
    const folder = temporaryFolder(t);
    const taken = new Set(['orbweaver-20260102120000-00000-main.cdxj', 'orbweaver-20260102120000-00001-main.warc.gz']);
    const disk: ArchiveDisk = {
      ...nodeDisk,
      create(path) {
        for (const name of taken) {
          if (path.endsWith(name)) throw Object.assign(new Error('EEXIST: file already exists'), { code: 'EEXIST' });
        }
        return nodeDisk.create(path);
      },
    };
    await using archive = testArchive(folder, { disk });
    const { file } = await archive.put(entryOf());
    assert.equal(file, 'orbweaver-20260102120000-00002-main.warc.gz');
    assert.ok(readFileSync(join(folder, file)).length > 0);
  });
});
