import type { QueryNode, ScorePart } from '../../contracts/search-index.ts';
import { FIELDS } from '../fields.ts';
import type { SearchMemory } from '../memory/search-memory.ts';
import type { RankingOptions } from '../ranking-options.ts';
import { FormMatch } from './form-match.ts';
import { type PostingReader, PostingReaders } from './posting-reader.ts';
import { priorParts } from './priors.ts';
import { Proximity } from './proximity.ts';
import type { QueryPlan } from './query-plan.ts';
import type { SearchedSegment } from './searched-segment.ts';
import { SegmentQuery } from './segment-query.ts';
import { TitleMatch } from './title-match.ts';

/** Takes the score of a document apart; the parts add up to what `top` says. */
export function explainScore(
  query: QueryNode,
  plan: QueryPlan,
  searched: SearchedSegment,
  document: number,
  ranking: RankingOptions,
  newest: number,
  memory: SearchMemory,
): ScorePart {
  const inSegment = new SegmentQuery(searched, plan, ranking.k1, memory);
  const readers = new PostingReaders(memory.blocks);
  const words = explainNode(query, plan, searched, document, inSegment, readers);
  if (words === undefined) return { what: 'does not match', value: 0 };
  const near = new Proximity(query, plan, ranking, readers).parts(searched, document);
  const title = new TitleMatch(query, plan, ranking, readers).bonus(searched, document);
  const form = new FormMatch(query, plan, ranking, readers).malus(searched, document);
  const parts = [
    words,
    ...(form > 0 ? [{ what: 'words in other forms', value: -form }] : []),
    ...(title > 0 ? [{ what: 'title is the query', value: title }] : []),
    ...(near.length > 0 ? [{ what: 'proximity', value: sum(near), parts: near }] : []),
    ...priorParts(searched, document, ranking, newest),
  ];
  return { what: 'score', value: sum(parts), parts };
}

/** Undefined where the document does not match. */
function explainNode(
  node: QueryNode,
  plan: QueryPlan,
  searched: SearchedSegment,
  document: number,
  inSegment: SegmentQuery,
  readers: PostingReaders,
): ScorePart | undefined {
  const cursor = inSegment.cursor(node);
  if (cursor.seek(document) !== document) return undefined;
  const value = cursor.score();
  switch (node.kind) {
    case 'and':
    case 'or': {
      const parts = node.nodes.flatMap((inner) =>
        inner.kind === 'not' ? [] : (explainNode(inner, plan, searched, document, inSegment, readers) ?? []),
      );
      return { what: node.kind === 'and' ? 'all of' : 'any of', value, parts };
    }
    case 'term':
    case 'prefix': {
      const { terms, weight, documents } = plan.leaf(node);
      const name = node.kind === 'term' ? node.terms.join('|') : `${node.prefix}*`;
      const only = node.field === undefined ? undefined : FIELDS.indexOf(node.field);
      const what = `${name}${node.field === undefined ? '' : ` in ${node.field}`}: in ${documents} documents, at most ${weight.toFixed(3)}`;
      return { what, value, parts: fieldParts(searched, document, readers.ofAll(searched, terms), only, value) };
    }
    case 'phrase':
      return { what: `"${node.terms.join(' ')}"`, value };
    case 'not':
      return { what: 'not', value };
    case 'all':
      return { what: 'every document', value };
  }
}

/** The score of a word by the fields it stands in, each by its share of the weight. */
function fieldParts(
  searched: SearchedSegment,
  document: number,
  readers: readonly PostingReader[],
  only: number | undefined,
  value: number,
): ScorePart[] {
  const weights = FIELDS.map(() => 0);
  const frequencies = FIELDS.map(() => 0);
  for (const reader of readers) {
    if (reader.seek(document) !== document) continue;
    for (let field = 0; field < FIELDS.length; field++) {
      if (only !== undefined && only !== field) continue;
      weights[field] += searched.weigher.weighField(document, reader.code, field);
      frequencies[field] += searched.segment.codes.frequency(reader.code, field);
    }
  }
  const all = weights.reduce((a, b) => a + b, 0);
  return FIELDS.flatMap((name, field) =>
    frequencies[field] === 0
      ? []
      : [
          {
            what: `${name}: ${frequencies[field]} times, weight ${weights[field].toFixed(3)}`,
            value: (value * weights[field]) / all,
          },
        ],
  );
}

function sum(parts: readonly ScorePart[]): number {
  return parts.reduce((all, part) => all + part.value, 0);
}
