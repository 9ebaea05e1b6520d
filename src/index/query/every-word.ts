import type { MatchSample } from '../memory/match-sample.ts';
import type { SegmentSearch } from './count-any.ts';
import { END, type ScoreCursor } from './cursors/score-cursor.ts';

/** All matches, and the best of them: the rarest word leads, the others are asked to catch up. */
export function followRarest(
  required: readonly ScoreCursor[],
  search: SegmentSearch,
  sample: MatchSample | undefined,
): number {
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
      sample?.add(base + document);
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

/** How many documents hold every word: the rarest one leads. */
export function countEvery(
  required: readonly ScoreCursor[],
  search: SegmentSearch,
  sample: MatchSample | undefined,
): number {
  for (const cursor of required) cursor.rewind();
  search.begin();
  const [lead, ...others] = [...required].sort((a, b) => a.documents - b.documents);
  let matched = 0;
  for (let document = lead.document; document !== END; ) {
    let reached = document;
    for (let at = 0; at < others.length && reached === document; at++) reached = others[at].seek(document);
    if (reached !== document) {
      document = reached === END ? END : lead.seek(reached);
      continue;
    }
    if (search.accepts(document)) {
      matched++;
      sample?.add(search.base + document);
    }
    document = lead.seek(document + 1);
  }
  return matched;
}

export function holdsAny(cursors: readonly ScoreCursor[], document: number): boolean {
  for (const cursor of cursors) if (cursor.seek(document) === document) return true;
  return false;
}
