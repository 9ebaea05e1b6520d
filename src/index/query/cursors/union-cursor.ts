import { RANGE, STRETCH } from '../../format/dense-codes.ts';
import type { TermPostings } from '../../format/term-postings.ts';
import type { BlockArrays } from '../../memory/block-arrays.ts';
import type { WindowBuffers } from '../../memory/window-buffers.ts';
import { countHolders } from './count-holders.ts';
import { END, type ScoreCursor, SLACK, saturated, type TermCursor, type TermScoring } from './score-cursor.ts';

/**
 * Walks over a word that several terms stand for: their weights are added before they are saturated. Nothing is unpacked but what
 * is asked for. Not more than `WINDOW` documents may be asked for at once.
 */
export class UnionCursor implements ScoreCursor {
  readonly peak: number;
  readonly tellsHolders: boolean;
  document = 0;
  boundEnd = 0;
  /** In the order in which the weights are added. */
  readonly #terms: readonly TermCursor[];
  readonly #postings: readonly TermPostings[];
  readonly #scoring: TermScoring;
  readonly #arrays: BlockArrays;
  readonly #windows: WindowBuffers;
  /** Documents of the segment. */
  readonly #all: number;
  #documents: number | undefined;

  /** `terms` walk over `postings`, one over each; `all`: documents of the segment. */
  constructor(
    terms: readonly TermCursor[],
    postings: readonly TermPostings[],
    all: number,
    scoring: TermScoring,
    arrays: BlockArrays,
    windows: WindowBuffers,
  ) {
    this.#terms = terms;
    this.tellsHolders = terms.every((term) => term.tellsHolders);
    this.#postings = postings;
    this.#all = all;
    this.#scoring = scoring;
    this.#arrays = arrays;
    this.#windows = windows;
    this.peak = this.#bound(terms.reduce((sum, term) => sum + term.peakWeight, 0));
    this.#meet();
  }

  get documents(): number {
    this.#documents ??= countHolders(
      this.#terms.map((cursor, at) => ({ cursor, postings: this.#postings[at] })),
      this.#all,
      this.#arrays,
    );
    return this.#documents;
  }

  seek(target: number): number {
    if (this.document >= target) return this.document;
    for (const term of this.#terms) term.seek(target);
    return this.#meet();
  }

  score(): number {
    const { weight, k1 } = this.#scoring;
    let w = 0;
    for (const term of this.#terms) if (term.document === this.document) w += term.weight();
    return (weight * w) / (w + k1);
  }

  boundAt(target: number): number {
    let sum = 0;
    this.boundEnd = END;
    for (const term of this.#terms) {
      sum += term.weightBoundAt(target);
      if (term.boundEnd < this.boundEnd) this.boundEnd = term.boundEnd;
    }
    return this.#bound(sum);
  }

  addBounds(sums: Float64Array, every: boolean): void {
    const { weights } = this.#scoring.bounds;
    const bytes = this.#terms.map((term) => term.stretchBytes);
    for (let stretch = 0; stretch < sums.length; stretch++) {
      let held = 0;
      let most = 0;
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at][stretch];
        if (byte === 0) continue;
        held++;
        if (byte > most) most = byte;
      }
      if (held > 0) {
        const apart = held === 1 || this.#areApart(stretch);
        sums[stretch] += this.#bound(apart ? weights[most] : this.#stretchWeight(stretch));
      } else if (every) sums[stretch] = Number.NEGATIVE_INFINITY;
    }
  }

  addRangeBounds(first: number, end: number, sums: Float64Array, every: boolean): void {
    for (let range = first; range < end; range++) {
      const bound = this.rangeBound(range);
      if (bound > 0 || every) sums[range - first] += bound;
    }
  }

  rangeBound(range: number): number {
    const weight = this.#rangeWeight(range);
    return weight < 0 ? Number.NEGATIVE_INFINITY : this.#bound(weight);
  }

  /** Whether no document of the stretch holds two of the terms. */
  #areApart(stretch: number): boolean {
    const terms = this.#terms;
    const end = this.#endOf(stretch);
    for (let range = stretch * STRETCH; range < end; range++) {
      let seen = 0;
      for (let at = 0; at < terms.length; at++) {
        const holders = terms[at].holders(range);
        if ((seen & holders) !== 0) return false;
        seen |= holders;
      }
    }
    return true;
  }

  #stretchWeight(stretch: number): number {
    const end = this.#endOf(stretch);
    let most = 0;
    for (let range = stretch * STRETCH; range < end; range++) most = Math.max(most, this.#rangeWeight(range));
    return most;
  }

  /** After its last range. */
  #endOf(stretch: number): number {
    return Math.min((stretch + 1) * STRETCH, Math.ceil(this.#all / RANGE));
  }

  /**
   * No document of the range has more weight; -1 where it has none. The terms are stems of different languages, or spellings: most
   * documents hold one of them alone. So where none holds two, their bounds are not added.
   */
  #rangeWeight(range: number): number {
    const { weights } = this.#scoring.bounds;
    const terms = this.#terms;
    let sum = 0;
    let most = -1;
    let seen = 0;
    let shared = 0;
    for (let at = 0; at < terms.length; at++) {
      const byte = terms[at].rangeByte(range);
      const holders = byte === 0 ? 0 : terms[at].holders(range);
      if (holders === 0) continue;
      shared |= seen & holders;
      seen |= holders;
      sum += weights[byte];
      if (weights[byte] > most) most = weights[byte];
    }
    return shared === 0 ? most : sum;
  }

  rewind(): void {
    for (const term of this.#terms) term.rewind();
    this.#meet();
  }

  accumulate(to: number, base: number, sums: Float64Array, matches: Uint16Array): void {
    this.#add(this.document, to, base, sums, matches, 0);
    this.seek(to);
  }

  accumulateRange(from: number, to: number, sums: Float64Array, matches: Uint16Array, least: number): void {
    this.#add(from, to, from, sums, matches, least);
  }

  mark(to: number, base: number, matches: Uint16Array): void {
    const window = this.#windows.take();
    const held = window.matches;
    const from = this.document - base;
    for (const term of this.#terms) term.mark(to, base, held);
    for (let offset = from; offset < to - base; offset++) {
      if (held[offset] === 0) continue;
      held[offset] = 0;
      matches[offset]++;
    }
    this.#windows.giveBack(window);
    this.#meet();
  }

  holders(range: number): number {
    const terms = this.#terms;
    let any = 0;
    for (let at = 0; at < terms.length; at++) any |= terms[at].holders(range);
    return any;
  }

  #add(from: number, to: number, base: number, sums: Float64Array, matches: Uint16Array, least: number): void {
    const { weight, k1 } = this.#scoring;
    const window = this.#windows.take();
    const { sums: weights, matches: held } = window;
    for (const term of this.#terms) term.addWeights(from, to, base, window, matches, least);
    for (let offset = from - base; offset < to - base; offset++) {
      if (held[offset] === 0) continue;
      const w = weights[offset];
      held[offset] = 0;
      weights[offset] = 0;
      sums[offset] += (weight * w) / (w + k1);
      matches[offset]++;
    }
    this.#windows.giveBack(window);
  }

  #bound(weights: number): number {
    return this.#scoring.weight * SLACK * saturated(weights, this.#scoring.k1);
  }

  /** To the first document that any of the terms stands on. */
  #meet(): number {
    let document = END;
    for (const term of this.#terms) if (term.document < document) document = term.document;
    this.document = document;
    return document;
  }
}
