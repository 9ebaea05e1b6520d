import type { DocumentFilter, QueryNode } from '../../contracts/search-index.ts';
import type { SearchMemory } from '../memory/search-memory.ts';
import type { WindowBuffers } from '../memory/window-buffers.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { Deletions } from '../store/deletions.ts';
import { countAny, type SegmentSearch } from './count-any.ts';
import { followRarest, holdsAny, seeEvery } from './every-word.ts';
import type { PhraseMatcher } from './phrase-matcher.ts';
import { PhraseRanges } from './phrase-ranges.ts';
import type { QueryPlan } from './query-plan.ts';
import type { ScoreCursor } from './score-cursor.ts';
import type { SearchedSegment } from './searched-segment.ts';
import { segmentFilter } from './segment-filter.ts';
import { SegmentQuery } from './segment-query.ts';
import type { TopHeap } from './top-heap.ts';
import { primeThreshold, type RangedSearch, WordRanges } from './top-ranges.ts';

/** Where fewer than one document of so many holds the rarest word, that word leads the others. */
const DENSE = 24;
/** This many documents tell in how many a phrase is. */
const PHRASE_SAMPLE = 8192;

export interface Total {
  readonly total: number;
  readonly exact: boolean;
}

/** The search of one segment: prepared for all of them first, so that they can have a threshold in common. */
interface Prepared {
  readonly ranges?: RangedSearch;
  finish(): Total;
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
  memory: SearchMemory,
): Total {
  const prepared = segments.map((searched): Prepared => {
    const inSegment = new SegmentQuery(searched, plan, ranking.k1, memory);
    // So large a segment's part of what is counted.
    const counted = ranking.countedPostings * (searched.segment.documents / Math.max(1, live));
    const candidates = new Candidates(searched, filter, heap);
    if (query.kind === 'phrase') {
      const matcher = inSegment.phrase(query);
      if (matcher.words.length > 0 && matcher.words[0].documents > counted) {
        return preparePhrase(matcher, searched, candidates, live);
      }
    }
    return query.kind === 'and' && query.nodes.some((node) => node.kind !== 'not')
      ? prepareEvery(query.nodes, inSegment, candidates, counted, memory.windows)
      : prepareAny(query, inSegment, candidates, counted, memory.windows);
  });
  primeThreshold(
    prepared.flatMap(({ ranges }) => ranges ?? []),
    heap,
  );
  let total = 0;
  let exact = true;
  for (const { finish } of prepared) {
    const found = finish();
    total += found.total;
    exact &&= found.exact;
  }
  // An estimate is not below what was found.
  return { total: exact ? total : Math.max(Math.round(total), heap.size), exact };
}

/** Documents of a segment that may be among the best, and how many of them the filter lets pass. */
class Candidates implements SegmentSearch {
  readonly documents: number;
  readonly base: number;
  readonly heap: TopHeap;
  readonly #deletions: Deletions;
  readonly #passes: ((document: number) => boolean) | undefined;
  #asked = 0;
  #passed = 0;

  constructor({ segment, deletions, base }: SearchedSegment, filter: DocumentFilter, heap: TopHeap) {
    this.documents = segment.documents;
    this.base = base;
    this.heap = heap;
    this.#deletions = deletions;
    this.#passes = segmentFilter(segment, filter);
  }

  begin(): void {}

  accepts(document: number): boolean {
    if (this.#deletions.count > 0 && this.#deletions.has(document)) return false;
    if (this.#passes === undefined) return true;
    this.#asked++;
    if (!this.#passes(document)) return false;
    this.#passed++;
    return true;
  }

  /** All documents are accepted. */
  get all(): boolean {
    return this.#passes === undefined && this.#deletions.count === 0;
  }

  /** The part of the documents that is accepted, by what is known so far. */
  get share(): number {
    const live = 1 - this.#deletions.count / Math.max(1, this.documents);
    return live * (this.#asked === 0 ? 1 : this.#passed / this.#asked);
  }
}

/** The documents with any of the words. */
function prepareAny(
  query: QueryNode,
  inSegment: SegmentQuery,
  candidates: Candidates,
  counted: number,
  windows: WindowBuffers,
): Prepared {
  const least = query.kind === 'or' ? (query.least ?? 1) : 1;
  const cursors = (query.kind === 'or' ? query.nodes : [query]).map((node) => inSegment.cursor(node));
  const postings = cursors.reduce((sum, cursor) => sum + cursor.documents, 0);
  if (postings <= counted)
    return { finish: () => ({ total: countAny(cursors, least, candidates, windows), exact: true }) };
  const ranges = new WordRanges(cursors, least, candidates, windows);
  return {
    ranges,
    finish() {
      ranges.read(candidates.heap);
      if (cursors.length === 1 && least <= 1 && candidates.all) return { total: postings, exact: true };
      return { total: estimate(cursors, least, candidates.documents) * candidates.share, exact: false };
    },
  };
}

/** The documents with a phrase of common words. */
function preparePhrase(
  matcher: PhraseMatcher,
  searched: SearchedSegment,
  candidates: Candidates,
  live: number,
): Prepared {
  const ranges = new PhraseRanges(matcher, searched, candidates);
  // Where its words are most frequent the phrase need not be: looking there first for a threshold costs more than it saves.
  return {
    finish() {
      ranges.read(candidates.heap);
      const { matched, range } = ranges.sample((PHRASE_SAMPLE * candidates.documents) / Math.max(1, live));
      return { total: (matched * candidates.documents) / Math.max(1, range), exact: range === candidates.documents };
    },
  };
}

/** The documents with every word and none of those excluded, in the way that their frequencies ask for. */
function prepareEvery(
  nodes: readonly QueryNode[],
  inSegment: SegmentQuery,
  candidates: Candidates,
  counted: number,
  windows: WindowBuffers,
): Prepared {
  const cursors = nodes.flatMap((node) => (node.kind === 'not' ? [] : inSegment.cursor(node)));
  const without = nodes.flatMap((node) => (node.kind === 'not' ? inSegment.cursor(node.node) : []));
  const search: SegmentSearch = {
    documents: candidates.documents,
    base: candidates.base,
    heap: candidates.heap,
    begin: () => {
      for (const cursor of without) cursor.rewind();
    },
    accepts: (document) => !holdsAny(without, document) && candidates.accepts(document),
  };
  const rarest = Math.min(...cursors.map((cursor) => cursor.documents));
  const count = rarest <= counted;
  if (count && rarest * DENSE < search.documents) {
    return { finish: () => ({ total: followRarest(cursors, search), exact: true }) };
  }
  const ranges = new WordRanges(cursors, cursors.length, search, windows);
  return {
    ranges,
    finish() {
      ranges.read(candidates.heap);
      // While there was room for all, nothing was passed over.
      if (candidates.heap.threshold === Number.NEGATIVE_INFINITY) return { total: ranges.accepted, exact: true };
      const { matched, range } = seeEvery(cursors, search, count);
      return { total: (matched * search.documents) / Math.max(1, range), exact: range === search.documents };
    },
  };
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
