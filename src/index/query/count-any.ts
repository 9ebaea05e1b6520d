import type { MatchSample } from '../memory/match-sample.ts';
import { WINDOW, type WindowBuffers } from '../memory/window-buffers.ts';
import type { ScoreCursor } from './cursors/score-cursor.ts';
import type { TopHeap } from './top-heap.ts';

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
  sample: MatchSample | undefined,
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
      sample?.add(base + from + offset);
      heap.offer(base + from + offset, score);
    }
    from = to;
  }
  buffers.giveBack(window);
  return matched;
}
