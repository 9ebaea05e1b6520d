import { HALF_BYTES, RANGE, STRETCH } from '../../format/dense-codes.ts';
import { BLOCK } from '../../format/posting-writer.ts';
import type { TermPostings } from '../../format/term-postings.ts';
import type { BlockArrays } from '../../memory/block-arrays.ts';
import type { ScoreWindow } from '../../memory/window-buffers.ts';
import { blockMaxima, type ScoredList } from '../scored-list.ts';
import { boundScore, END, type ScoreCursor, SLACK, type TermCursor, type TermScoring } from './score-cursor.ts';

const NONE = new Uint32Array(0);
/** In so many documents of a segment are few postings of a term: their codes are read one by one. */
const FEW = RANGE * STRETCH;

/** All codes of a block are unpacked once so many were read by themselves. */
const MOST_SINGLE = 6;

/** Walks over postings block by block, or over a list of scored documents (which has no weights, hence none of what a `TermCursor` adds). */
export class BlockCursor implements TermCursor {
  readonly documents: number;
  document = 0;
  boundEnd = 0;
  readonly peak: number;
  readonly peakWeight: number;
  /** They would have to be unpacked. */
  readonly tellsHolders = false;
  readonly #postings: TermPostings | undefined;
  readonly #scoring: TermScoring | undefined;
  readonly #list: ScoredList | undefined;
  readonly #blocks: number;
  readonly #lastDocuments: Uint32Array;
  readonly #bounds: Uint8Array | Float64Array;
  readonly #arrays: BlockArrays;
  readonly #held: Uint32Array;
  /** Made when they are needed: a list has none. */
  #codes: Uint32Array = NONE;
  #block = -1;
  #codesBlock = -1;
  #count = 0;
  #at = 0;
  #ahead = 0;
  /** Codes of the block that were read by themselves. */
  #asked = 0;
  #stretchBounds: Float64Array | undefined;

  private constructor(
    postings: TermPostings | undefined,
    scoring: TermScoring | undefined,
    list: ScoredList | undefined,
    lastDocuments: Uint32Array,
    bounds: Uint8Array | Float64Array,
    arrays: BlockArrays,
  ) {
    this.#arrays = arrays;
    this.#held = arrays.take();
    this.#postings = postings;
    this.#scoring = scoring;
    this.#list = list;
    this.documents = postings?.documents ?? list?.documents.length ?? 0;
    this.#lastDocuments = lastDocuments;
    this.#bounds = bounds;
    this.#blocks = bounds.length;
    let peak = 0;
    for (let block = 0; block < bounds.length; block++) if (bounds[block] > peak) peak = bounds[block];
    this.peakWeight = scoring === undefined ? peak : scoring.bounds.weights[peak];
    this.peak = scoring === undefined ? peak : boundScore(scoring, peak);
    this.#open(0);
  }

  static ofTerm(postings: TermPostings, scoring: TermScoring, arrays: BlockArrays): TermCursor {
    return new BlockCursor(postings, scoring, undefined, postings.lastDocuments, postings.bounds, arrays);
  }

  static ofList(list: ScoredList, arrays: BlockArrays): ScoreCursor {
    const bounds = blockMaxima(list);
    const lastDocuments = Uint32Array.from(bounds, (_, block) => list.documents[block * BLOCK + BLOCK - 1] ?? END);
    if (bounds.length > 0) lastDocuments[bounds.length - 1] = END;
    for (let block = 0; block < bounds.length; block++) bounds[block] *= SLACK;
    return new BlockCursor(undefined, undefined, list, lastDocuments, bounds, arrays);
  }

  seek(target: number): number {
    if (this.document >= target) return this.document;
    if (this.#lastDocuments[this.#block] < target) {
      let block = this.#block + 1;
      while (this.#lastDocuments[block] < target) block++;
      this.#open(block);
      if (this.document >= target) return this.document;
    }
    const held = this.#held;
    const count = this.#count;
    let at = this.#at;
    // Steps of eight, then of one: a jump within a block is rarely long.
    while (at + 8 < count && held[at + 8] < target) at += 8;
    while (at < count && held[at] < target) at++;
    this.#at = at;
    this.document = at < count ? held[at] : END;
    return this.document;
  }

  score(): number {
    if (this.#list !== undefined) return this.#list.scores[this.#block * BLOCK + this.#at];
    const { weight, k1 } = this.#scoring!;
    const w = this.weight();
    return (weight * w) / (w + k1);
  }

  weight(): number {
    // Where only single documents of a block are asked about, its other codes are not unpacked.
    if (this.#codesBlock !== this.#block && ++this.#asked > MOST_SINGLE) this.#readCodes();
    const known = this.#codesBlock === this.#block;
    const code = known ? this.#codes[this.#at] : this.#postings!.readCode(this.#block, this.#at);
    return this.#scoring!.weigher.weigh(this.document, code);
  }

  boundAt(target: number): number {
    if (!this.#lookAhead(target)) return 0;
    const bound = this.#bounds[this.#ahead];
    return this.#scoring === undefined ? bound : boundScore(this.#scoring, bound);
  }

  weightBoundAt(target: number): number {
    return this.#lookAhead(target) ? this.#scoring!.bounds.weights[this.#bounds[this.#ahead]] : 0;
  }

  /** Finds the block that a bound of `target` is told from. False: far before the next document nothing scores. */
  #lookAhead(target: number): boolean {
    // A short gap is not worth a window of its own.
    if (this.document >= target + BLOCK) {
      this.boundEnd = this.document - 1;
      return false;
    }
    while (this.#lastDocuments[this.#ahead] < target) this.#ahead++;
    this.boundEnd = this.#lastDocuments[this.#ahead];
    return true;
  }

  addBounds(sums: Float64Array, every: boolean): void {
    const bounds = this.#postings === undefined ? this.#listBounds(sums.length) : this.#termBounds(this.#postings);
    for (let at = 0; at < sums.length; at++) sums[at] += every ? bounds[at] : Math.max(0, bounds[at]);
    this.#stretchBounds = bounds;
  }

  addRangeBounds(first: number, end: number, sums: Float64Array, every: boolean): void {
    const bound = this.rangeBound(first);
    if (bound > 0 || every) for (let at = 0; at < end - first; at++) sums[at] += bound;
  }

  rangeBound(range: number): number {
    return this.#stretchBounds![Math.floor(range / STRETCH)];
  }

  get stretchBytes(): Uint8Array {
    return this.#postings!.stretchMaxima;
  }

  rangeByte(range: number): number {
    return this.stretchBytes[Math.floor(range / STRETCH)];
  }

  holders(range: number): number {
    return HALF_BYTES[this.#postings!.rangeHolders[range]];
  }

  rewind(): void {
    this.#ahead = 0;
    if (this.#block !== 0) this.#open(0);
    this.#at = 0;
    this.document = this.#blocks === 0 ? END : this.#held[0];
  }

  accumulate(to: number, base: number, sums: Float64Array, matches: Uint16Array): void {
    while (this.document < to) {
      const held = this.#held;
      const count = this.#count;
      let at = this.#at;
      if (this.#list !== undefined) {
        const { scores } = this.#list;
        const start = this.#block * BLOCK;
        for (; at < count && held[at] < to; at++) {
          sums[held[at] - base] += scores[start + at];
          matches[held[at] - base]++;
        }
      } else {
        this.#readCodes();
        const codes = this.#codes;
        const { weigher, weight, k1 } = this.#scoring!;
        for (; at < count && held[at] < to; at++) {
          const document = held[at];
          const w = weigher.weigh(document, codes[at]);
          sums[document - base] += (weight * w) / (w + k1);
          matches[document - base]++;
        }
      }
      if (at < count) {
        this.#at = at;
        this.document = held[at];
      } else this.#open(this.#block + 1);
    }
  }

  accumulateRange(
    from: number,
    to: number,
    sums: Float64Array,
    matches: Uint16Array,
    least: number,
    above: number,
  ): void {
    // Few of its documents are in a range: single codes are read instead of a block's.
    for (let document = this.seek(from); document < to; document = this.seek(document + 1)) {
      if (sums[document - from] <= above || matches[document - from] < least) continue;
      sums[document - from] += this.score();
      matches[document - from]++;
    }
  }

  addWeights(
    from: number,
    to: number,
    base: number,
    { sums, matches: held }: ScoreWindow,
    matches: Uint16Array,
    least: number,
  ): void {
    for (let document = this.seek(from); document < to; document = this.seek(document + 1)) {
      if (matches[document - base] < least) continue;
      if (to - from > FEW) this.#readCodes();
      sums[document - base] += this.weight();
      held[document - base]++;
    }
  }

  mark(to: number, base: number, matches: Uint16Array): void {
    while (this.document < to) {
      const held = this.#held;
      const count = this.#count;
      let at = this.#at;
      for (; at < count && held[at] < to; at++) matches[held[at] - base]++;
      if (at < count) {
        this.#at = at;
        this.document = held[at];
      } else this.#open(this.#block + 1);
    }
  }

  #open(block: number): void {
    this.#asked = 0;
    this.#block = block;
    this.#at = 0;
    if (block >= this.#blocks) {
      this.#block = this.#blocks;
      this.#count = 0;
      this.document = END;
      return;
    }
    if (this.#postings !== undefined) this.#count = this.#postings.readDocuments(block, this.#held);
    else {
      const part = this.#list!.documents.subarray(block * BLOCK, (block + 1) * BLOCK);
      this.#held.set(part);
      this.#count = part.length;
    }
    this.document = this.#held[0];
  }

  #termBounds(postings: TermPostings): Float64Array {
    const maxima = postings.stretchMaxima;
    const bounds = new Float64Array(maxima.length);
    for (let stretch = 0; stretch < maxima.length; stretch++) {
      const byte = maxima[stretch];
      bounds[stretch] = byte === 0 ? Number.NEGATIVE_INFINITY : boundScore(this.#scoring!, byte);
    }
    return bounds;
  }

  #listBounds(stretches: number): Float64Array {
    const bounds = new Float64Array(stretches).fill(Number.NEGATIVE_INFINITY);
    const { documents, scores } = this.#list!;
    for (let at = 0; at < documents.length; at++) {
      const stretch = Math.floor(documents[at] / (RANGE * STRETCH));
      bounds[stretch] = Math.max(bounds[stretch], scores[at] * SLACK);
    }
    return bounds;
  }

  #readCodes(): void {
    if (this.#codesBlock === this.#block) return;
    if (this.#codes.length === 0) this.#codes = this.#arrays.take();
    this.#postings!.readCodes(this.#block, this.#codes);
    this.#codesBlock = this.#block;
  }
}
