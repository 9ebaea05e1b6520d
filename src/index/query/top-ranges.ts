import { RANGE, STRETCH } from '../format/dense-codes.ts';
import type { ScoreWindow, WindowBuffers } from '../memory/window-buffers.ts';
import type { SegmentSearch } from './count-any.ts';
import { lowered, type ScoreCursor } from './cursors/score-cursor.ts';
import { EssentialWords } from './essential-words.ts';
import type { TopHeap } from './top-heap.ts';

/** To find a threshold, this many parts are looked at for each document wanted. */
const PRIMED = 2;
/** The bounds are counted in this many steps. */
const STEPS = 2048;
/** A posting of an essential word takes as long as so many documents of a range take, for one word. */
const POSTING = 24;

/** A search of one segment that knows the most that documents of its parts can score. */
export interface RangedSearch {
  /** Of each part; all parts are of one size. */
  readonly bounds: Float64Array;
  /** No document has more. */
  readonly peak: number;
  /** Reads all parts whose bound is above the threshold, and at least `from`; `most` at most. Returns how many. */
  read(heap: TopHeap, from?: number, most?: number): number;
}

/**
 * The search for the best documents of one segment. The bounds of all words are added up for stretches of the segment,
 * then for the ranges of those that are above the threshold; only ranges that are above it too are read.
 */
export class WordRanges implements RangedSearch {
  readonly bounds: Float64Array;
  readonly #cursors: readonly ScoreCursor[];
  readonly #least: number;
  readonly #search: SegmentSearch;
  readonly #windows: WindowBuffers;
  readonly #essential: EssentialWords;
  /** For the ranges of a stretch the most that the cursors from each on add. */
  readonly #rangeBounds: readonly Float64Array[];
  /** How many documents the last reading let in; those below the threshold were not looked at. */
  accepted = 0;

  /** A document has to be held by `least` of the cursors. */
  constructor(cursors: readonly ScoreCursor[], least: number, search: SegmentSearch, windows: WindowBuffers) {
    // The weightiest word first: with what it says most others need not be asked.
    this.#cursors = [...cursors].sort((a, b) => b.peak - a.peak);
    this.#least = Math.max(1, least);
    this.#search = search;
    this.#windows = windows;
    this.#rangeBounds = Array.from({ length: cursors.length + 1 }, () => new Float64Array(STRETCH));
    this.bounds = new Float64Array(Math.ceil(search.documents / (RANGE * STRETCH)));
    this.#essential = new EssentialWords(this.#cursors, this.#least, search, this.bounds);
    for (const cursor of cursors) cursor.addBounds(this.bounds, this.#least >= cursors.length);
    if (least > cursors.length) this.bounds.fill(Number.NEGATIVE_INFINITY);
  }

  get peak(): number {
    return this.#cursors.reduce((sum, cursor) => sum + cursor.peak, 0);
  }

  read(heap: TopHeap, from = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): number {
    const { bounds } = this;
    const ranges = Math.ceil(this.#search.documents / RANGE);
    for (const cursor of this.#cursors) cursor.rewind();
    this.#search.begin();
    this.accepted = 0;
    const window = this.#windows.take();
    let read = 0;
    let above = heap.threshold;
    for (let stretch = 0; stretch < bounds.length && read < most; stretch++) {
      if (bounds[stretch] <= above || bounds[stretch] < from) continue;
      this.#readStretch(stretch * STRETCH, Math.min((stretch + 1) * STRETCH, ranges), heap, window);
      above = heap.threshold;
      read++;
    }
    this.#windows.giveBack(window);
    return read;
  }

  /** Finds the best of all parts, in the way that takes less time. */
  readBest(heap: TopHeap): void {
    if (!this.#isEssentialCheaper(heap.threshold)) {
      this.read(heap);
      return;
    }
    for (const cursor of this.#cursors) cursor.rewind();
    this.#search.begin();
    this.accepted = this.#essential.read(heap);
  }

  #isEssentialCheaper(threshold: number): boolean {
    if (this.#cursors.length < 2 || threshold === Number.NEGATIVE_INFINITY) return false;
    return this.#essential.postings(threshold) * POSTING < this.#search.documents * this.#cursors.length;
  }

  #readStretch(first: number, end: number, heap: TopHeap, window: ScoreWindow): void {
    const cursors = this.#cursors;
    const bounds = this.#rangeBounds;
    const every = this.#least === cursors.length;
    for (let at = cursors.length - 1; at >= 0; at--) {
      bounds[at].set(bounds[at + 1]);
      cursors[at].addRangeBounds(first, end, bounds[at], every);
    }
    for (let range = first; range < end; range++) {
      if (bounds[0][range - first] > heap.threshold) this.#readRange(range, range - first, heap, window);
    }
  }

  #readRange(range: number, inStretch: number, heap: TopHeap, window: ScoreWindow): void {
    const { sums, matches } = window;
    const cursors = this.#cursors;
    const bounds = this.#rangeBounds;
    const from = range * RANGE;
    const to = Math.min(from + RANGE, this.#search.documents);
    const threshold = lowered(heap.threshold);
    for (let at = 0; at < cursors.length; at++) {
      // A document that lacks a word too many by now, or that cannot get among the best, is not scored any further.
      const least = this.#least - (cursors.length - at);
      const above = threshold - bounds[at][inStretch];
      if (at > 0 && !isAnyAbove(sums, to - from, above)) break;
      cursors[at].accumulateRange(from, to, sums, matches, least, above);
    }
    for (let offset = 0; offset < to - from; offset++) {
      const found = matches[offset];
      if (found === 0) continue;
      const score = sums[offset];
      sums[offset] = 0;
      matches[offset] = 0;
      if (found < this.#least || score <= heap.threshold || !this.#search.accepts(from + offset)) continue;
      this.accepted++;
      heap.offer(this.#search.base + from + offset, score);
    }
  }
}

function isAnyAbove(sums: Float64Array, count: number, above: number): boolean {
  for (let at = 0; at < count; at++) if (sums[at] > above) return true;
  return false;
}

/**
 * Raises the threshold of an empty heap to what the best parts of all segments show to be reachable, so that little
 * else has to be read. Nothing is lost by it: what they hold is found again when the segments are read in order.
 */
export function primeThreshold(searches: readonly RangedSearch[], heap: TopHeap): void {
  const parts = searches.reduce((sum, { bounds }) => sum + bounds.length, 0);
  const scale = STEPS / Math.max(0, ...searches.map((search) => search.peak));
  if (scale === Number.POSITIVE_INFINITY) return;
  const counts = new Uint32Array(STEPS + 1);
  for (const { bounds } of searches) {
    for (let part = 0; part < bounds.length; part++) {
      if (bounds[part] > 0) counts[Math.min(STEPS, Math.floor(bounds[part] * scale))]++;
    }
  }
  // Where matches are rare among the best, more of them are looked at.
  for (let wanted = heap.capacity * PRIMED; 4 * wanted <= parts; wanted *= 4) {
    let step = STEPS;
    let above = counts[step];
    while (step > 0 && above < wanted) above += counts[--step];
    using primer = heap.emptied();
    let left = wanted;
    for (const search of searches) left -= search.read(primer, step / scale, left);
    heap.expect(primer.threshold);
    if (primer.threshold > 0) return;
  }
}
