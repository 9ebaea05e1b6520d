import type { ScorePart } from '../../contracts/search-index.ts';
import type { DocumentColumns } from '../format/document-columns.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { SearchedSegment } from './searched-segment.ts';

function linkRank(columns: DocumentColumns, document: number, { rank }: RankingOptions): number {
  return rank * columns.number('rank', document);
}

function spam(columns: DocumentColumns, document: number, { spam }: RankingOptions): number {
  return -spam * columns.number('spam', document);
}

function formOfUrl(columns: DocumentColumns, document: number, { urlForm }: RankingOptions): number {
  return (urlForm * columns.number('urlForm', document)) / 255;
}

function freshness(
  columns: DocumentColumns,
  document: number,
  { freshness, freshnessHalfLifeMs }: RankingOptions,
  newest: number,
): number {
  const date = columns.number('date', document);
  return date > 0 ? freshness * 2 ** (-Math.max(0, newest - date) / freshnessHalfLifeMs) : 0;
}

/** What speaks for or against a document whatever is asked. `newest` is the date that counts as today. */
export function priorParts(
  { segment: { columns } }: SearchedSegment,
  document: number,
  ranking: RankingOptions,
  newest: number,
): ScorePart[] {
  return [
    { what: 'link rank', value: linkRank(columns, document, ranking) },
    { what: 'spam', value: spam(columns, document, ranking) },
    { what: 'form of the URL', value: formOfUrl(columns, document, ranking) },
    { what: 'freshness', value: freshness(columns, document, ranking, newest) },
  ];
}

/** The score with all of them: for every candidate of a search, so without a word about each, and by direct calls. */
export function withPriors(
  score: number,
  { segment: { columns } }: SearchedSegment,
  document: number,
  ranking: RankingOptions,
  newest: number,
): number {
  return (
    score +
    linkRank(columns, document, ranking) +
    spam(columns, document, ranking) +
    formOfUrl(columns, document, ranking) +
    freshness(columns, document, ranking, newest)
  );
}
