import { type DenseCodes, ESCAPE, LOOK_UP, RANGE } from '../../format/dense-codes.ts';
import type { TermPostings } from '../../format/term-postings.ts';
import type { BlockArrays } from '../../memory/block-arrays.ts';
import type { ScoreWindow } from '../../memory/window-buffers.ts';
import { PostingReader } from '../posting-reader.ts';
import { boundScore, END, SLACK, type TermCursor, type TermScoring } from './score-cursor.ts';

/** Walks over a term that is in many documents: whether and how often it is in one is looked up, not unpacked. */
export class DenseCursor implements TermCursor {
  readonly documents: number;
  readonly peak: number;
  readonly peakWeight: number;
  readonly stretchBytes: Uint8Array;
  readonly tellsHolders = true;
  document = 0;
  boundEnd = 0;
  readonly #postings: TermPostings;
  readonly #arrays: BlockArrays;
  readonly #scoring: TermScoring;
  readonly #maxima: Uint8Array;
  readonly #codes: Uint8Array;
  readonly #words: Uint32Array;
  /** Where many codes do not fit into half a byte. */
  readonly #large: Uint8Array | undefined;
  /** Documents of the segment. */
  readonly #all: number;
  #reader: PostingReader | undefined;

  constructor(postings: TermPostings, dense: DenseCodes, scoring: TermScoring, arrays: BlockArrays) {
    this.documents = postings.documents;
    this.#postings = postings;
    this.#arrays = arrays;
    this.#scoring = scoring;
    this.#maxima = dense.maxima;
    this.#codes = dense.codes;
    this.#words = dense.words;
    this.#large = postings.largeCodes;
    this.#all = dense.documents;
    this.stretchBytes = dense.coarse;
    this.peakWeight = scoring.bounds.weights[dense.peak];
    this.peak = boundScore(scoring, dense.peak);
    this.rewind();
  }

  seek(target: number): number {
    if (this.document >= target) return this.document;
    return this.#goTo(target);
  }

  score(): number {
    const { weight, k1 } = this.#scoring;
    const w = this.weight();
    return (weight * w) / (w + k1);
  }

  weight(): number {
    return this.#scoring.weigher.weigh(this.document, this.#codeOf(this.document) - 1);
  }

  boundAt(target: number): number {
    return Math.max(0, this.#boundOf(this.#byteAt(target)));
  }

  weightBoundAt(target: number): number {
    const byte = this.#byteAt(target);
    return byte === 0 ? 0 : this.#scoring.bounds.weights[byte];
  }

  #byteAt(target: number): number {
    const range = Math.floor(target / RANGE);
    this.boundEnd = (range + 1) * RANGE - 1;
    return this.#maxima[range];
  }

  addBounds(sums: Float64Array, every: boolean): void {
    const coarse = this.stretchBytes;
    for (let stretch = 0; stretch < sums.length; stretch++) {
      const bound = this.#boundOf(coarse[stretch]);
      if (bound > 0 || every) sums[stretch] += bound;
    }
  }

  addRangeBounds(first: number, end: number, sums: Float64Array, every: boolean): void {
    const maxima = this.#maxima;
    const { weight, bounds } = this.#scoring;
    const { shares } = bounds;
    for (let range = first; range < end; range++) {
      const byte = maxima[range];
      if (byte !== 0) sums[range - first] += weight * SLACK * shares[byte];
      else if (every) sums[range - first] = Number.NEGATIVE_INFINITY;
    }
  }

  rangeBound(range: number): number {
    return this.#boundOf(this.#maxima[range]);
  }

  rangeByte(range: number): number {
    return this.#maxima[range];
  }

  holders(range: number): number {
    const word = this.#words[range];
    const pairs = word | (word >>> 1);
    return (pairs | (pairs >>> 2)) & 0x11111111;
  }

  /** 0 is the byte of ranges without the term. */
  #boundOf(byte: number): number {
    return byte === 0 ? Number.NEGATIVE_INFINITY : boundScore(this.#scoring, byte);
  }

  rewind(): void {
    this.#goTo(0);
  }

  accumulate(to: number, base: number, sums: Float64Array, matches: Uint16Array): void {
    this.#add(this.document, to, base, sums, matches, 0, Number.NEGATIVE_INFINITY);
    this.seek(to);
  }

  accumulateRange(
    from: number,
    to: number,
    sums: Float64Array,
    matches: Uint16Array,
    least: number,
    above: number,
  ): void {
    this.#add(from, to, from, sums, matches, least, above);
  }

  addWeights(
    from: number,
    to: number,
    base: number,
    { sums, matches: held }: ScoreWindow,
    matches: Uint16Array,
    least: number,
  ): void {
    const codes = this.#codes;
    const { weigher } = this.#scoring;
    for (let document = from; document < to; document++) {
      let code = (codes[document >> 1] >> ((document & 1) << 2)) & 15;
      if (code === 0 || matches[document - base] < least) continue;
      if (code === ESCAPE) code = this.#codeOf(document);
      sums[document - base] += weigher.weigh(document, code - 1);
      held[document - base]++;
    }
  }

  mark(to: number, base: number, matches: Uint16Array): void {
    const codes = this.#codes;
    for (let document = this.document; document < to; document++) {
      if (((codes[document >> 1] >> ((document & 1) << 2)) & 15) !== 0) matches[document - base]++;
    }
    this.seek(to);
  }

  #add(
    from: number,
    to: number,
    base: number,
    sums: Float64Array,
    matches: Uint16Array,
    least: number,
    above: number,
  ): void {
    const codes = this.#codes;
    const { weigher, weight, k1 } = this.#scoring;
    for (let document = from; document < to; document++) {
      let code = (codes[document >> 1] >> ((document & 1) << 2)) & 15;
      if (code === 0 || sums[document - base] <= above || matches[document - base] < least) continue;
      if (code === ESCAPE) code = this.#codeOf(document);
      const w = weigher.weigh(document, code - 1);
      sums[document - base] += (weight * w) / (w + k1);
      matches[document - base]++;
    }
  }

  #goTo(target: number): number {
    const codes = this.#codes;
    const all = this.#all;
    let document = target;
    while (document < all && ((codes[document >> 1] >> ((document & 1) << 2)) & 15) === 0) document++;
    this.document = document < all ? document : END;
    return this.document;
  }

  /** One more than its code; 0 where the document does not hold the term. */
  #codeOf(document: number): number {
    const code = (this.#codes[document >> 1] >> ((document & 1) << 2)) & 15;
    if (code !== ESCAPE) return code;
    const large = this.#large === undefined ? LOOK_UP : this.#large[document];
    if (large !== LOOK_UP) return large;
    this.#reader ??= new PostingReader(this.#postings, this.#arrays);
    this.#reader.seek(document);
    return this.#reader.code + 1;
  }
}
