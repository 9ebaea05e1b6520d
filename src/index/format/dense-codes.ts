import { BLOCK } from './posting-writer.ts';

/** Documents per entry of the maxima. */
export const RANGE = 8;
const RANGE_BITS = 3;
/** Ranges per entry of the coarse maxima. */
export const STRETCH = 8;
/** Stands for a code that has to be looked up among the postings. */
export const ESCAPE = 15;

/** Stands for one among `largeCodes`. */
export const LOOK_UP = 255;

/** Which documents of a range hold a term, as the half bytes of its dense codes have it: for each byte of `rangeHolders` those that are not zero as 1. */
export const HALF_BYTES: Uint32Array = new Uint32Array(
  Uint8Array.from({ length: 256 * (RANGE / 2) }, (_, at) => {
    const pair = (at >> 2) >> (2 * (at & 3));
    return (pair & 1) | ((pair & 2) << 3);
  }).buffer,
);

/** A term that is in many documents of a segment, laid out by document: half a byte for each, and bounds of ranges. */
export interface DenseCodes {
  /** Documents of the segment. */
  readonly documents: number;
  /** One more than the code, four bits per document of all ranges; 0 where it does not hold the term, `ESCAPE` for large ones. */
  readonly codes: Uint8Array;
  /** The same, a number for each range. */
  readonly words: Uint32Array;
  /** For each `RANGE` documents the bound of the weights there; 0 where none holds the term. */
  readonly maxima: Uint8Array;
  /** For each `STRETCH` ranges the largest of their maxima. */
  readonly coarse: Uint8Array;
  /** The largest of all. */
  readonly peak: number;
  /** How many codes are `ESCAPE`. */
  readonly escapes: number;
}

/** Postings to be laid out. */
interface PostingBlocks {
  readonly blocks: number;
  readDocuments(block: number, out: Uint32Array): number;
  readCodes(block: number, out: Uint32Array): void;
}

/** Codes whose bounds are kept: nearly all postings have one of them. */
export const KEPT_CODES = 64;

/** Tells bounds of weights. */
export interface PostingBounds {
  /** What `byteOf` said, by code and length of the body; 0: it has to be asked. */
  readonly kept: Uint8Array;
  /** Of each document of the segment. */
  readonly bodyLengths: Uint8Array;
  /** The byte of the bound of a posting's weight; never 0. */
  byteOf(document: number, code: number): number;
}

function boundOf(bounds: PostingBounds, document: number, code: number): number {
  const kept = code < KEPT_CODES ? bounds.kept[code * 256 + bounds.bodyLengths[document]] : 0;
  return kept === 0 ? bounds.byteOf(document, code) : kept;
}

export function denseCodes(postings: PostingBlocks, documents: number, bounds: PostingBounds): DenseCodes {
  const maxima = new Uint8Array(Math.ceil(documents / RANGE));
  const dense = new Uint8Array((maxima.length * RANGE) / 2);
  const held = new Uint32Array(BLOCK);
  const codes = new Uint32Array(BLOCK);
  let escapes = 0;
  for (let block = 0; block < postings.blocks; block++) {
    const count = postings.readDocuments(block, held);
    postings.readCodes(block, codes);
    for (let i = 0; i < count; i++) {
      const document = held[i];
      const code = codes[i];
      if (code >= ESCAPE - 1) escapes++;
      dense[document >> 1] |= (code < ESCAPE - 1 ? code + 1 : ESCAPE) << ((document & 1) << 2);
      const range = document >> RANGE_BITS;
      // The larger of the two: nobody can foresee which one that is, so a branch would cost more than all the rest.
      const more = boundOf(bounds, document, code) - maxima[range];
      maxima[range] += more & ~(more >> 31);
    }
  }
  const coarse = new Uint8Array(Math.ceil(maxima.length / STRETCH));
  let peak = 0;
  for (let stretch = 0, at = 0; stretch < coarse.length; stretch++) {
    let most = 0;
    for (const end = Math.min(at + STRETCH, maxima.length); at < end; at++) most = Math.max(most, maxima[at]);
    coarse[stretch] = most;
    peak = Math.max(peak, most);
  }
  return { documents, codes: dense, words: new Uint32Array(dense.buffer), maxima, coarse, peak, escapes };
}

/** For each document of a segment one more than the code, at most `LOOK_UP`; 0 where it does not hold the term. */
export function largeCodes(postings: PostingBlocks, documents: number): Uint8Array {
  const large = new Uint8Array(documents);
  const held = new Uint32Array(BLOCK);
  const codes = new Uint32Array(BLOCK);
  for (let block = 0; block < postings.blocks; block++) {
    const count = postings.readDocuments(block, held);
    postings.readCodes(block, codes);
    for (let i = 0; i < count; i++) large[held[i]] = Math.min(codes[i] + 1, LOOK_UP);
  }
  return large;
}

/** For each `STRETCH` ranges of a segment the bound of the weights there; 0 where none holds the term. */
export function stretchMaxima(postings: PostingBlocks, documents: number, bounds: PostingBounds): Uint8Array {
  const maxima = new Uint8Array(Math.ceil(documents / (RANGE * STRETCH)));
  const held = new Uint32Array(BLOCK);
  const codes = new Uint32Array(BLOCK);
  for (let block = 0; block < postings.blocks; block++) {
    const count = postings.readDocuments(block, held);
    postings.readCodes(block, codes);
    for (let i = 0; i < count; i++) {
      const byte = boundOf(bounds, held[i], codes[i]);
      const stretch = Math.floor(held[i] / (RANGE * STRETCH));
      if (byte > maxima[stretch]) maxima[stretch] = byte;
    }
  }
  return maxima;
}

/** For each range of a segment which of its documents hold the term, a bit for each. */
export function rangeHolders(postings: PostingBlocks, documents: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(documents / RANGE));
  const held = new Uint32Array(BLOCK);
  for (let block = 0; block < postings.blocks; block++) {
    const count = postings.readDocuments(block, held);
    for (let i = 0; i < count; i++) bits[Math.floor(held[i] / RANGE)] |= 1 << (held[i] % RANGE);
  }
  return bits;
}
