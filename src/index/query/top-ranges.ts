import { RANGE, STRETCH } from '../format/dense-codes.ts';
import type { ScoreWindow, WindowBuffers } from '../memory/window-buffers.ts';
import type { SegmentSearch } from './count-any.ts';
import type { ScoreCursor } from './cursors/score-cursor.ts';
import type { TopHeap } from './top-heap.ts';

/** To find a threshold, this many parts are looked at for each document wanted. */
const PRIMED = 2;
/** The bounds are counted in this many steps. */
const STEPS = 2048;

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
  /** How many documents the last reading let in; those below the threshold were not looked at. */
  accepted = 0;

  /** A document has to be held by `least` of the cursors. */
  constructor(cursors: readonly ScoreCursor[], least: number, search: SegmentSearch, windows: WindowBuffers) {
    // The weightiest word first: with what it says most others need not be asked.
    this.#cursors = [...cursors].sort((a, b) => b.peak - a.peak);
    this.#least = Math.max(1, least);
    this.#search = search;
    this.#windows = windows;
    this.bounds = new Float64Array(Math.ceil(search.documents / (RANGE * STRETCH)));
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

  #readStretch(first: number, end: number, heap: TopHeap, window: ScoreWindow): void {
    for (let range = first; range < end; range++) {
      if (this.#boundOf(range) <= heap.threshold) continue;
      const start = range;
      while (range + 1 < end && this.#boundOf(range + 1) > heap.threshold) range++;
      this.#readWindow(start, range + 1, heap, window);
    }
  }

  #boundOf(range: number): number {
    const cursors = this.#cursors;
    const every = this.#least === cursors.length;
    let sum = 0;
    for (let at = 0; at < cursors.length; at++) {
      const bound = cursors[at].rangeBound(range);
      if (bound > 0 || every) sum += bound;
    }
    return sum;
  }

  #readWindow(start: number, end: number, heap: TopHeap, window: ScoreWindow): void {
    const { sums, matches } = window;
    const cursors = this.#cursors;
    const from = start * RANGE;
    const to = Math.min(end * RANGE, this.#search.documents);
    const span = to - from;
    for (let at = 0; at < cursors.length; at++) {
      if (at > 0 && end === start + 1 && !this.#promising(start, span, at, heap, window)) {
        sums.fill(0, 0, span);
        matches.fill(0, 0, span);
        return;
      }
      // A document that lacks a word too many by now is not scored any further.
      cursors[at].accumulateRange(from, to, sums, matches, this.#least - (cursors.length - at));
    }
    for (let offset = 0; offset < span; offset++) {
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

  /** Whether a document of a range can still get among the best after the first `asked` cursors. */
  #promising(range: number, span: number, asked: number, heap: TopHeap, window: ScoreWindow): boolean {
    const { sums, matches } = window;
    const cursors = this.#cursors;
    let left = 0;
    for (let at = asked; at < cursors.length; at++) left += Math.max(0, cursors[at].rangeBound(range));
    const missing = this.#least - (cursors.length - asked);
    for (let offset = 0; offset < span; offset++) {
      if (sums[offset] + left > heap.threshold && matches[offset] >= missing) return true;
    }
    return false;
  }
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
