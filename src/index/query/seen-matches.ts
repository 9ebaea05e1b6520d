import type { MatchSample } from '../memory/match-sample.ts';
import type { SegmentSearch } from './count-any.ts';
import type { ScoreCursor } from './cursors/score-cursor.ts';

/** What a search saw: matches within this many of the segment's documents. */
export interface Seen {
  readonly matched: number;
  readonly range: number;
}

/** The documents of a segment that are looked at: of every `step` the first `width`. */
export interface Windows {
  readonly width: number;
  readonly step: number;
}

/** Wider windows are read more quickly, narrower ones tell more: neighbours are often of one site. */
const WIDE = 512;
const NARROW = 64;

export const ALL: Windows = { width: WIDE, step: WIDE };

/** Windows that hold about such a share of all documents. */
export function narrowWindows(share: number): Windows {
  return share < 1 ? { width: NARROW, step: Math.floor(NARROW / share) } : ALL;
}

/** Where the windows of a segment begin: they run on from one segment to the next, so that small ones are not seen more of. */
export function firstWindow({ base }: SegmentSearch, { step }: Windows): number {
  return -(base % step);
}

/** About so many wide windows over a segment. */
export function wideWindows(count: number, documents: number): Windows {
  return { width: WIDE, step: Math.max(WIDE, Math.ceil(documents / Math.max(1, count))) };
}

/** How many documents of the windows at least `least` of the cursors hold. */
export function seeMatches(
  cursors: readonly ScoreCursor[],
  least: number,
  search: SegmentSearch,
  windows: Windows,
  sample?: MatchSample,
): Seen {
  for (const cursor of cursors) cursor.rewind();
  search.begin();
  const { width, step } = windows;
  const matches = new Uint16Array(width);
  let matched = 0;
  let range = 0;
  for (let window = firstWindow(search, windows); window < search.documents; window += step) {
    const from = Math.max(0, window);
    const to = Math.min(window + width, search.documents);
    if (to <= from) continue;
    for (const cursor of cursors) {
      cursor.seek(from);
      cursor.mark(to, from, matches);
    }
    for (let offset = 0; offset < to - from; offset++) {
      const found = matches[offset];
      matches[offset] = 0;
      if (found < least || !search.accepts(from + offset)) continue;
      matched++;
      sample?.add(search.base + from + offset);
    }
    range += to - from;
  }
  return { matched, range };
}
