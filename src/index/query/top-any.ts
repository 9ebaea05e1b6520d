import { END, type ScoreCursor } from './score-cursor.ts';
import type { TopHeap } from './top-heap.ts';

/** Documents looked at together. */
const WINDOW = 4096;

/** What one segment's part of a search works on. */
export interface SegmentSearch {
  readonly documents: number;
  /** Added to the numbers of this segment. */
  readonly base: number;
  readonly heap: TopHeap;
  /** Neither deleted nor filtered away. */
  accepts(document: number): boolean;
}

/**
 * The best documents with at least `least` of the cursors: block-max MaxScore. In each window the cursors whose bounds
 * together cannot lift a document over the threshold are only asked about documents that the others found.
 * Returns how many match, where `count` asks for all to be looked at; else what was seen.
 */
export function topAny(cursors: readonly ScoreCursor[], least: number, search: SegmentSearch, count: boolean): number {
  if (least > cursors.length) return 0;
  if (cursors.length === 1) return topOne(cursors[0], search, count);
  const sums = new Float64Array(WINDOW);
  const matches = new Uint16Array(WINDOW);
  const order = [...cursors];
  const strongest = order.reduce((best, cursor) => (cursor.peak > best.peak ? cursor : best));
  const bounds = new Float64Array(cursors.length);
  const { heap, base } = search;
  let matched = 0;
  let from = 0;
  while (from < search.documents) {
    let next = END;
    for (const cursor of order) if (cursor.document < next) next = cursor.document;
    if (next === END) break;
    // The cursors that were only asked may stand behind.
    if (next > from) from = next;
    // The blocks of the weightiest word make the windows: its bounds say most.
    let all = strongest.boundAt(from);
    const end = count ? search.documents : Math.min(strongest.boundEnd + 1, search.documents);
    const to = Math.min(from + WINDOW, end);
    for (const cursor of order) if (cursor !== strongest) all += cursor.boundOver(from, to);
    if (!count && all <= heap.threshold) {
      // Cursors stay where they are until a window is worth reading.
      from = to;
      continue;
    }
    sortByBound(order, bounds);
    let spare = 0;
    let sparedBound = 0;
    if (!count) {
      while (spare < order.length && sparedBound + bounds[spare] <= heap.threshold) sparedBound += bounds[spare++];
    }
    const spared: Spared = { cursors: order, bounds, count: spare, bound: sparedBound };
    if (!count && spare === order.length - 1) {
      const cursor = order[spare];
      cursor.seek(from);
      while (cursor.findAbove(to, heap.threshold - sparedBound)) {
        if (complete(cursor.document, cursor.score(), 1, least, spared, search)) matched++;
        cursor.seek(cursor.document + 1);
      }
      from = to;
      continue;
    }
    for (let at = spare; at < order.length; at++) {
      order[at].seek(from);
      order[at].accumulate(to, from, sums, matches);
    }
    const span = to - from;
    for (let offset = 0; offset < span; offset++) {
      if (matches[offset] === 0) continue;
      const score = sums[offset];
      const found = matches[offset];
      sums[offset] = 0;
      matches[offset] = 0;
      if (count) {
        if (found < least || !search.accepts(from + offset)) continue;
        matched++;
        heap.offer(base + from + offset, score);
      } else if (score + sparedBound > heap.threshold) {
        if (complete(from + offset, score, found, least, spared, search)) matched++;
      }
    }
    from = to;
  }
  return matched;
}

/** The first `count` cursors, which are asked only about documents that others found. */
interface Spared {
  readonly cursors: readonly ScoreCursor[];
  readonly bounds: Float64Array;
  readonly count: number;
  /** The sum of their bounds. */
  readonly bound: number;
}

/** Asks the spared cursors about a document, as long as it can still get among the best; true where it did. */
function complete(
  document: number,
  sum: number,
  foundBefore: number,
  least: number,
  spared: Spared,
  search: SegmentSearch,
): boolean {
  const { heap } = search;
  let score = sum;
  let found = foundBefore;
  let left = spared.bound;
  for (let at = spared.count - 1; at >= 0 && score + left > heap.threshold; at--) {
    // Even all that are left would be too few.
    if (found + at + 1 < least) return false;
    left -= spared.bounds[at];
    if (spared.cursors[at].seek(document) === document) {
      score += spared.cursors[at].score();
      found++;
    }
  }
  if (found < least || score <= heap.threshold || !search.accepts(document)) return false;
  heap.offer(search.base + document, score);
  return true;
}

/** The best documents of a single cursor: no sums, no windows. */
function topOne(cursor: ScoreCursor, search: SegmentSearch, count: boolean): number {
  const { heap, base } = search;
  let matched = 0;
  for (let from = 0; from < search.documents && cursor.document !== END; ) {
    const bound = cursor.boundAt(from);
    const to = count ? search.documents : Math.min(cursor.boundEnd + 1, search.documents);
    if (count || bound > heap.threshold) {
      cursor.seek(from);
      while (cursor.findAbove(to, count ? -1 : heap.threshold)) {
        if (search.accepts(cursor.document)) {
          matched++;
          heap.offer(base + cursor.document, cursor.score());
        }
        cursor.seek(cursor.document + 1);
      }
    }
    from = to;
  }
  return matched;
}

/** The least bound first. */
function sortByBound(cursors: ScoreCursor[], bounds: Float64Array): void {
  for (let at = 0; at < cursors.length; at++) {
    const cursor = cursors[at];
    const { bound } = cursor;
    let to = at;
    while (to > 0 && bounds[to - 1] > bound) {
      cursors[to] = cursors[to - 1];
      bounds[to] = bounds[to - 1];
      to--;
    }
    cursors[to] = cursor;
    bounds[to] = bound;
  }
}
