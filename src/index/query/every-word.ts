import type { SegmentSearch } from './count-any.ts';
import { END, type ScoreCursor } from './score-cursor.ts';

/** What a search saw: matches within this many of the segment's documents. */
export interface Seen {
  readonly matched: number;
  readonly range: number;
}

/** Documents are looked at in stretches of this many; a sample takes this many stretches of a segment. */
const STRETCH = 512;
const SAMPLES = 4;

/** How many documents all cursors hold: of all, or of a sample. */
export function seeEvery(required: readonly ScoreCursor[], search: SegmentSearch, all: boolean): Seen {
  for (const cursor of required) cursor.rewind();
  search.begin();
  const matches = new Uint16Array(STRETCH);
  const step = all ? STRETCH : Math.max(STRETCH, Math.ceil(search.documents / SAMPLES));
  let matched = 0;
  let range = 0;
  for (let from = 0; from < search.documents; from += step) {
    const to = Math.min(from + STRETCH, search.documents);
    for (const cursor of required) {
      cursor.seek(from);
      cursor.mark(to, from, matches);
    }
    for (let offset = 0; offset < to - from; offset++) {
      const whole = matches[offset] === required.length;
      matches[offset] = 0;
      if (whole && search.accepts(from + offset)) matched++;
    }
    range += to - from;
  }
  return { matched, range };
}

/** All matches, and the best of them: the rarest word leads, the others are asked to catch up. */
export function followRarest(required: readonly ScoreCursor[], search: SegmentSearch): number {
  const order = [...required].sort((a, b) => a.documents - b.documents);
  const lead = order[0];
  const { heap, base } = search;
  let matched = 0;
  let boundEnd = -1;
  let hopeless = false;
  let document = lead.document;
  while (document !== END) {
    let at = 1;
    let reached = document;
    while (at < order.length && reached === document) reached = order[at++].seek(document);
    if (reached !== document) {
      document = reached === END ? END : lead.seek(reached);
      continue;
    }
    if (search.accepts(document)) {
      matched++;
      if (document > boundEnd) {
        let bound = 0;
        boundEnd = END;
        for (const cursor of order) {
          bound += cursor.boundAt(document);
          if (cursor.boundEnd < boundEnd) boundEnd = cursor.boundEnd;
        }
        hopeless = bound <= heap.threshold;
      }
      if (!hopeless) {
        let score = 0;
        for (const cursor of required) score += cursor.score();
        heap.offer(base + document, score);
      }
    }
    document = lead.seek(document + 1);
  }
  return matched;
}

export function holdsAny(cursors: readonly ScoreCursor[], document: number): boolean {
  for (const cursor of cursors) if (cursor.seek(document) === document) return true;
  return false;
}
