import type { PairArrays } from '../memory/pair-arrays.ts';
import type { PairPostings } from '../store/word-pairs.ts';
import type { Phrase } from './phrase-matcher.ts';
import type { SearchedSegment } from './searched-segment.ts';

/** A pair's list is gone through where the rarest word of the phrase is in more than one of so many of its documents. */
const WORTH = 16;
/** Stands for codes that are larger. */
export const LARGE_CODE = 255;

/** The lists that a segment has for words that are side by side in a phrase. */
export function pairsOf(phrase: Phrase, { segment }: SearchedSegment): readonly PairPostings[] {
  const { pairs } = segment;
  if (pairs === undefined) return [];
  const { terms, offsets } = phrase;
  const words = terms.map((term) => ({ term, documents: segment.frequency(term) }));
  return words.flatMap((one, at) =>
    words.flatMap((other, after) => (offsets[after] === offsets[at] + 1 ? (pairs.find(one, other) ?? []) : [])),
  );
}

/**
 * For each document of a segment one more than the code of the rarest pair, at most `LARGE_CODE`; 0 where it lacks one of the pairs.
 * Undefined where telling costs more than it saves.
 */
export function pairHolders(
  pairs: readonly PairPostings[],
  rarest: number,
  documents: number,
  arrays: PairArrays,
): Uint8Array | undefined {
  const worthwhile = pairs.filter((pair) => pair.documents < rarest * WORTH);
  if (worthwhile.length === 0) return undefined;
  let held = new Uint8Array(documents);
  for (const [at, pair] of worthwhile.sort((a, b) => a.documents - b.documents).entries()) {
    const before = held;
    if (at > 0) held = new Uint8Array(documents);
    arrays.reserve(pair.most);
    for (let part = 0; part < pair.parts; part++) {
      const count = pair.read(part, arrays.documents, arrays.codes);
      const { documents: found, codes } = arrays;
      for (let i = 0; i < count; i++) held[found[i]] = at > 0 ? before[found[i]] : Math.min(codes[i] + 1, LARGE_CODE);
    }
  }
  return held;
}
