import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { type ArchiveBytes, openLocalBytes } from '../shipping/archive-bytes.ts';
import { readWarc } from '../warc/warc-reader.ts';
import type { WarcRecord } from '../warc/warc-record.ts';
import { isZip, type ZipEntry, zipDirectory } from './zip-directory.ts';

/** What a foreign file holds, in order. `inside`: the file within a WACZ file. */
export type ForeignItem =
  | {
      readonly kind: 'record';
      readonly record: WarcRecord /** It can be read alone, at its place in the file. */;
      readonly alone: boolean;
    }
  | { readonly kind: 'damage'; readonly at: number; readonly why: string; readonly inside?: string };

export interface ForeignReading {
  /** Of longer records only so many bytes are kept. */
  readonly keep: number;
  /** Where a file may be unpacked to that lies compressed in a WACZ file. */
  readonly scratch: string;
}

const STORED = 0;
const DEFLATE = 8;
/** What unpacks to more than so many times its size is made to fill a disk. */
const MOST_UNPACKED = 200;
const PIECE = 1024 * 1024;

/** The records of a WARC, ARC or WACZ file of any writer. Never throws for what the file holds. */
export async function* readForeign(path: string, reading: ForeignReading): AsyncGenerator<ForeignItem> {
  const source = await openLocalBytes(path);
  let entries: readonly ZipEntry[] | string | undefined;
  try {
    const start = await source.read(0, 4);
    if (start.length === 0) entries = 'the file is empty';
    else if (isZip(start)) entries = await zipDirectory(source);
  } finally {
    await source.close();
  }
  if (entries === undefined) yield* readPlace(path, {}, reading, true);
  else if (typeof entries === 'string') yield { kind: 'damage', at: 0, why: entries };
  else yield* readCollection(path, entries, reading);
}

/** Only the archives count: indexes, lists of pages and signatures are made of them. */
async function* readCollection(
  path: string,
  entries: readonly ZipEntry[],
  reading: ForeignReading,
): AsyncGenerator<ForeignItem> {
  const archives = entries.filter(({ name }) => /\.w?arc(?:\.(?:gz|zst))?$/i.test(name));
  if (archives.length === 0) yield { kind: 'damage', at: 0, why: 'a ZIP file without a WARC file in it' };
  for (const entry of archives) {
    const { name, method, start, length } = entry;
    if (method === STORED) {
      for await (const item of readPlace(path, { from: start, to: start + length }, reading, true))
        yield item.kind === 'damage' ? { ...item, inside: name } : item;
    } else if (method === DEFLATE) yield* readUnpacked(path, entry, reading);
    else yield { kind: 'damage', at: start, why: `compressed by method ${method}, which is not read`, inside: name };
  }
}

async function* readPlace(
  path: string,
  place: { readonly from?: number; readonly to?: number },
  { keep }: ForeignReading,
  alone: boolean,
): AsyncGenerator<ForeignItem> {
  for await (const item of readWarc(path, { ...place, keep })) {
    if (item.kind === 'record')
      yield { ...item, alone: alone && item.record.length > 0 && item.record.version !== 'ARC' };
    // Whoever reads on from here reads them one after the other.
    else if (!item.why.startsWith('several records share')) yield item;
  }
}

async function* readUnpacked(path: string, entry: ZipEntry, reading: ForeignReading): AsyncGenerator<ForeignItem> {
  const { name, start, length } = entry;
  const most = Math.max(length * MOST_UNPACKED, PIECE);
  const source = await openLocalBytes(path);
  try {
    await pipeline(
      Readable.from(piecesOf(source, start, length)),
      createInflateRaw(),
      upTo(most),
      createWriteStream(reading.scratch),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    yield { kind: 'damage', at: start, why: (error as Error).message, inside: name };
  } finally {
    await source.close();
  }
  try {
    for await (const item of readPlace(reading.scratch, {}, reading, false))
      yield item.kind === 'damage' ? { ...item, inside: name } : item;
  } finally {
    await rm(reading.scratch, { force: true });
  }
}

async function* piecesOf(source: ArchiveBytes, start: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; at += PIECE) {
    const piece = await source.read(start + at, Math.min(PIECE, length - at));
    if (piece.length === 0) return;
    yield piece;
  }
}

function upTo(most: number): Transform {
  let passed = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      passed += piece.length;
      if (passed > most) done(new Error(`it unpacks to more than ${MOST_UNPACKED} times its size`));
      else done(null, piece);
    },
  });
}
