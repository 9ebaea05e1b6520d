import { open, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { OrbweaverError } from '../../base/errors.ts';
import type { ArchiveLocation } from '../../contracts/archive.ts';
import { cdxjOf, parseArchiveFileName, sortedCdxjOf } from '../archive-file-name.ts';
import { captureOf } from '../archived-response.ts';
import { archiveFiles, listFolder } from '../cdxj/cdxj-index.ts';
import { formatCdxj } from '../cdxj/cdxj-line.ts';
import { fileLength, hasSortedCdxj, removeSortedCdxj, sortCdxj } from '../cdxj/cdxj-sort.ts';
import { readableFiles } from '../shipping/readable-files.ts';
import { ShippedMarkers } from '../shipping/shipped-markers.ts';
import { storageError } from '../storage-error.ts';
import { readWarc } from '../warc/warc-reader.ts';

/** How far a WARC and its index hold settled pages. */
export type Committed = Pick<ArchiveLocation, 'fileEnd' | 'indexEnd'>;

export interface RepairReport {
  /** Files that held no settled page. */
  readonly removed: string[];
  /** Files of which an unsettled or torn end was cut off. */
  readonly cut: { readonly file: string; readonly bytes: number }[];
  /** Files whose index was rebuilt from the WARC. */
  readonly reindexed: string[];
  /** Files that have lost settled pages: a power failure without `sync: 'data'`, or somebody's hand. Nothing is changed then. */
  readonly lost: { readonly file: string; readonly committed: number; readonly present: number }[];
}

/** No crash leaves more than this unsettled; a state that settles less was lost or put back from an old copy. */
const MAX_UNSETTLED_BYTES = 1024 ** 3;

/**
 * Brings the archive back to what the state of the crawl has settled. Run before the first `put` of a session, while
 * nobody writes. Afterwards every file ends with its last settled visit, so that no page is ever stored twice.
 * Files that are not ours are left alone. Running it twice, or being killed within it, does no harm.
 */
export async function repairArchive(
  folder: string,
  committed: ReadonlyMap<string, Committed>,
  maxUnsettledBytes = MAX_UNSETTLED_BYTES,
): Promise<RepairReport> {
  const report: RepairReport = { removed: [], cut: [], reindexed: [], lost: [] };
  try {
    const files = await archiveFiles(folder);
    const shipped = new ShippedMarkers(folder);
    await refuseToDestroy(folder, files, committed, maxUnsettledBytes);
    await findLost(folder, committed, shipped, report);
    // What is damaged is left as it is for `orbweaver check --repair`, which keeps a copy of what it takes out.
    if (report.lost.length > 0) return report;
    for (const file of files) {
      const settled = committed.get(file);
      if (settled === undefined || settled.fileEnd === 0) await remove(folder, file, report);
      else await repairFile(folder, file, settled, report);
    }
    await removeLeftovers(folder, await readableFiles(folder));
  } catch (error) {
    throw error instanceof OrbweaverError ? error : storageError(error, folder);
  }
  return report;
}

async function refuseToDestroy(
  folder: string,
  files: readonly string[],
  committed: ReadonlyMap<string, Committed>,
  maxUnsettledBytes: number,
): Promise<void> {
  let unsettled = 0;
  for (const file of files) {
    const length = (await fileLength(join(folder, file))) ?? 0;
    unsettled += Math.max(0, length - (committed.get(file)?.fileEnd ?? 0));
  }
  if (unsettled <= maxUnsettledBytes) return;
  throw new OrbweaverError(
    'FOLDER_CORRUPT',
    `The archive in ${folder} holds ${unsettled} bytes that the state of the crawl does not know of.`,
    { remedy: 'Put back the state that belongs to this archive, or move the archive away to begin again.' },
  );
}

async function findLost(
  folder: string,
  committed: ReadonlyMap<string, Committed>,
  shipped: ShippedMarkers,
  report: RepairReport,
): Promise<void> {
  for (const [file, { fileEnd }] of committed) {
    const present = (await fileLength(join(folder, file))) ?? (await shipped.read(file))?.bytes ?? 0;
    if (present < fileEnd) report.lost.push({ file, committed: fileEnd, present });
  }
}

async function remove(folder: string, file: string, report: RepairReport): Promise<void> {
  await removeSortedCdxj(folder, file);
  await new ShippedMarkers(folder).remove(file);
  await rm(join(folder, cdxjOf(file)), { force: true });
  await rm(join(folder, file), { force: true });
  report.removed.push(file);
}

async function repairFile(folder: string, file: string, settled: Committed, report: RepairReport): Promise<void> {
  const path = join(folder, file);
  const present = (await fileLength(path)) ?? 0;
  if (present > settled.fileEnd) {
    await truncate(path, settled.fileEnd);
    report.cut.push({ file, bytes: present - settled.fileEnd });
  }
  await repairIndex(folder, file, settled.indexEnd, report);
  if (!(await hasSortedCdxj(folder, file))) await sortCdxj(folder, file);
}

async function repairIndex(folder: string, file: string, indexEnd: number, report: RepairReport): Promise<void> {
  const path = join(folder, cdxjOf(file));
  const present = (await fileLength(path)) ?? 0;
  if (present > indexEnd) {
    // First the copy: it counts as good as long as the lengths agree.
    await removeSortedCdxj(folder, file);
    await truncate(path, indexEnd);
  }
  if (present < indexEnd || !(await endsWithLine(path))) await reindex(folder, file, report);
}

/** Lines made from the records are the same, byte for byte, as those made when the records were written. */
async function reindex(folder: string, file: string, report: RepairReport): Promise<void> {
  await reindexFile(folder, file);
  report.reindexed.push(file);
}

/** Makes the index of a WARC file again from its records before `to`. */
export async function reindexFile(folder: string, file: string, to?: number): Promise<void> {
  await removeSortedCdxj(folder, file);
  const handle = await open(join(folder, cdxjOf(file)), 'w');
  try {
    for await (const item of readWarc(join(folder, file), to === undefined ? {} : { to })) {
      const capture = item.kind === 'record' && item.record.whole ? captureOf(item.record, file) : undefined;
      if (capture !== undefined) await handle.appendFile(formatCdxj(capture));
    }
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** A file taken as it is, up to the end of its last whole record; its index is made again. */
export async function wholeFile(folder: string, file: string): Promise<Committed> {
  let fileEnd = 0;
  for await (const item of readWarc(join(folder, file)))
    if (item.kind === 'record' && item.record.whole) fileEnd = item.record.offset + item.record.length;
  await reindexFile(folder, file, fileEnd);
  return { fileEnd, indexEnd: (await fileLength(join(folder, cdxjOf(file)))) ?? 0 };
}

async function endsWithLine(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size === 0) return true;
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] === 0x0a;
  } finally {
    await handle.close();
  }
}

/** Indexes whose WARC is gone, and half-made sorted copies. */
async function removeLeftovers(folder: string, files: readonly string[]): Promise<void> {
  const wanted = new Set(files.flatMap((file) => [cdxjOf(file), sortedCdxjOf(file)]));
  for (const name of await listFolder(folder)) {
    const warc = name.replace(/\.cdxj(?:\.sorted(?:\.tmp)?)?$/, '.warc.gz');
    if (warc !== name && parseArchiveFileName(warc) !== undefined && !wanted.has(name)) await rm(join(folder, name));
  }
}
