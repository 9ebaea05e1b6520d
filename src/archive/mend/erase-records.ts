import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShippedFiles } from '../../contracts/shipped-file.ts';
import { cdxjOf } from '../archive-file-name.ts';
import { archivedResponse } from '../archived-response.ts';
import { fileLength, removeSortedCdxj, sortCdxj } from '../cdxj/cdxj-sort.ts';
import { bringBack, unship } from '../shipping/bring-back.ts';
import { ShippedMarkers } from '../shipping/shipped-markers.ts';
import { storageError } from '../storage-error.ts';
import { fillerMember } from '../warc/filler-record.ts';
import { SCREENSHOT } from '../warc/visit-records.ts';
import { readWarc } from '../warc/warc-reader.ts';
import { targetUri, type WarcRecord } from '../warc/warc-record.ts';
import { type Committed, reindexFile } from './repair-archive.ts';

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** What of a file is to be erased. */
export interface RecordsToErase {
  readonly file: string;
  /** Whole gzip members, in their order. */
  readonly ranges: readonly ByteRange[];
  readonly records: number;
  readonly bytes: number;
  /** Nothing but the head of the file would be left. */
  readonly isAll: boolean;
  /** Offsets of records of other URLs that refer to erased content: they cannot be read without it. */
  readonly orphans: readonly number[];
}

export interface EraseOptions {
  readonly folder: string;
  readonly now: number;
  readonly uuid?: () => string;
  /** Others than the folder who know where the file was shipped to. */
  readonly shipped?: ShippedFiles;
}

/** Fillers are made in memory; neighbours are joined up to this size. */
const MOST_JOINED = 1 << 20;
const COPY_PIECE = 1 << 20;

/** Finds the records of URLs and those that refer to their content; `onRecord` gets each. Damaged bytes are left alone. */
export async function findRecords(
  folder: string,
  file: string,
  to: number,
  matches: (url: string) => boolean,
  onRecord: (url: string, bytes: number) => void = () => {},
): Promise<RecordsToErase> {
  const ranges: ByteRange[] = [];
  const orphans: number[] = [];
  let records = 0;
  let kept = 0;
  const shipped = await new ShippedMarkers(folder).read(file);
  if ((await fileLength(join(folder, file))) === undefined && shipped === undefined)
    return { file, ranges, records, bytes: 0, isAll: false, orphans };
  // The records of a visit follow each other: request, main record, and those that describe it.
  let orphan: string | undefined;
  for await (const item of readWarc(join(folder, file), { to })) {
    if (item.kind === 'damage') {
      kept++;
      continue;
    }
    const { record } = item;
    const url = pageOf(targetUri(record.fields));
    const source = url === undefined ? undefined : contentUrl(record, file);
    if (source !== undefined) orphan = matches(source) ? url : undefined;
    else if (record.type === 'request') orphan = undefined;
    if (url === undefined || record.length === 0 || !(matches(url) || url === orphan)) {
      if (url !== undefined) kept++;
      continue;
    }
    if (source !== undefined && !matches(url)) orphans.push(record.offset);
    const end = record.offset + record.length;
    const last = ranges.at(-1);
    if (last?.to === record.offset && end - last.from <= MOST_JOINED)
      ranges[ranges.length - 1] = { from: last.from, to: end };
    else ranges.push({ from: record.offset, to: end });
    records++;
    onRecord(url, record.length);
  }
  const bytes = ranges.reduce((sum, range) => sum + range.to - range.from, 0);
  return { file, ranges, records, bytes, isAll: records > 0 && kept === 0, orphans };
}

/** The picture of a page goes with the page. */
function pageOf(target: string | undefined): string | undefined {
  return target?.startsWith(SCREENSHOT) ? target.slice(SCREENSHOT.length) : target;
}

/** Of a response or revisit record: the URL whose record holds the payload. */
function contentUrl(record: WarcRecord, file: string): string | undefined {
  if (record.type !== 'response' && record.type !== 'revisit') return undefined;
  if (record.type === 'response') return targetUri(record.fields);
  return archivedResponse(record, file)?.refersTo?.url ?? targetUri(record.fields);
}

/**
 * Takes records out of a file: it is written again with fillers of the same length in their place, so that all others keep
 * their offsets, and replaces the old one in one step. A file that holds nothing else is removed. Killed at any instant,
 * the file is the old or the new one. What was shipped of it leaves the store first. Answers what is settled from now on; undefined where the file is gone.
 */
export async function eraseRecords(
  { file, ranges, isAll }: Pick<RecordsToErase, 'file' | 'ranges' | 'isAll'>,
  options: EraseOptions,
): Promise<Committed | undefined> {
  const { folder } = options;
  const path = join(folder, file);
  try {
    await rm(`${path}.part`, { force: true });
    await bringBack(path, options.shipped);
    await unship(path, options.shipped);
    if (isAll || (await fileLength(path)) === undefined) {
      await removeSortedCdxj(folder, file);
      await rm(join(folder, cdxjOf(file)), { force: true });
      await rm(path, { force: true });
      return undefined;
    }
    if (ranges.length > 0) {
      await writeWithout(path, ranges, options);
      await rename(`${path}.part`, path);
    }
    await reindexFile(folder, file);
    await sortCdxj(folder, file);
    const fileEnd = (await fileLength(path)) ?? 0;
    return { fileEnd, indexEnd: (await fileLength(join(folder, cdxjOf(file)))) ?? 0 };
  } catch (error) {
    throw storageError(error, folder);
  }
}

async function writeWithout(
  path: string,
  ranges: readonly ByteRange[],
  { now, uuid = randomUUID }: EraseOptions,
): Promise<void> {
  await using source = await open(path, 'r');
  await using copy = await open(`${path}.part`, 'w');
  const { size } = await source.stat();
  let at = 0;
  for (const { from, to } of ranges) {
    await copyBytes(source, copy, at, from);
    await copy.appendFile(fillerMember(to - from, uuid(), now, 'deleted'));
    at = to;
  }
  await copyBytes(source, copy, at, size);
  await copy.sync();
}

async function copyBytes(source: FileHandle, copy: FileHandle, from: number, to: number): Promise<void> {
  const piece = Buffer.allocUnsafe(Math.min(COPY_PIECE, Math.max(1, to - from)));
  for (let at = from; at < to; ) {
    const { bytesRead } = await source.read(piece, 0, Math.min(piece.length, to - at), at);
    if (bytesRead === 0) return;
    await copy.appendFile(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
}
