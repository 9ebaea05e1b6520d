import type { ShippedFiles } from '../../contracts/shipped-file.ts';
import { ByteWindow } from '../byte-window.ts';
import { FileBytes } from '../file-bytes.ts';
import { inflateMember, isGzip, type MemberEnd, peekMember } from '../gzip/gzip-reader.ts';
import { openArchiveBytes } from '../shipping/archive-bytes.ts';
import { type ParsedItem, type ParsedRecord, parseRecords } from './record-parser.ts';
import type { WarcRecord } from './warc-record.ts';

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
}

const PIECE = 256 * 1024;
const SEEK_STEP = 64 * 1024;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b, 8]);

/**
 * Reads a WARC file, plain or gzip (a member per record, or one for all), record by record. Damage is told with its
 * place, and reading goes on at the next record that can be found. Memory: one record at a time.
 */
export async function* readWarc(path: string, range: WarcRange = {}): AsyncGenerator<WarcItem> {
  const handle = await openArchiveBytes(path, range.elsewhere);
  try {
    const file = new FileBytes(handle, range.to);
    const from = range.from ?? 0;
    const start = await file.read(from, 4096);
    const foreign = foreignFormat(start);
    if (foreign !== undefined) yield { kind: 'damage', at: from, why: foreign };
    else if (isGzip(start)) yield* readGzip(file, from);
    else yield* readUnmarked(file, from, start);
  } finally {
    await handle.close();
  }
}

/** A plain file, or a compressed one whose beginning is damaged. */
async function* readUnmarked(file: FileBytes, from: number, start: Buffer): AsyncGenerator<WarcItem> {
  const member = /^[\r\n]*(?:WARC\/|$)/.test(start.toString('latin1')) ? undefined : await seekMember(file, from);
  if (member === undefined) {
    yield* readPlain(file, from);
  } else {
    yield { kind: 'damage', at: from, why: 'the gzip header is damaged or cut' };
    yield* readGzip(file, member);
  }
}

async function* readPlain(file: FileBytes, from: number): AsyncGenerator<WarcItem> {
  let at = from;
  const window = new ByteWindow(async () => {
    const piece = await file.read(at, PIECE);
    at += piece.length;
    return piece.length === 0 ? undefined : piece;
  });
  for await (const item of parseRecords(window)) {
    if (item.kind === 'damage') yield { ...item, at: from + item.at };
    else yield recordItem(item, from + item.start, item.end - item.start);
  }
}

async function* readGzip(file: FileBytes, from: number): AsyncGenerator<WarcItem> {
  let offset = from;
  for (;;) {
    if ((await file.read(offset, 1)).length === 0) return;
    const end = yield* readMember(file, offset);
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
async function* readMember(file: FileBytes, offset: number, joined = false): AsyncGenerator<WarcItem, MemberEnd> {
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
    for await (const item of parseRecords(window)) {
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
    return yield* readMember(file, offset, true);
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
  const { head, block, whole } = item;
  const type = head.fields.get('WARC-Type') ?? '';
  return { kind: 'record', record: { version: head.version, type, fields: head.fields, block, offset, length, whole } };
}

function foreignFormat(start: Buffer): string | undefined {
  const text = (isGzip(start) ? peekMember(start) : start).toString('latin1', 0, 16);
  if (text.startsWith('filedesc:')) return 'an ARC file: only WARC is read';
  if (text.startsWith('\x04"M\x18')) return 'an LZ4 file: only plain and gzip are read';
  if (text.startsWith('\x28\xb5\x2f\xfd')) return 'a Zstandard file: only plain and gzip are read';
  return undefined;
}
