import type { ScoreCursor } from './score-cursor.ts';
import type { TopHeap } from './top-heap.ts';

/** Documents whose scores are added up together. */
const WINDOW = 4096;

/** Sums of scores, and how many words each is of; all zero while nobody works with them. */
interface ScoreWindow {
  readonly sums: Float64Array;
  readonly matches: Uint16Array;
}

/** Memory for a window of documents, kept from search to search: to get it anew for every segment takes longer than many a search in it. */
export class WindowBuffers {
  #free: ScoreWindow | undefined;

  /** Lends a window. Who is done sets all to zero and gives it back; after a fault it is not given back. */
  take(): ScoreWindow {
    const window = this.#free ?? { sums: new Float64Array(WINDOW), matches: new Uint16Array(WINDOW) };
    this.#free = undefined;
    return window;
  }

  giveBack(window: ScoreWindow): void {
    this.#free = window;
  }
}

/** What one segment's part of a search works on. */
export interface SegmentSearch {
  readonly documents: number;
  /** Added to the numbers of this segment. */
  readonly base: number;
  readonly heap: TopHeap;
  /** The documents asked about start from the first again. */
  begin(): void;
  /** Neither deleted nor filtered away nor excluded; asked about in ascending order. */
  accepts(document: number): boolean;
}

/** How many documents at least `least` of the cursors hold; the best of them go into the heap. */
export function countAny(
  cursors: readonly ScoreCursor[],
  least: number,
  search: SegmentSearch,
  buffers: WindowBuffers,
): number {
  if (least > cursors.length) return 0;
  const window = buffers.take();
  const { sums, matches } = window;
  const { heap, base } = search;
  let matched = 0;
  for (let from = 0; from < search.documents; ) {
    let next = search.documents;
    for (const cursor of cursors) if (cursor.document < next) next = cursor.document;
    from = next;
    const to = Math.min(from + WINDOW, search.documents);
    for (const cursor of cursors) cursor.accumulate(to, from, sums, matches);
    for (let offset = 0; offset < to - from; offset++) {
      const found = matches[offset];
      if (found === 0) continue;
      const score = sums[offset];
      sums[offset] = 0;
      matches[offset] = 0;
      if (found < least || !search.accepts(from + offset)) continue;
      matched++;
      heap.offer(base + from + offset, score);
    }
    from = to;
  }
  buffers.giveBack(window);
  return matched;
}
