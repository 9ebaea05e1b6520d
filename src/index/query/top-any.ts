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
    let to = Math.min(from + WINDOW, search.documents);
    let all = 0;
    for (const cursor of order) {
      all += cursor.boundAt(from);
      if (!count && cursor.boundEnd < to - 1) to = cursor.boundEnd + 1;
    }
    if (!count && all <= heap.threshold) {
      // Cursors stay where they are until a window is worth reading.
      from = to;
      continue;
    }
    sortByBound(order, bounds, from);
    let spare = 0;
    let sparedBound = 0;
    if (!count) {
      while (spare < order.length && sparedBound + bounds[spare] <= heap.threshold) sparedBound += bounds[spare++];
    }
    for (let at = spare; at < order.length; at++) {
      order[at].seek(from);
      order[at].accumulate(to, from, sums, matches);
    }
    const span = to - from;
    for (let offset = 0; offset < span; offset++) {
      if (matches[offset] === 0) continue;
      let score = sums[offset];
      let found = matches[offset];
      sums[offset] = 0;
      matches[offset] = 0;
      if (score + sparedBound <= heap.threshold && !count) continue;
      const document = from + offset;
      let left = sparedBound;
      for (let at = spare - 1; at >= 0 && score + left > heap.threshold; at--) {
        left -= bounds[at];
        if (order[at].seek(document) === document) {
          score += order[at].score();
          found++;
        }
      }
      if (found < least || (score <= heap.threshold && !count) || !search.accepts(document)) continue;
      matched++;
      heap.offer(base + document, score);
    }
    from = to;
  }
  return matched;
}

/** The best documents of a single cursor: no sums, no windows. */
function topOne(cursor: ScoreCursor, search: SegmentSearch, count: boolean): number {
  const { heap, base } = search;
  let matched = 0;
  let boundEnd = -1;
  for (let document = cursor.document; document !== END; document = cursor.seek(document + 1)) {
    if (!count && document > boundEnd) {
      const from = document;
      while (document !== END && cursor.boundAt(document) <= heap.threshold) {
        // Within the list no block is read that cannot hold one of the best.
        document = cursor.boundEnd === END ? END : cursor.boundEnd + 1;
      }
      if (document === END) break;
      if (document > from) document = cursor.seek(document);
      if (document === END) break;
      boundEnd = cursor.boundEnd;
    }
    const score = cursor.score();
    if ((score <= heap.threshold && !count) || !search.accepts(document)) continue;
    matched++;
    heap.offer(base + document, score);
  }
  return matched;
}

/** The least bound first. */
function sortByBound(cursors: ScoreCursor[], bounds: Float64Array, from: number): void {
  for (let at = 0; at < cursors.length; at++) {
    const cursor = cursors[at];
    const bound = cursor.boundAt(from);
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
