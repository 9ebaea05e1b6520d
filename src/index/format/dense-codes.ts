import { BLOCK } from './posting-writer.ts';
import { byteOfBound } from './quantise.ts';

/** Documents per entry of the maxima. */
export const RANGE = 8;
/** Ranges per entry of the coarse maxima. */
export const STRETCH = 8;
/** Stands for a code that has to be looked up among the postings. */
export const ESCAPE = 15;

/** A term that is in many documents of a segment, laid out by document: half a byte for each, and bounds of ranges. */
export interface DenseCodes {
  /** Documents of the segment. */
  readonly documents: number;
  /** One more than the code, four bits per document; 0 where it does not hold the term, `ESCAPE` for large ones. */
  readonly codes: Uint8Array;
  /** For each `RANGE` documents the bound of the weights there; 0 where none holds the term. */
  readonly maxima: Uint8Array;
  /** For each `STRETCH` ranges the largest of their maxima. */
  readonly coarse: Uint8Array;
  /** The largest of all. */
  readonly peak: number;
}

/** Postings to be laid out. */
interface PostingBlocks {
  readonly blocks: number;
  readDocuments(block: number, out: Uint32Array): number;
  readCodes(block: number, out: Uint32Array): void;
}

export function denseCodes(
  postings: PostingBlocks,
  documents: number,
  weigh: (document: number, code: number) => number,
): DenseCodes {
  const dense = new Uint8Array(Math.ceil(documents / 2));
  const maxima = new Uint8Array(Math.ceil(documents / RANGE));
  const held = new Uint32Array(BLOCK);
  const codes = new Uint32Array(BLOCK);
  let range = 0;
  let most = -1;
  let lastMost = -1;
  let byte = 0;
  let peak = 0;
  const closeRange = (): void => {
    if (most < 0) return;
    // Neighbours are often alike.
    if (most !== lastMost) {
      lastMost = most;
      byte = Math.max(1, byteOfBound(most));
      if (byte > peak) peak = byte;
    }
    maxima[range] = byte;
  };
  for (let block = 0; block < postings.blocks; block++) {
    const count = postings.readDocuments(block, held);
    postings.readCodes(block, codes);
    for (let i = 0; i < count; i++) {
      const document = held[i];
      dense[document >> 1] |= (codes[i] < ESCAPE - 1 ? codes[i] + 1 : ESCAPE) << ((document & 1) << 2);
      const weight = weigh(document, codes[i]);
      const at = Math.floor(document / RANGE);
      if (at !== range) {
        closeRange();
        range = at;
        most = weight;
      } else if (weight > most) most = weight;
    }
  }
  closeRange();
  const coarse = new Uint8Array(Math.ceil(maxima.length / STRETCH));
  for (let at = 0; at < maxima.length; at++) {
    const stretch = Math.floor(at / STRETCH);
    if (maxima[at] > coarse[stretch]) coarse[stretch] = maxima[at];
  }
  return { documents, codes: dense, maxima, coarse, peak };
}

/** For each `STRETCH` ranges of a segment the bound of the weights there; 0 where none holds the term. */
export function stretchMaxima(
  postings: PostingBlocks,
  documents: number,
  weigh: (document: number, code: number) => number,
): Uint8Array {
  const maxima = new Uint8Array(Math.ceil(documents / (RANGE * STRETCH)));
  const held = new Uint32Array(BLOCK);
  const codes = new Uint32Array(BLOCK);
  for (let block = 0; block < postings.blocks; block++) {
    const count = postings.readDocuments(block, held);
    postings.readCodes(block, codes);
    for (let i = 0; i < count; i++) {
      const byte = Math.max(1, byteOfBound(weigh(held[i], codes[i])));
      const stretch = Math.floor(held[i] / (RANGE * STRETCH));
      if (byte > maxima[stretch]) maxima[stretch] = byte;
    }
  }
  return maxima;
}
