import type { ShippedFiles } from '../../contracts/shipped-file.ts';
import { ByteWindow } from '../byte-window.ts';
import { FileBytes } from '../file-bytes.ts';
import { inflateMember, isGzip, type MemberEnd, peekMember } from '../gzip/gzip-reader.ts';
import { openArchiveBytes } from '../shipping/archive-bytes.ts';
import { parseArcRecords } from './arc-parser.ts';
import { type ParsedItem, type ParsedRecord, parseRecords } from './record-parser.ts';
import type { WarcRecord } from './warc-record.ts';
import { isZstd, unpackZstd } from './zstd-frames.ts';

/** What a file holds, in order; `at` and `offset` are places in the file as it lies on the disk. */
export type WarcItem =
  | { readonly kind: 'record'; readonly record: WarcRecord }
  | { readonly kind: 'damage'; readonly at: number; readonly why: string };

export interface WarcRange {
  /** Where to begin: 0, or the place of a record. */
  readonly from?: number;
  /** Where to stop, for files that are still growing. */
  readonly to?: number;
  /** Where files were shipped to that are not in their folder, besides what lies there. */
  readonly elsewhere?: Pick<ShippedFiles, 'read'>;
  /** How much is read at once, for whoever wants a record or two; 1 MB when absent. */
  readonly ahead?: number;
  /** Of longer blocks only so many bytes are kept. */
  readonly keep?: number;
}

const PIECE = 256 * 1024;
const SEEK_STEP = 64 * 1024;
const LZ4 = 'an LZ4 file: only plain, gzip and Zstandard are read';
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b, 8]);

/**
 * Reads a WARC or ARC file, plain, gzip (a member per record, or one for all) or Zstandard, record by record. Damage is told with its
 * place, and reading goes on at the next record that can be found. Memory: one record at a time. Records of ARC look like those of WARC.
 */
export async function* readWarc(path: string, range: WarcRange = {}): AsyncGenerator<WarcItem> {
  const handle = await openArchiveBytes(path, range.elsewhere);
  try {
    const file = new FileBytes(handle, range.to, range.ahead);
    const from = range.from ?? 0;
    const start = await file.read(from, 4096);
    const text = (isGzip(start) ? peekMember(start) : start).toString('latin1', 0, 16);
    if (text.startsWith('\x04"M\x18')) yield { kind: 'damage', at: from, why: LZ4 };
    else if (text.startsWith('filedesc:')) yield* readArc(file, from, isGzip(start), range.keep);
    else if (isZstd(start)) yield* readZstd(file, from, range.keep);
    else if (isGzip(start)) yield* readGzip(file, from, range.keep);
    else yield* readUnmarked(file, from, start, range.keep);
  } finally {
    await handle.close();
  }
}

/** A plain file, or a compressed one whose beginning is damaged. */
async function* readUnmarked(file: FileBytes, from: number, start: Buffer, keep?: number): AsyncGenerator<WarcItem> {
  const member = /^[\r\n]*(?:WARC\/|$)/.test(start.toString('latin1')) ? undefined : await seekMember(file, from);
  if (member === undefined) {
    yield* readPlain(file, from, keep);
  } else {
    yield { kind: 'damage', at: from, why: 'the gzip header is damaged or cut' };
    yield* readGzip(file, member, keep);
  }
}

async function* readPlain(file: FileBytes, from: number, keep?: number): AsyncGenerator<WarcItem> {
  for await (const item of parseRecords(plainWindow(file, from), keep)) {
    if (item.kind === 'damage') yield { ...item, at: from + item.at };
    else yield recordItem(item, from + item.start, item.end - item.start);
  }
}

function plainWindow(file: FileBytes, from: number): ByteWindow {
  let at = from;
  return new ByteWindow(async () => {
    const piece = await file.read(at, PIECE);
    at += piece.length;
    return piece.length === 0 ? undefined : piece;
  });
}

/** Records that cannot be read alone, from bytes that come one after the other; damage below them is told in between. */
async function* readStreamed(
  contents: AsyncGenerator<Buffer, string | undefined>,
  from: number,
  parse: (window: ByteWindow, keep?: number) => AsyncGenerator<ParsedItem>,
  keep: number | undefined,
): AsyncGenerator<WarcItem> {
  let why: string | undefined;
  const window = new ByteWindow(async () => {
    const next = await contents.next();
    if (!next.done) return next.value;
    why = next.value;
    return undefined;
  });
  try {
    for await (const item of parse(window, keep))
      yield item.kind === 'damage' ? { ...item, at: from } : recordItem(item, from, 0);
  } finally {
    await contents.return(undefined);
  }
  if (why !== undefined) yield { kind: 'damage', at: from, why };
}

async function* readZstd(file: FileBytes, from: number, keep?: number): AsyncGenerator<WarcItem> {
  yield* readStreamed(unpackZstd(file, from), from, parseRecords, keep);
}

async function* readArc(file: FileBytes, from: number, isPacked: boolean, keep?: number): AsyncGenerator<WarcItem> {
  if (isPacked) yield* readStreamed(unpackMembers(file, from), from, parseArcRecords, keep);
  else
    for await (const item of parseArcRecords(plainWindow(file, from), keep))
      yield item.kind === 'damage' ? { ...item, at: from + item.at } : recordItem(item, from + item.start, 0);
}

/** The contents of all members, one after the other. Ends with why the last one could not be read, where it could not. */
async function* unpackMembers(file: FileBytes, from: number): AsyncGenerator<Buffer, string | undefined> {
  for (let offset = from; (await file.read(offset, 1)).length > 0; ) {
    const end = yield* inflateMember(file, offset);
    if (end.kind === 'damaged') return end.why;
    offset += end.length;
  }
  return undefined;
}

async function* readGzip(file: FileBytes, from: number, keep?: number): AsyncGenerator<WarcItem> {
  let offset = from;
  for (;;) {
    if ((await file.read(offset, 1)).length === 0) return;
    const end = yield* readMember(file, offset, keep);
    if (end.kind === 'whole') {
      offset += end.length;
      continue;
    }
    yield { kind: 'damage', at: offset, why: end.why };
    const next = await seekMember(file, offset + 1);
    if (next === undefined) return;
    offset = next;
  }
}

/**
 * The records of one member. The first waits until it is known whether others share the member with it. Where a good
 * member ends within its record, the writer has cut at the wrong places: the record goes on in the members after it.
 */
async function* readMember(
  file: FileBytes,
  offset: number,
  keep?: number,
  joined = false,
): AsyncGenerator<WarcItem, MemberEnd> {
  const contents = joined ? inflateJoined(file, offset) : inflateMember(file, offset);
  let end = { kind: 'damaged', why: 'the member was not read to its end' } as MemberEnd;
  const window = new ByteWindow(async () => {
    const next = await contents.next();
    if (!next.done) return next.value;
    end = next.value;
    return undefined;
  });
  let first: ParsedRecord | undefined;
  let shared = false;
  const held: ParsedItem[] = [];
  try {
    for await (const item of parseRecords(window, keep)) {
      if (first?.whole === false) {
        held.push(item);
      } else if (item.kind === 'damage') {
        yield { ...item, at: offset };
      } else if (first === undefined && !shared) {
        first = item;
      } else {
        if (first !== undefined) {
          yield recordItem(first, offset, 0);
          yield { kind: 'damage', at: offset, why: 'several records share a gzip member: they cannot be read alone' };
          first = undefined;
          shared = true;
        }
        yield recordItem(item, offset, 0);
      }
    }
  } finally {
    await contents.return(end);
  }
  if (first?.whole === false && end.kind === 'whole' && !joined) {
    yield { kind: 'damage', at: offset, why: 'the gzip member ends within its record, which goes on in the next' };
    return yield* readMember(file, offset, keep, true);
  }
  if (first !== undefined) yield recordItem(first, offset, end.kind === 'whole' && held.length === 0 ? end.length : 0);
  for (const item of held) yield item.kind === 'damage' ? { ...item, at: offset } : recordItem(item, offset, 0);
  return end;
}

/** The member at the offset and those after it, up to the next that begins with a record. */
async function* inflateJoined(file: FileBytes, offset: number): AsyncGenerator<Buffer, MemberEnd> {
  for (let length = 0; ; ) {
    const end = yield* inflateMember(file, offset + length);
    if (end.kind === 'damaged') return end;
    length += end.length;
    const next = await file.read(offset + length, SEEK_STEP);
    if (!isGzip(next) || beginsRecord(next)) return { kind: 'whole', length };
  }
}

/** The next place where a member begins that holds a record. */
async function seekMember(file: FileBytes, from: number): Promise<number | undefined> {
  for (let at = from; ; ) {
    const view = await file.read(at, SEEK_STEP);
    const found = view.indexOf(GZIP_MAGIC);
    if (found !== -1) {
      at += found;
      if (beginsRecord(await file.read(at, SEEK_STEP))) return at;
      at++;
    } else if (view.length < SEEK_STEP) {
      return undefined;
    } else {
      at += view.length - GZIP_MAGIC.length + 1;
    }
  }
}

function beginsRecord(member: Buffer): boolean {
  return peekMember(member).toString('latin1', 0, 5) === 'WARC/';
}

function recordItem(item: ParsedRecord, offset: number, length: number): WarcItem {
  const { head, block, whole, cut } = item;
  const type = head.fields.get('WARC-Type') ?? '';
  const { version, fields } = head;
  return { kind: 'record', record: { version, type, fields, block, offset, length, whole, ...(cut && { cut }) } };
}
