import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { OrbweaverError } from '../../base/errors.ts';
import { cdxjOf, sortedCdxjOf } from '../archive-file-name.ts';
import { archivedResponse, captureOf } from '../archived-response.ts';
import { archiveFiles } from '../cdxj/cdxj-index.ts';
import { formatCdxj } from '../cdxj/cdxj-line.ts';
import { fileLength } from '../cdxj/cdxj-sort.ts';
import { sha1Base32 } from '../sha1-base32.ts';
import { ShippedMarkers } from '../shipping/shipped-markers.ts';
import { storageError } from '../storage-error.ts';
import { RecordBook } from '../warc/record-book.ts';
import { readWarc } from '../warc/warc-reader.ts';
import type { WarcRecord } from '../warc/warc-record.ts';
import type { Committed } from './repair-archive.ts';

/** Bytes of a file that are not whole records. */
export interface DamagedRange {
  readonly from: number;
  readonly to: number;
  readonly why: string;
}

/** What a WARC file and its index look like against what the state has settled. */
export interface CheckedFile {
  readonly file: string;
  readonly committed: Committed;
  /** Undefined where the file is gone. */
  readonly present: number | undefined;
  readonly records: number;
  readonly damage: readonly DamagedRange[];
  /** Where the last sound record ends. */
  readonly soundEnd: number;
  readonly index: 'sound' | 'missing' | 'wrong';
  /** The sorted copy; a missing one is made at the next start. */
  readonly sorted: 'sound' | 'missing' | 'wrong';
}

export interface CheckedArchive {
  readonly files: readonly CheckedFile[];
  readonly book: RecordBook;
  /** Files that hold nothing settled, and bytes beyond what is settled: the next crawl removes them. */
  readonly unsettled: readonly { readonly file: string; readonly bytes: number }[];
}

/** Reads every settled record: gzip members, digests, and the index against them. Changes nothing. */
export async function checkArchive(
  folder: string,
  committed: ReadonlyMap<string, Committed>,
  onProgress: (file: string, records: number) => void = () => {},
): Promise<CheckedArchive> {
  const book = new RecordBook();
  const files: CheckedFile[] = [];
  const unsettled: { file: string; bytes: number }[] = [];
  try {
    for (const [file, settled] of [...committed].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (settled.fileEnd === 0) continue;
      const checked = await checkFile(folder, file, settled, book);
      files.push(checked);
      onProgress(file, checked.records);
      const beyond = (checked.present ?? 0) - settled.fileEnd;
      if (beyond > 0) unsettled.push({ file, bytes: beyond });
    }
    for (const file of await archiveFiles(folder)) {
      if ((committed.get(file)?.fileEnd ?? 0) > 0) continue;
      unsettled.push({ file, bytes: (await fileLength(join(folder, file))) ?? 0 });
    }
  } catch (error) {
    throw error instanceof OrbweaverError ? error : storageError(error, folder);
  }
  return { files, book, unsettled };
}

async function checkFile(folder: string, file: string, committed: Committed, book: RecordBook): Promise<CheckedFile> {
  const path = join(folder, file);
  // A file that was deleted when it had been shipped is read where it is.
  const present = (await fileLength(path)) ?? (await new ShippedMarkers(folder).read(file))?.bytes;
  const missing = { file, committed, present, records: 0, soundEnd: 0, index: 'missing', sorted: 'missing' } as const;
  if (present === undefined)
    return { ...missing, damage: [{ from: 0, to: committed.fileEnd, why: 'the file is gone' }] };
  const damage: DamagedRange[] = [];
  const lines = new LineSums();
  let soundEnd = 0;
  let records = 0;
  let why: string | undefined;
  for await (const item of readWarc(path, { to: committed.fileEnd })) {
    if (item.kind === 'damage') {
      why ??= item.why;
      continue;
    }
    const { record } = item;
    const fault = faultOf(record);
    if (fault !== undefined) {
      why ??= fault;
      continue;
    }
    if (record.offset > soundEnd) damage.push({ from: soundEnd, to: record.offset, why: why ?? 'no record' });
    why = undefined;
    soundEnd = record.offset + record.length;
    records++;
    enter(record, file, book);
    const capture = captureOf(record, file);
    if (capture !== undefined) lines.add(Buffer.from(formatCdxj(capture)));
  }
  if (soundEnd < committed.fileEnd) {
    const cut = present < committed.fileEnd ? `the file ends at ${present}` : 'no record';
    damage.push({ from: soundEnd, to: committed.fileEnd, why: why ?? cut });
  }
  const index = await checkIndex(join(folder, cdxjOf(file)), lines, committed.indexEnd);
  const sorted = await checkSorted(join(folder, sortedCdxjOf(file)), join(folder, cdxjOf(file)));
  return { file, committed, present, records, damage, soundEnd, index, sorted };
}

/** Undefined for a record that is what it says it is. */
function faultOf(record: WarcRecord): string | undefined {
  if (!record.whole || record.length === 0) return 'the record is not whole';
  const block = record.fields.get('WARC-Block-Digest');
  if (block?.startsWith('sha1:') && block.slice(5) !== sha1Base32(record.block))
    return 'the block digest does not match';
  if (record.type !== 'response') return undefined;
  const payload = record.fields.get('WARC-Payload-Digest');
  const response = archivedResponse(record, '');
  if (response === undefined) return 'the response cannot be understood';
  if (payload?.startsWith('sha1:') && payload.slice(5) !== sha1Base32(response.document.raw))
    return 'the payload digest does not match';
  return undefined;
}

function enter(record: WarcRecord, file: string, book: RecordBook): void {
  if (record.type !== 'response' && record.type !== 'revisit') return;
  const response = archivedResponse(record, file);
  if (response === undefined) return;
  const { refersTo } = response;
  if (refersTo !== undefined) book.addRevisit(file, record.offset, refersTo.url, refersTo.digest);
  else {
    const digest = record.fields.get('WARC-Payload-Digest')?.replace(/^sha1:/, '');
    book.addResponse(file, record.offset, response.document.url, digest);
  }
}

/** Lines by their length and hash. */
class LineSums {
  readonly #hash = createHash('sha1');
  bytes = 0;

  add(line: Uint8Array): void {
    this.#hash.update(line);
    this.bytes += line.length;
  }

  hash(): string {
    return this.#hash.digest('hex');
  }
}

async function checkIndex(path: string, expected: LineSums, indexEnd: number): Promise<CheckedFile['index']> {
  const length = await fileLength(path);
  if (length === undefined) return 'missing';
  if (expected.bytes !== indexEnd || length < indexEnd) return 'wrong';
  const hash = createHash('sha1');
  const handle = await open(path, 'r');
  try {
    if (indexEnd > 0)
      for await (const piece of handle.createReadStream({ end: indexEnd - 1, autoClose: false })) hash.update(piece);
  } finally {
    await handle.close();
  }
  return hash.digest('hex') === expected.hash() ? 'sound' : 'wrong';
}

/** The same lines in another order: their checksums have the same sum. */
async function checkSorted(path: string, index: string): Promise<CheckedFile['sorted']> {
  const [length, indexLength] = [await fileLength(path), await fileLength(index)];
  if (length === undefined || length !== indexLength) return 'missing';
  const [sorted, unsorted] = [await readFile(path), await readFile(index)];
  let before: Buffer | undefined;
  for (const line of linesOf(sorted)) {
    if (before !== undefined && Buffer.compare(before, line) > 0) return 'wrong';
    before = line;
  }
  return sumOf(sorted) === sumOf(unsorted) ? 'sound' : 'wrong';
}

function sumOf(lines: Buffer): number {
  let sum = 0;
  for (const line of linesOf(lines)) sum = (sum + crc32(line)) % 2 ** 48;
  return sum;
}

function* linesOf(text: Buffer): Generator<Buffer> {
  let start = 0;
  for (let end = text.indexOf(0x0a); end !== -1; end = text.indexOf(0x0a, start)) {
    yield text.subarray(start, end);
    start = end + 1;
  }
}
