import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cdxjOf } from '../archive-file-name.ts';
import { fileLength, removeSortedCdxj, sortCdxj } from '../cdxj/cdxj-sort.ts';
import { storageError } from '../storage-error.ts';
import { canFill, fillerMember } from '../warc/filler-record.ts';
import type { CheckedFile, DamagedRange } from './check-archive.ts';
import { type Committed, reindexFile } from './repair-archive.ts';

export interface MendedFile {
  readonly file: string;
  /** What is settled from now on; undefined where nothing is left. */
  readonly committed: Committed | undefined;
  readonly lostBytes: number;
  /** Copies of what was taken out. */
  readonly kept: readonly string[];
}

export interface MendOptions {
  readonly folder: string;
  /** Where damaged bytes are kept. */
  readonly damagedFolder: string;
  readonly now: number;
  readonly uuid?: () => string;
}

/**
 * Makes a damaged file sound again without moving what is whole: damaged bytes within it give way to a record of the same
 * length, a damaged end is cut off, the index is made again. The damaged bytes are copied first, so that nothing is lost that
 * was there. A repair that was cut off is done again in full; doing it twice changes nothing more.
 */
export async function mendFile(checked: CheckedFile, options: MendOptions): Promise<MendedFile> {
  const { file, committed, present, damage, soundEnd } = checked;
  const { folder } = options;
  const path = join(folder, file);
  try {
    if (present === undefined || soundEnd === 0) return await removeFile(checked, options);
    const kept: string[] = [];
    for (const range of damage) {
      const end = Math.min(range.to, present);
      if (end > range.from) kept.push(await keepBytes({ ...range, to: end }, file, options));
      if (range.to < soundEnd) await fill(path, range, options);
    }
    const fileEnd = Math.min(committed.fileEnd, soundEnd);
    if (fileEnd < committed.fileEnd) await truncateSynced(path, fileEnd);
    if (damage.length > 0 || checked.index !== 'sound') await reindexFile(folder, file, fileEnd);
    if (damage.length > 0 || checked.index !== 'sound' || checked.sorted !== 'sound') {
      await removeSortedCdxj(folder, file);
      await sortCdxj(folder, file);
    }
    const indexEnd = (await fileLength(join(folder, cdxjOf(file)))) ?? 0;
    const lostBytes = damage.reduce((sum, { from, to }) => sum + to - from, 0);
    return { file, committed: { fileEnd, indexEnd }, lostBytes, kept };
  } catch (error) {
    throw storageError(error, folder);
  }
}

async function removeFile({ file, committed, present }: CheckedFile, options: MendOptions): Promise<MendedFile> {
  const { folder, damagedFolder } = options;
  const kept: string[] = [];
  if (present !== undefined && present > 0) {
    await mkdir(damagedFolder, { recursive: true });
    kept.push(join(damagedFolder, file));
    await copyFile(join(folder, file), `${kept[0]}.part`);
    await rename(`${kept[0]}.part`, kept[0]);
  }
  await removeSortedCdxj(folder, file);
  await rm(join(folder, cdxjOf(file)), { force: true });
  await rm(join(folder, file), { force: true });
  return { file, committed: undefined, lostBytes: committed.fileEnd, kept };
}

async function keepBytes({ from, to }: DamagedRange, file: string, options: MendOptions): Promise<string> {
  await mkdir(options.damagedFolder, { recursive: true });
  const target = join(options.damagedFolder, `${file}.bytes-${from}-${to}`);
  // Kept before, by a repair that was cut off while it replaced them: what is there now is worse.
  if ((await fileLength(target)) === to - from) return target;
  const source = await open(join(options.folder, file), 'r');
  const copy = await open(`${target}.part`, 'w');
  try {
    await copy.writeFile(source.createReadStream({ start: from, end: to - 1, autoClose: false }));
    await copy.sync();
  } finally {
    await source.close();
    await copy.close();
  }
  await rename(`${target}.part`, target);
  return target;
}

async function fill(path: string, { from, to }: DamagedRange, { now, uuid = randomUUID }: MendOptions): Promise<void> {
  if (!canFill(to - from)) return;
  const handle = await open(path, 'r+');
  try {
    const filler = fillerMember(to - from, uuid(), now);
    for (let at = 0; at < filler.length; )
      at += (await handle.write(filler, at, filler.length - at, from + at)).bytesWritten;
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function truncateSynced(path: string, length: number): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.truncate(length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
