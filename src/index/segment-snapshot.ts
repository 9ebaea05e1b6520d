import type {
  BestMatches,
  DocumentFacts,
  DocumentFilter,
  FactCounts,
  IndexSnapshot,
  QueryNode,
  Scored,
  ScorePart,
  StoredDocument,
  TopDocuments,
} from '../contracts/search-index.ts';
import { FIELDS } from './fields.ts';
import { lengthOfByte } from './format/quantise.ts';
import { SearchMemory } from './memory/search-memory.ts';
import { countFacts } from './query/count-facts.ts';
import type { ScoreCursor } from './query/cursors/score-cursor.ts';
import { explainScore } from './query/explain-score.ts';
import { FormMatch } from './query/form-match.ts';
import { PostingReaders } from './query/posting-reader.ts';
import { withPriors } from './query/priors.ts';
import { Proximity } from './query/proximity.ts';
import { type PlanStatistics, QueryPlan } from './query/query-plan.ts';
import type { SearchedSegment } from './query/searched-segment.ts';
import { SegmentQuery } from './query/segment-query.ts';
import { selectByFacts } from './query/select-by-facts.ts';
import type { SnapshotBasis } from './query/snapshot-basis.ts';
import { SnapshotWords } from './query/snapshot-words.ts';
import { TitleMatch } from './query/title-match.ts';
import { TopHeap } from './query/top-heap.ts';
import { topOfSegments } from './query/top-of-segments.ts';
import type { RankingOptions } from './ranking-options.ts';
import { readingIndex } from './store/damaged-index.ts';

/** A match that was looked at closer. */
export interface Candidate extends Scored {
  /** The score by words alone, which decides who is looked at. */
  readonly byWords: number;
}

export interface CandidateMatches extends BestMatches {
  /** All that `top(k)` chooses from, best first. */
  candidates(k: number): readonly Candidate[];
}

/** The committed segments as they were when the snapshot was taken. Numbers of documents run through all of them. */
export class SegmentSnapshot implements IndexSnapshot {
  readonly documents: number;
  readonly #segments: readonly SearchedSegment[];
  readonly #ranking: RankingOptions;
  readonly #newest: number;
  readonly #memory = new SearchMemory();
  readonly #words: SnapshotWords;
  #statistics: PlanStatistics = this;
  #disposed = false;

  constructor(basis: SnapshotBasis) {
    this.documents = basis.documents;
    this.#segments = basis.segments;
    this.#words = new SnapshotWords(basis.segments);
    this.#ranking = basis.ranking;
    this.#newest = basis.newest;
    for (const { segment } of basis.segments) segment.hold();
  }

  /** The same documents, with the frequencies of words of all that are searched together; until it is called again. */
  under(statistics: PlanStatistics): this {
    this.#statistics = statistics;
    return this;
  }

  top(query: QueryNode, k: number, filter: DocumentFilter = {}): TopDocuments {
    using matches = this.matches(query, k, filter);
    return { top: matches.top(k), total: matches.total, exact: matches.exact };
  }

  matches(query: QueryNode, most: number, filter: DocumentFilter = {}, seen?: number): CandidateMatches {
    return this.#searching(() => this.#matches(query, most, filter, seen));
  }

  #matches(query: QueryNode, most: number, filter: DocumentFilter, seen: number | undefined): CandidateMatches {
    const plan = new QueryPlan(query, this.#statistics, this.#ranking);
    const heap = new TopHeap(Math.max(1, most, this.#ranking.candidates), this.#memory.heaps);
    const sample = seen === undefined ? undefined : this.#memory.samples.take(seen);
    const search = { query, plan, segments: this.#segments, live: this.documents, filter };
    const { total, exact } = topOfSegments({ ...search, ranking: this.#ranking, memory: this.#memory }, heap, sample);
    const documents = sample?.documents ?? heap.documents(Math.max(1, most));
    return {
      documents,
      isPart: sample === undefined ? documents.length >= most : !exact || documents.length < total,
      total,
      exact,
      best: heap.size,
      candidates: (k) =>
        this.#searching(() => {
          const best = heap.list(Math.max(1, k, this.#ranking.candidates));
          return this.#closerLook(best, query, plan);
        }),
      top: (k) =>
        this.#searching(() => {
          const best = heap.list(Math.max(1, k, this.#ranking.candidates));
          return this.#closerLook(best, query, plan)
            .slice(0, k)
            .map(({ document, score }) => ({ document, score }));
        }),
      [Symbol.dispose]: () => {
        heap[Symbol.dispose]();
        sample?.[Symbol.dispose]();
      },
    };
  }

  matchesAny(query: QueryNode, documents: readonly number[]): boolean {
    return this.#searching(() => this.#matchesAny(query, documents));
  }

  #matchesAny(query: QueryNode, documents: readonly number[]): boolean {
    const plan = new QueryPlan(query, this.#statistics, this.#ranking);
    const cursors = new Map<SearchedSegment, ScoreCursor>();
    // Cursors go forward only.
    return [...documents]
      .sort((a, b) => a - b)
      .some((document) => {
        const searched = this.#segmentOf(document);
        const cursor =
          cursors.get(searched) ?? new SegmentQuery(searched, plan, this.#ranking.k1, this.#memory).cursor(query);
        cursors.set(searched, cursor);
        return cursor.seek(document - searched.base) === document - searched.base;
      });
  }

  explain(query: QueryNode, document: number): ScorePart {
    return this.#searching(() => {
      const plan = new QueryPlan(query, this.#statistics, this.#ranking);
      const searched = this.#segmentOf(document);
      return explainScore(query, plan, searched, document - searched.base, this.#ranking, this.#newest, this.#memory);
    });
  }

  document(number: number): StoredDocument {
    const { segment, base } = this.#segmentOf(number);
    const local = number - base;
    const { id, title } = readingIndex(() => segment.strings(local));
    return {
      id,
      title,
      facts: segment.columns.facts(local),
      lengths: FIELDS.map((_, field) => lengthOfByte(segment.columns.lengths[field][local])),
      anchorSum: segment.columns.number('anchorSum', local),
    };
  }

  facts(number: number): DocumentFacts {
    const { segment, base } = this.#segmentOf(number);
    return segment.columns.facts(number - base);
  }

  fact<Name extends keyof DocumentFacts>(name: Name, number: number): DocumentFacts[Name] {
    const { segment, base } = this.#segmentOf(number);
    return segment.columns.fact(name, number - base) as DocumentFacts[Name];
  }

  countFacts(documents: ArrayLike<number>): FactCounts {
    return countFacts(documents, this.#segments, this.#words, this.#memory.columns);
  }

  select(documents: ArrayLike<number>, hosts: ReadonlySet<string>, clusters: ReadonlySet<number>): readonly number[] {
    return selectByFacts(documents, hosts, clusters, this.#segments, this.#memory.columns);
  }

  find(id: string): number | undefined {
    for (const { segment, deletions, base } of this.#segments) {
      const found = readingIndex(() => segment.find(id).find((document) => !deletions.has(document)));
      if (found !== undefined) return base + found;
    }
    return undefined;
  }

  frequency(term: string): number {
    let sum = 0;
    for (const { segment } of this.#segments) sum += readingIndex(() => segment.frequency(term));
    return sum;
  }

  terms(prefix: string, limit: number): readonly { readonly term: string; readonly documents: number }[] {
    const counts = readingIndex(() => this.#counts(prefix));
    return [...counts]
      .map(([term, documents]) => ({ term, documents }))
      .sort((a, b) => b.documents - a.documents || (a.term < b.term ? -1 : 1))
      .slice(0, limit);
  }

  #counts(prefix: string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { segment } of this.#segments) {
      for (const { term, documents } of segment.dictionary.from(prefix)) {
        if (!term.startsWith(prefix)) break;
        counts.set(term, (counts.get(term) ?? 0) + documents);
      }
    }
    return counts;
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const { segment } of this.#segments) segment.release();
  }

  /** Nothing in it waits, and nothing in it asks the snapshot to search: the memory is its own until it ends. */
  #searching<Found>(search: () => Found): Found {
    this.#memory.begin();
    return readingIndex(search);
  }

  /** Adds proximity, titles, forms and priors; best first. */
  #closerLook(candidates: Scored[], query: QueryNode, plan: QueryPlan): Candidate[] {
    const readers = new PostingReaders(this.#memory.blocks);
    const proximity = new Proximity(query, plan, this.#ranking, readers);
    const titles = new TitleMatch(query, plan, this.#ranking, readers);
    const forms = new FormMatch(query, plan, this.#ranking, readers);
    // In the order of their numbers, because neighbours share blocks of positions.
    const inOrder = candidates.sort((a, b) => a.document - b.document);
    const scored = inOrder.map(({ document, score }): Candidate => {
      const searched = this.#segmentOf(document);
      const local = document - searched.base;
      const bonus = proximity.bonus(searched, local) + titles.bonus(searched, local) - forms.malus(searched, local);
      const near = score + bonus;
      return { document, byWords: score, score: withPriors(near, searched, local, this.#ranking, this.#newest) };
    });
    return scored.sort((a, b) => b.score - a.score || a.document - b.document);
  }

  #segmentOf(document: number): SearchedSegment {
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#segments[middle].base <= document) low = middle;
      else high = middle - 1;
    }
    return this.#segments[low];
  }
}
