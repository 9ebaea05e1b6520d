import type { QueryNode, ScorePart } from '../../contracts/search-index.ts';
import { FIELDS } from '../fields.ts';
import type { RankingOptions } from '../ranking-options.ts';
import { FormMatch } from './form-match.ts';
import { PostingReader } from './posting-reader.ts';
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
): ScorePart {
  const inSegment = new SegmentQuery(searched, plan, ranking.k1);
  const words = explainNode(query, plan, searched, document, inSegment);
  if (words === undefined) return { what: 'does not match', value: 0 };
  const near = new Proximity(query, plan, ranking).parts(searched, document);
  const title = new TitleMatch(query, plan, ranking).bonus(searched, document);
  const form = new FormMatch(query, plan, ranking).malus(searched, document);
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
): ScorePart | undefined {
  const cursor = inSegment.cursor(node);
  if (cursor.seek(document) !== document) return undefined;
  const value = cursor.score();
  switch (node.kind) {
    case 'and':
    case 'or': {
      const parts = node.nodes.flatMap((inner) =>
        inner.kind === 'not' ? [] : (explainNode(inner, plan, searched, document, inSegment) ?? []),
      );
      return { what: node.kind === 'and' ? 'all of' : 'any of', value, parts };
    }
    case 'term':
    case 'prefix': {
      const { terms, weight, documents } = plan.leaf(node);
      const name = node.kind === 'term' ? node.terms.join('|') : `${node.prefix}*`;
      const only = node.field === undefined ? undefined : FIELDS.indexOf(node.field);
      const what = `${name}${node.field === undefined ? '' : ` in ${node.field}`}: in ${documents} documents, at most ${weight.toFixed(3)}`;
      return { what, value, parts: fieldParts(searched, document, terms, only, value) };
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
  terms: readonly string[],
  only: number | undefined,
  value: number,
): ScorePart[] {
  const weights = FIELDS.map(() => 0);
  const frequencies = FIELDS.map(() => 0);
  for (const term of terms) {
    const postings = searched.segment.postings(term);
    if (postings === undefined) continue;
    const reader = new PostingReader(postings);
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
