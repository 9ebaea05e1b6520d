import { END } from './cursors/score-cursor.ts';
import type { PhraseMatcher } from './phrase-matcher.ts';
import { type ScoredList, ScoredListBuilder } from './scored-list.ts';

/** All documents of a segment that hold a phrase. */
export function phraseList(matcher: PhraseMatcher): ScoredList {
  const list = new ScoredListBuilder();
  for (let document = matcher.seek(0, END); document !== END; document = matcher.seek(document + 1, END)) {
    const score = matcher.score(document);
    if (score > 0) list.add(document, score);
  }
  return list.list();
}
