import { RANGE } from '../format/dense-codes.ts';
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

/** As `HALF_BYTES` has it. */
const ALL_OF_RANGE = 0x11111111;

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
  // Where every word is asked for, those that tell it at once leave few documents of eight in one step.
  const telling = least === cursors.length ? cursors.filter(({ tellsHolders }) => tellsHolders) : [];
  const marking = telling.length === 0 ? cursors : cursors.filter(({ tellsHolders }) => !tellsHolders);
  const marked = least - telling.length;
  const { width, step } = windows;
  const matches = new Uint16Array(width);
  let matched = 0;
  let range = 0;
  for (let window = firstWindow(search, windows); window < search.documents; window += step) {
    const from = Math.max(0, window);
    const to = Math.min(window + width, search.documents);
    if (to <= from) continue;
    for (const cursor of marking) {
      cursor.seek(from);
      cursor.mark(to, from, matches);
    }
    const end = Math.ceil(to / RANGE);
    for (let eight = Math.floor(from / RANGE); eight < end; eight++) {
      let held = holdersOfAll(telling, eight);
      for (; held !== 0; held &= held - 1) {
        const document = eight * RANGE + ((31 - Math.clz32(held & -held)) >> 2);
        if (document < from || document >= to || matches[document - from] < marked) continue;
        if (!search.accepts(document)) continue;
        matched++;
        sample?.add(search.base + document);
      }
    }
    if (marking.length > 0) matches.fill(0);
    range += to - from;
  }
  return { matched, range };
}

/** Which documents of a range all of the cursors have: every one, where there is no cursor. */
function holdersOfAll(cursors: readonly ScoreCursor[], range: number): number {
  let held = ALL_OF_RANGE;
  for (let at = 0; at < cursors.length && held !== 0; at++) held &= cursors[at].holders(range);
  return held;
}
