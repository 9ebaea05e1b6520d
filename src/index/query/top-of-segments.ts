import type { DocumentFilter, QueryNode } from '../../contracts/search-index.ts';
import type { MatchSample } from '../memory/match-sample.ts';
import type { SearchMemory } from '../memory/search-memory.ts';
import type { WindowBuffers } from '../memory/window-buffers.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { Deletions } from '../store/deletions.ts';
import { countAny, type SegmentSearch } from './count-any.ts';
import type { ScoreCursor } from './cursors/score-cursor.ts';
import { countEvery, followRarest, holdsAny } from './every-word.ts';
import { PairMatches } from './pair-matches.ts';
import type { PhraseMatcher } from './phrase-matcher.ts';
import { PhraseRanges } from './phrase-ranges.ts';
import type { QueryPlan } from './query-plan.ts';
import type { SearchedSegment } from './searched-segment.ts';
import { ALL, narrowWindows, type Seen, seeMatches, type Windows, wideWindows } from './seen-matches.ts';
import { segmentFilter } from './segment-filter.ts';
import { SegmentQuery } from './segment-query.ts';
import type { TopHeap } from './top-heap.ts';
import { primeThreshold, type RangedSearch, WordRanges } from './top-ranges.ts';

/** Where fewer than one document of so many holds the rarest word, that word leads the others. */
const DENSE = 24;
/** The same where the best are found already, and the others are only counted. */
const COUNTED_DENSE = 12;
/** So many windows over all segments tell in how many documents a phrase is; of words together so many of each segment. */
const PHRASE_WINDOWS = 16;
const EVERY_WINDOWS = 4;
/** A sample is enough with this part of what it has room for. */
const ENOUGH = 4;

export interface Total {
  readonly total: number;
  readonly exact: boolean;
}

/** The part of a search that is in one segment. */
interface Part {
  /** Counting all its matches reads so many postings. */
  readonly postings: number;
  prepare(count: boolean): Prepared;
}

/** Prepared for all segments first, so that they can have a threshold in common. */
interface Prepared {
  readonly ranges?: RangedSearch;
  /** Finds the best; where all matches are counted they are added to the sample. */
  finish(sample?: MatchSample): Total;
  /** Absent where `finish` counts all matches. */
  see?(windows: Windows, sample: MatchSample): Seen;
  /** Where matches are costly to tell and can be told in one go: how many there are, by a look here and there. */
  expected?(): Total;
  /** In the place of `finish` and `see`: finds the best while all matches are added to the sample; returns how many there are. */
  readAll?(sample: MatchSample): number;
}

export interface TopSearch {
  readonly query: QueryNode;
  readonly plan: QueryPlan;
  readonly segments: readonly SearchedSegment[];
  /** Documents of all segments that are not deleted. */
  readonly live: number;
  readonly filter: DocumentFilter;
  readonly ranking: RankingOptions;
  readonly memory: SearchMemory;
}

/** Fills the heap with the best documents of all segments by words alone, and the sample with matches of any rank. */
export function topOfSegments(search: TopSearch, heap: TopHeap, sample?: MatchSample): Total {
  const parts = search.segments.map((searched) => partOf(searched, search, heap));
  const count = parts.reduce((sum, { postings }) => sum + postings, 0) <= search.ranking.countedPostings;
  const prepared = parts.map((part) => part.prepare(count));
  primeThreshold(
    prepared.flatMap(({ ranges }) => ranges ?? []),
    heap,
  );
  if (sample !== undefined && !count && hasRoomForAll(prepared, sample, heap)) {
    const total = prepared.reduce((sum, { readAll }) => sum + (readAll?.(sample) ?? 0), 0);
    return { total, exact: true };
  }
  const found = { total: 0, exact: true };
  for (const { finish } of prepared) {
    const { total, exact } = finish(sample);
    found.total += total;
    found.exact &&= exact;
  }
  if (heap.size < heap.capacity) {
    // There was room for all of them.
    sample?.clear();
    if (sample !== undefined) for (const document of heap.documents(heap.size)) sample.add(document);
    return { total: heap.size, exact: true };
  }
  const total = Math.max(Math.round(found.total), heap.size);
  if (sample === undefined || count) return { total, exact: found.exact };
  const seen = takeSample(prepared, total, sample);
  const documents = search.segments.reduce((sum, { segment }) => sum + segment.documents, 0);
  if (seen.range === documents) return { total: seen.matched, exact: true };
  if (found.exact) return { total, exact: true };
  return { total: Math.max(Math.round((seen.matched * documents) / Math.max(1, seen.range)), heap.size), exact: false };
}

/** Whether the sample is expected to take all matches: then what finds the best need not be read apart from what is counted. */
function hasRoomForAll(prepared: readonly Prepared[], sample: MatchSample, heap: TopHeap): boolean {
  let expected = 0;
  for (const part of prepared) {
    if (part.expected === undefined) return false;
    expected += part.expected().total;
  }
  return Math.max(Math.round(expected), heap.capacity) <= sample.capacity;
}

/** Looks at more and more of all segments until enough was seen: `expected` is no more than an estimate. */
function takeSample(prepared: readonly Prepared[], expected: number, sample: MatchSample): Seen {
  for (let share = sample.capacity / Math.max(1, expected); ; share *= 4) {
    const windows = narrowWindows(share);
    sample.clear();
    const seen = { matched: 0, range: 0 };
    for (const { see } of prepared) {
      const { matched, range } = see?.(windows, sample) ?? { matched: 0, range: 0 };
      seen.matched += matched;
      seen.range += range;
    }
    if (windows === ALL || sample.size * ENOUGH >= sample.capacity) return seen;
  }
}

function partOf(searched: SearchedSegment, search: TopSearch, heap: TopHeap): Part {
  const { query, plan, ranking, memory } = search;
  const inSegment = new SegmentQuery(searched, plan, ranking.k1, memory);
  const candidates = new Candidates(searched, search.filter, heap);
  if (query.kind === 'phrase') {
    const matcher = inSegment.phrase(query);
    if (matcher instanceof PairMatches) return pairPart(matcher, candidates);
    return {
      postings: matcher.words[0]?.documents ?? 0,
      prepare: (count) => preparePhrase(matcher, searched, candidates, search.live, count),
    };
  }
  return query.kind === 'and' && query.nodes.some((node) => node.kind !== 'not')
    ? everyPart(query.nodes, inSegment, candidates, memory.windows)
    : anyPart(query, inSegment, candidates, memory.windows);
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
function anyPart(query: QueryNode, inSegment: SegmentQuery, candidates: Candidates, windows: WindowBuffers): Part {
  const least = query.kind === 'or' ? Math.max(1, query.least ?? 1) : 1;
  const cursors = (query.kind === 'or' ? query.nodes : [query]).map((node) => inSegment.cursor(node));
  const postings = cursors.reduce((sum, cursor) => sum + cursor.documents, 0);
  const counted: Prepared = {
    finish: (sample) => ({ total: countAny(cursors, least, candidates, windows, sample), exact: true }),
  };
  return {
    postings,
    prepare(count) {
      if (count) return counted;
      const ranges = new WordRanges(cursors, least, candidates, windows);
      return {
        ranges,
        finish() {
          ranges.readBest(candidates.heap);
          if (cursors.length === 1 && candidates.all) return { total: postings, exact: true };
          return { total: estimate(cursors, least, candidates.documents) * candidates.share, exact: false };
        },
        see: (shown, sample) => seeMatches(cursors, least, candidates, shown, sample),
      };
    },
  };
}

/** The documents with a phrase that the segment lists. */
function pairPart(pair: PairMatches, candidates: Candidates): Part {
  const { heap } = candidates;
  return {
    postings: pair.documents,
    prepare: (count) =>
      count
        ? { finish: (sample) => ({ total: pair.readAll(candidates, heap, sample), exact: true }) }
        : {
            finish: () => ({ total: pair.readAll(candidates, heap), exact: true }),
            see: (shown, sample) => pair.see(candidates, shown, sample),
            expected: () => ({ total: pair.documents * candidates.share, exact: false }),
            readAll: (sample) => pair.readAll(candidates, heap, sample),
          },
  };
}

/** The documents with a phrase of common words. */
function preparePhrase(
  matcher: PhraseMatcher,
  searched: SearchedSegment,
  candidates: Candidates,
  live: number,
  count: boolean,
): Prepared {
  const ranges = new PhraseRanges(matcher, searched, candidates);
  const { documents, heap } = candidates;
  if (count) return { finish: (sample) => ({ total: ranges.readAll(heap, sample), exact: true }) };
  let expectedTotal: Total | undefined;
  const expected = (): Total => {
    if (matcher.words.length === 0) return { total: 0, exact: true };
    if (expectedTotal === undefined) {
      const { matched, range } = ranges.see(wideWindows(PHRASE_WINDOWS * (documents / Math.max(1, live)), documents));
      expectedTotal = { total: (matched * documents) / Math.max(1, range), exact: range === documents };
    }
    return expectedTotal;
  };
  // Where its words are most frequent the phrase need not be: looking there first for a threshold costs more than it saves.
  return {
    finish() {
      if (matcher.words.length > 0) ranges.read(heap);
      return expected();
    },
    see: (shown, sample) => ranges.see(shown, sample),
    expected,
    readAll: (sample) => ranges.readAll(heap, sample),
  };
}

/** The documents with every word and none of those excluded, in the way that their frequencies ask for. */
function everyPart(
  nodes: readonly QueryNode[],
  inSegment: SegmentQuery,
  candidates: Candidates,
  windows: WindowBuffers,
): Part {
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
  return {
    postings: rarest,
    prepare(count) {
      if (count && rarest * DENSE < search.documents) {
        return { finish: (sample) => ({ total: followRarest(cursors, search, sample), exact: true }) };
      }
      const ranges = new WordRanges(cursors, cursors.length, search, windows);
      const see = (shown: Windows, sample?: MatchSample): Seen =>
        seeMatches(cursors, cursors.length, search, shown, sample);
      return {
        ranges,
        finish(sample) {
          ranges.readBest(candidates.heap);
          if (count) {
            const isLed = rarest * COUNTED_DENSE < search.documents;
            return { total: isLed ? countEvery(cursors, search, sample) : see(ALL, sample).matched, exact: true };
          }
          // While there was room for all, nothing was passed over.
          if (candidates.heap.threshold === Number.NEGATIVE_INFINITY) return { total: ranges.accepted, exact: true };
          const { matched, range } = see(wideWindows(EVERY_WINDOWS, search.documents));
          return { total: (matched * search.documents) / Math.max(1, range), exact: range === search.documents };
        },
        see,
      };
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
