import type { DocumentFilter, QueryNode } from '../../contracts/search-index.ts';
import type { RankingOptions } from '../ranking-options.ts';
import { countEvery, followRarest, holdsAny, type Seen, sampleEvery } from './every-word.ts';
import type { QueryPlan } from './query-plan.ts';
import type { ScoreCursor } from './score-cursor.ts';
import type { SearchedSegment } from './searched-segment.ts';
import { segmentFilter } from './segment-filter.ts';
import { SegmentQuery } from './segment-query.ts';
import { type SegmentSearch, topAny } from './top-any.ts';
import type { TopHeap } from './top-heap.ts';

/** Where at least one document of so many holds the rarest word, all words are read window by window. */
const DENSE = 24;

export interface Total {
  readonly total: number;
  readonly exact: boolean;
}

/** Fills the heap with the best documents of all segments by words alone. */
export function topOfSegments(
  query: QueryNode,
  plan: QueryPlan,
  segments: readonly SearchedSegment[],
  live: number,
  filter: DocumentFilter,
  ranking: RankingOptions,
  heap: TopHeap,
): Total {
  const required = query.kind === 'and' ? query.nodes.filter((node) => node.kind !== 'not') : [];
  const excluded = query.kind === 'and' ? query.nodes.flatMap((node) => (node.kind === 'not' ? [node.node] : [])) : [];
  let total = 0;
  let exact = true;
  for (const searched of segments) {
    const { segment, deletions, base } = searched;
    const passes = segmentFilter(segment, filter);
    let asked = 0;
    let passed = 0;
    const search: SegmentSearch = {
      documents: segment.documents,
      base,
      heap,
      accepts(document) {
        if (deletions.count > 0 && deletions.has(document)) return false;
        if (passes === undefined) return true;
        asked++;
        if (!passes(document)) return false;
        passed++;
        return true;
      },
    };
    const inSegment = new SegmentQuery(searched, plan, ranking.k1);
    // So large a segment's part of what is counted.
    const counted = ranking.countedPostings * (segment.documents / Math.max(1, live));
    if (required.length > 0) {
      const seen = topEvery(required, excluded, inSegment, search, counted);
      const all = seen.range === segment.documents;
      total += all || seen.range === 0 ? seen.matched : seen.matched * (segment.documents / seen.range);
      exact &&= all;
      continue;
    }
    const least = query.kind === 'or' ? (query.least ?? 1) : 1;
    const cursors = (query.kind === 'or' ? query.nodes : [query]).map((node) => inSegment.cursor(node));
    const postings = cursors.reduce((sum, cursor) => sum + cursor.documents, 0);
    const count = postings <= counted;
    const matched = topAny(cursors, least, search, count);
    if (count) total += matched;
    else {
      const alone = cursors.length === 1 && least <= 1 && passes === undefined && deletions.count === 0;
      const part = asked === 0 ? 1 : passed / asked;
      total += alone ? postings : estimate(cursors, least, segment.documents) * part * liveShare(searched);
      exact &&= alone;
    }
  }
  return { total: Math.round(total), exact };
}

/** The best documents with all of `required` and none of `excluded`, in the way that their frequencies ask for. */
function topEvery(
  required: readonly QueryNode[],
  excluded: readonly QueryNode[],
  inSegment: SegmentQuery,
  search: SegmentSearch,
  counted: number,
): Seen {
  const cursors = required.map((node) => inSegment.cursor(node));
  const without = excluded.map((node) => inSegment.cursor(node));
  const rarest = Math.min(...cursors.map((cursor) => cursor.documents));
  const count = rarest <= counted;
  if (rarest * DENSE < search.documents) return followRarest(cursors, without, search, count);
  if (count) return { matched: countEvery(cursors, without, search), range: search.documents };
  const accepts = (document: number): boolean => !holdsAny(without, document) && search.accepts(document);
  topAny(cursors, cursors.length, { ...search, accepts }, false);
  const again = required.map((node) => inSegment.cursor(node));
  const withoutAgain = excluded.map((node) => inSegment.cursor(node));
  return sampleEvery(again, withoutAgain, search);
}

function liveShare({ segment, deletions }: SearchedSegment): number {
  return 1 - deletions.count / Math.max(1, segment.documents);
}

/** How many documents hold at least `least` of the words, if words knew nothing of each other. */
function estimate(cursors: readonly ScoreCursor[], least: number, documents: number): number {
  // chances[n]: that a document holds n of the words looked at so far.
  let chances = [1];
  for (const cursor of cursors) {
    const chance = cursor.documents / documents;
    chances = [...chances, 0].map((held, n) => held * (1 - chance) + (n > 0 ? chances[n - 1] * chance : 0));
  }
  return documents * chances.slice(least).reduce((sum, chance) => sum + chance, 0);
}
