import { END, type ScoreCursor } from './score-cursor.ts';
import type { SegmentSearch } from './top-any.ts';

/** What a search saw: matches within so many of the segment's documents. */
export interface Seen {
  readonly matched: number;
  readonly range: number;
}

const WINDOW = 4096;
/** A sample looks at so many stretches of a segment, each of so many documents. */
const SAMPLES = 4;
const SAMPLE = 512;

/** All matches, and the best of them: every word marks its documents, those with all marks match. */
export function countEvery(
  required: readonly ScoreCursor[],
  excluded: readonly ScoreCursor[],
  search: SegmentSearch,
): number {
  const sums = new Float64Array(WINDOW);
  const matches = new Uint16Array(WINDOW);
  const { heap, base } = search;
  let matched = 0;
  for (let from = 0; from < search.documents; ) {
    let to = Math.min(from + WINDOW, search.documents);
    let bound = 0;
    for (const cursor of required) {
      bound += cursor.boundAt(from);
      if (cursor.boundEnd < to - 1) to = cursor.boundEnd + 1;
    }
    const hopeless = bound <= heap.threshold;
    for (const cursor of required) {
      cursor.seek(from);
      if (hopeless) cursor.mark(to, from, matches);
      else cursor.accumulate(to, from, sums, matches);
    }
    for (let offset = 0; offset < to - from; offset++) {
      const whole = matches[offset] === required.length;
      const score = sums[offset];
      matches[offset] = 0;
      sums[offset] = 0;
      if (!whole || holdsAny(excluded, from + offset) || !search.accepts(from + offset)) continue;
      matched++;
      if (!hopeless) heap.offer(base + from + offset, score);
    }
    from = to;
  }
  return matched;
}

/** How many match in windows spread over the segment. */
export function sampleEvery(
  required: readonly ScoreCursor[],
  excluded: readonly ScoreCursor[],
  search: SegmentSearch,
): Seen {
  const matches = new Uint16Array(SAMPLE);
  const step = Math.max(SAMPLE, Math.ceil(search.documents / SAMPLES));
  let matched = 0;
  let range = 0;
  for (let from = 0; from < search.documents; from += step) {
    const to = Math.min(from + SAMPLE, search.documents);
    for (const cursor of required) {
      cursor.seek(from);
      cursor.mark(to, from, matches);
    }
    for (let offset = 0; offset < to - from; offset++) {
      const whole = matches[offset] === required.length;
      matches[offset] = 0;
      if (whole && !holdsAny(excluded, from + offset) && search.accepts(from + offset)) matched++;
    }
    range += to - from;
  }
  return { matched, range };
}

/**
 * The best documents with all of `required` and none of `excluded`: the rarest word leads, the others are asked to catch
 * up. Unless `count` asks for all matches, blocks that cannot reach the threshold are passed over.
 */
export function followRarest(
  required: readonly ScoreCursor[],
  excluded: readonly ScoreCursor[],
  search: SegmentSearch,
  count: boolean,
): Seen {
  const order = [...required].sort((a, b) => a.documents - b.documents);
  const lead = order[0];
  const { heap, base } = search;
  let matched = 0;
  let passed = 0;
  let boundEnd = -1;
  let hopeless = false;
  let document = lead.document;
  while (document !== END) {
    if (document > boundEnd) {
      let bound = 0;
      boundEnd = END;
      for (const cursor of order) {
        bound += cursor.boundAt(document);
        if (cursor.boundEnd < boundEnd) boundEnd = cursor.boundEnd;
      }
      hopeless = bound <= heap.threshold;
      if (hopeless && !count) {
        passed += Math.min(boundEnd, search.documents - 1) - document + 1;
        document = boundEnd === END ? END : lead.seek(boundEnd + 1);
        continue;
      }
    }
    let at = 1;
    let reached = document;
    while (at < order.length && reached === document) reached = order[at++].seek(document);
    if (reached !== document) {
      document = reached === END ? END : lead.seek(reached);
      continue;
    }
    if (!holdsAny(excluded, document) && search.accepts(document)) {
      matched++;
      if (!hopeless) {
        let score = 0;
        for (const cursor of required) score += cursor.score();
        heap.offer(base + document, score);
      }
    }
    document = lead.seek(document + 1);
  }
  return { matched, range: search.documents - passed };
}

export function holdsAny(cursors: readonly ScoreCursor[], document: number): boolean {
  for (const cursor of cursors) if (cursor.seek(document) === document) return true;
  return false;
}
