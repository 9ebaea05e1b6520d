import type { ScorePart } from '../../contracts/search-index.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { SearchedSegment } from './searched-segment.ts';

/** What speaks for or against a document whatever is asked. `newest` is the date that counts as today. */
export function priorParts(
  { segment: { columns } }: SearchedSegment,
  document: number,
  ranking: RankingOptions,
  newest: number,
): ScorePart[] {
  const date = columns.number('date', document);
  const age = Math.max(0, newest - date);
  return [
    { what: 'link rank', value: ranking.rank * columns.number('rank', document) },
    { what: 'spam', value: -ranking.spam * columns.number('spam', document) },
    { what: 'form of the URL', value: (ranking.urlForm * columns.number('urlForm', document)) / 255 },
    { what: 'freshness', value: date > 0 ? ranking.freshness * 2 ** (-age / ranking.freshnessHalfLifeMs) : 0 },
  ];
}
