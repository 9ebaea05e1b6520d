import { ByteReader } from '../byte-reader.ts';
import type { DocFib } from './doc-fib.ts';

/** A run of characters that lie together in the file. */
export interface DocPiece {
  /** Place in the text, in characters. */
  readonly start: number;
  readonly end: number;
  /** Place in the stream, in bytes. */
  readonly offset: number;
  /** Bytes per character. */
  readonly width: 1 | 2;
}

const MAX_PIECES = 200_000;

/** The pieces of the text in reading order; one piece for all where the document has no table of them. */
export function readPieces(fib: DocFib, table: ByteReader): DocPiece[] {
  const pieces = fib.pieces.length === 0 ? [] : readTable(fib, table);
  if (pieces.length > 0) return pieces;
  const length = fib.storyLengths.reduce((sum, part) => sum + part, 0);
  return [{ start: 0, end: length, offset: fib.textStart, width: 1 }];
}

function readTable(fib: DocFib, table: ByteReader): DocPiece[] {
  const end = Math.min(fib.pieces.at + fib.pieces.length, table.length);
  let at = fib.pieces.at;
  // Formatting of pieces comes before the table itself.
  while (at < end && table.u8(at) === 1) at += 3 + table.u16(at + 1);
  if (at >= end || table.u8(at) !== 2) return [];
  const count = Math.min(Math.floor((table.u32(at + 1) - 4) / 12), Math.floor((end - at - 9) / 12), MAX_PIECES);
  const positions = new ByteReader(table.bytes(at + 5, (count + 1) * 4));
  const descriptors = new ByteReader(table.bytes(at + 5 + (count + 1) * 4, count * 8));
  const pieces: DocPiece[] = [];
  for (let i = 0; i < count; i++) {
    const start = positions.u32(i * 4);
    const stop = positions.u32(i * 4 + 4);
    const place = descriptors.u32(i * 8 + 2);
    if (stop <= start) continue;
    if (fib.isOld) pieces.push({ start, end: stop, offset: place, width: 1 });
    else if ((place & 0x40000000) === 0) pieces.push({ start, end: stop, offset: place, width: 2 });
    else pieces.push({ start, end: stop, offset: (place & 0x3fffffff) >>> 1, width: 1 });
  }
  return pieces;
}
