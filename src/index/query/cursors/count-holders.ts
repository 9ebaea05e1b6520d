import { HALF_BYTES, RANGE, STRETCH } from '../../format/dense-codes.ts';
import type { TermPostings } from '../../format/term-postings.ts';
import type { BlockArrays } from '../../memory/block-arrays.ts';
import { PostingReader } from '../posting-reader.ts';
import type { TermCursor } from './score-cursor.ts';

/** A term that is in fewer than one document of so many is counted posting by posting. */
const RARE = RANGE * STRETCH;

/** A term in a segment. */
export interface CountedTerm {
  readonly postings: TermPostings;
  readonly cursor: Pick<TermCursor, 'holders'>;
}

/** How many documents of a segment hold any of several terms; `all`: its documents. */
export function countHolders(terms: readonly CountedTerm[], all: number, arrays: BlockArrays): number {
  const frequent = terms.filter(({ postings }) => postings.documents * RARE >= all).map(({ cursor }) => cursor);
  const rare = terms.filter(({ postings }) => postings.documents * RARE < all);
  let count = frequent.length === 0 ? 0 : countRanges(frequent, Math.ceil(all / RANGE));
  if (rare.length === 0) return count;
  const held = arrays.take();
  const before: PostingReader[] = [];
  for (const { postings } of rare) {
    for (let block = 0; block < postings.blocks; block++) {
      const length = postings.readDocuments(block, held);
      for (let at = 0; at < length; at++) if (!isHeld(held[at], frequent, before)) count++;
    }
    before.push(new PostingReader(postings, arrays));
  }
  return count;
}

function countRanges(cursors: readonly Pick<TermCursor, 'holders'>[], ranges: number): number {
  let count = 0;
  for (let range = 0; range < ranges; range++) {
    let any = 0;
    for (let at = 0; at < cursors.length; at++) any |= cursors[at].holders(range);
    // The multiplication adds up all half bytes in the highest one.
    count += Math.imul(any, 0x11111111) >>> 28;
  }
  return count;
}

function isHeld(
  document: number,
  frequent: readonly Pick<TermCursor, 'holders'>[],
  before: readonly PostingReader[],
): boolean {
  const range = Math.floor(document / RANGE);
  const bit = HALF_BYTES[1 << (document % RANGE)];
  for (const cursor of frequent) if ((cursor.holders(range) & bit) !== 0) return true;
  for (const reader of before) if (reader.seek(document) === document) return true;
  return false;
}
