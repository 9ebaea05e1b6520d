import { KeyBlockBuilder } from './key-block.ts';

/** Of a dictionary; larger ones save little more and are read again for each block that is written. */
const DICTIONARY_BYTES = 32 * 1024;
/** Taken of one block: its end, which holds the octets of keys. */
const PIECE_BYTES = 2 * 1024;
/** Runs of fewer URLs would not earn what the dictionary itself takes. */
const LEAST_URLS = 20_000;
const PIECES = DICTIONARY_BYTES / PIECE_BYTES;

/** How many blocks `dictionaryOf` wants. */
export const DICTIONARY_BLOCKS = PIECES;

/** What blocks of a run are likely to hold, by blocks from all over it. Empty for a small run. */
export function dictionaryOf(blocks: Iterable<Buffer>, urls: number): Buffer {
  if (urls < LEAST_URLS) return Buffer.alloc(0);
  const pieces = [...blocks].slice(0, PIECES).map((block) => block.subarray(Math.max(0, block.length - PIECE_BYTES)));
  return Buffer.concat(pieces).subarray(0, DICTIONARY_BYTES);
}

/** Blocks as a writer would make them, from all over a sorted list in memory. */
export function* blocksOfList(keys: readonly string[]): Generator<Buffer> {
  const step = keys.length / PIECES;
  for (let piece = 0; piece < PIECES; piece++) {
    const builder = new KeyBlockBuilder();
    let last: Buffer = Buffer.alloc(0);
    for (let at = Math.floor((piece + 0.5) * step); at < keys.length && builder.size < 2 * PIECE_BYTES; at++) {
      const key = Buffer.from(keys[at], 'latin1');
      let shared = 0;
      while (shared < last.length && key[shared] === last[shared]) shared++;
      builder.add(key, key.length, shared);
      last = key;
    }
    yield builder.take();
  }
}
