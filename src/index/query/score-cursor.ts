import { BLOCK } from '../format/posting-writer.ts';
import { boundOfByte } from '../format/quantise.ts';
import type { TermPostings } from '../format/term-postings.ts';
import type { PostingWeigher } from './score-model.ts';
import { blockMaxima, type ScoredList } from './scored-list.ts';

/** After the last document. */
export const END = 0xffffffff;

/** How the postings of a term become scores: weight * w / (w + k1). */
export interface TermScoring {
  readonly weigher: PostingWeigher;
  readonly weight: number;
  readonly k1: number;
  /** The bounds of the segment are to be multiplied by this. */
  readonly boundFactor: number;
}

/** Sums can come out a rounding above the sum of their bounds. */
const SLACK = 1 + 1e-12;

/** Walks over scored documents of one segment in order, and knows bounds of what lies ahead. */
export class ScoreCursor {
  /** How many documents it walks over. */
  readonly documents: number;
  /** The document it stands on. */
  document = 0;
  /** The last document that the bound told last holds for. */
  boundEnd = 0;
  /** The bound told last. */
  bound = 0;
  /** No document scores more. */
  readonly peak: number;
  readonly #postings: TermPostings | undefined;
  readonly #scoring: TermScoring | undefined;
  readonly #list: ScoredList | undefined;
  readonly #blocks: number;
  readonly #lastDocuments: Uint32Array;
  readonly #bounds: Float64Array;
  readonly #held = new Uint32Array(BLOCK);
  readonly #codes = new Uint32Array(BLOCK);
  #block = -1;
  #codesBlock = -1;
  #count = 0;
  #at = 0;
  #ahead = 0;

  private constructor(
    postings: TermPostings | undefined,
    scoring: TermScoring | undefined,
    list: ScoredList | undefined,
    lastDocuments: Uint32Array,
    bounds: Float64Array,
  ) {
    this.#postings = postings;
    this.#scoring = scoring;
    this.#list = list;
    this.documents = postings?.documents ?? list?.documents.length ?? 0;
    this.#lastDocuments = lastDocuments;
    this.#bounds = bounds;
    this.#blocks = bounds.length;
    let peak = 0;
    for (let block = 0; block < bounds.length; block++) if (bounds[block] > peak) peak = bounds[block];
    this.peak = peak;
    this.#open(0);
  }

  static ofTerm(postings: TermPostings, scoring: TermScoring): ScoreCursor {
    const scores = Float64Array.from({ length: 256 }, (_, byte) => {
      const weight = boundOfByte(byte) * scoring.boundFactor;
      return scoring.weight * SLACK * (weight === Number.POSITIVE_INFINITY ? 1 : weight / (weight + scoring.k1));
    });
    const bounds = new Float64Array(postings.blocks);
    for (let block = 0; block < bounds.length; block++) bounds[block] = scores[postings.bounds[block]];
    return new ScoreCursor(postings, scoring, undefined, postings.lastDocuments, bounds);
  }

  static ofList(list: ScoredList): ScoreCursor {
    const bounds = blockMaxima(list);
    const lastDocuments = Uint32Array.from(bounds, (_, block) => list.documents[block * BLOCK + BLOCK - 1] ?? END);
    if (bounds.length > 0) lastDocuments[bounds.length - 1] = END;
    for (let block = 0; block < bounds.length; block++) bounds[block] *= SLACK;
    return new ScoreCursor(undefined, undefined, list, lastDocuments, bounds);
  }

  /** To the first document from `target` on; never back. */
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

  /** The score of the document it stands on. */
  score(): number {
    if (this.#list !== undefined) return this.#list.scores[this.#block * BLOCK + this.#at];
    const { weigher, weight, k1 } = this.#scoring!;
    // Where only single documents of a block are asked about, its other codes are not unpacked.
    const known = this.#codesBlock === this.#block;
    const code = known ? this.#codes[this.#at] : this.#postings!.readCode(this.#block, this.#at);
    const w = weigher.weigh(this.document, code);
    return (weight * w) / (w + k1);
  }

  /** No document from `target` to `boundEnd` scores more. */
  boundAt(target: number): number {
    // Far before the next document: nothing scores there. A short gap is not worth a window of its own.
    if (this.document >= target + BLOCK) {
      this.boundEnd = this.document - 1;
      this.bound = 0;
      return 0;
    }
    while (this.#lastDocuments[this.#ahead] < target) this.#ahead++;
    this.boundEnd = this.#lastDocuments[this.#ahead];
    this.bound = this.#bounds[this.#ahead];
    return this.bound;
  }

  /** No document from `from` up to `to` scores more. */
  boundOver(from: number, to: number): number {
    this.bound = 0;
    if (this.document >= to) return 0;
    while (this.#lastDocuments[this.#ahead] < from) this.#ahead++;
    let block = this.#ahead;
    this.bound = this.#bounds[block];
    while (this.#lastDocuments[block] < to - 1) {
      block++;
      if (this.#bounds[block] > this.bound) this.bound = this.#bounds[block];
    }
    return this.bound;
  }

  /** Adds the scores of all documents below `to` (it stands at or before the first) to `sums[document - base]`. */
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

  /** To the first document below `to`, from where it stands on, that scores more than `least`; false where none does. */
  findAbove(to: number, least: number): boolean {
    while (this.document < to) {
      const held = this.#held;
      const count = this.#count;
      let at = this.#at;
      if (this.#list !== undefined) {
        const { scores } = this.#list;
        const start = this.#block * BLOCK;
        while (at < count && held[at] < to && scores[start + at] <= least) at++;
      } else {
        this.#readCodes();
        const codes = this.#codes;
        const { weigher, weight, k1 } = this.#scoring!;
        // Weights are compared instead of scores: that spares a division for each document.
        const enough =
          least < 0 ? -1 : least >= weight ? Number.POSITIVE_INFINITY : (least * k1) / (weight - least) / SLACK;
        while (at < count && held[at] < to && weigher.weigh(held[at], codes[at]) <= enough) at++;
      }
      if (at < count) {
        this.#at = at;
        this.document = held[at];
        return this.document < to;
      }
      this.#open(this.#block + 1);
    }
    return false;
  }

  /** As `accumulate`, without the scores. */
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

  #readCodes(): void {
    if (this.#codesBlock === this.#block) return;
    this.#postings!.readCodes(this.#block, this.#codes);
    this.#codesBlock = this.#block;
  }
}
