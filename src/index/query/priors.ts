import type { ScorePart } from '../../contracts/search-index.ts';
import type { DocumentColumns } from '../format/document-columns.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { SearchedSegment } from './searched-segment.ts';

interface Prior {
  readonly what: string;
  value(columns: DocumentColumns, document: number, ranking: RankingOptions, newest: number): number;
}

const PRIORS: readonly Prior[] = [
  { what: 'link rank', value: (columns, document, { rank }) => rank * columns.number('rank', document) },
  { what: 'spam', value: (columns, document, { spam }) => -spam * columns.number('spam', document) },
  {
    what: 'form of the URL',
    value: (columns, document, { urlForm }) => (urlForm * columns.number('urlForm', document)) / 255,
  },
  {
    what: 'freshness',
    value: (columns, document, { freshness, freshnessHalfLifeMs }, newest) => {
      const date = columns.number('date', document);
      return date > 0 ? freshness * 2 ** (-Math.max(0, newest - date) / freshnessHalfLifeMs) : 0;
    },
  },
];

/** What speaks for or against a document whatever is asked. `newest` is the date that counts as today. */
export function priorParts(
  { segment: { columns } }: SearchedSegment,
  document: number,
  ranking: RankingOptions,
  newest: number,
): ScorePart[] {
  return PRIORS.map(({ what, value }) => ({ what, value: value(columns, document, ranking, newest) }));
}

/** The score with all of them: for every candidate of a search, so without a word about each. */
export function withPriors(
  score: number,
  { segment: { columns } }: SearchedSegment,
  document: number,
  ranking: RankingOptions,
  newest: number,
): number {
  let sum = score;
  for (const { value } of PRIORS) sum += value(columns, document, ranking, newest);
  return sum;
}
