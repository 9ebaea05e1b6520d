import type {
  DocumentFilter,
  IndexSnapshot,
  QueryNode,
  Scored,
  ScorePart,
  StoredDocument,
  TopDocuments,
} from '../contracts/search-index.ts';
import { FIELDS } from './fields.ts';
import { lengthOfByte } from './format/quantise.ts';
import { explainScore } from './query/explain-score.ts';
import { priorParts } from './query/priors.ts';
import { Proximity } from './query/proximity.ts';
import { QueryPlan } from './query/query-plan.ts';
import type { SearchedSegment } from './query/searched-segment.ts';
import type { SnapshotBasis } from './query/snapshot-basis.ts';
import { TopHeap } from './query/top-heap.ts';
import { topOfSegments } from './query/top-of-segments.ts';
import type { RankingOptions } from './ranking-options.ts';
import { readingIndex } from './store/damaged-index.ts';

/** The committed segments as they were when the snapshot was taken. Numbers of documents run through all of them. */
export class SegmentSnapshot implements IndexSnapshot {
  readonly documents: number;
  readonly #segments: readonly SearchedSegment[];
  readonly #ranking: RankingOptions;
  readonly #newest: number;
  #disposed = false;

  constructor(basis: SnapshotBasis) {
    this.documents = basis.documents;
    this.#segments = basis.segments;
    this.#ranking = basis.ranking;
    this.#newest = basis.newest;
    for (const { segment } of basis.segments) segment.hold();
  }

  top(query: QueryNode, k: number, filter: DocumentFilter = {}): TopDocuments {
    return readingIndex(() => this.#top(query, k, filter));
  }

  #top(query: QueryNode, k: number, filter: DocumentFilter): TopDocuments {
    const plan = new QueryPlan(query, this, this.#ranking);
    const heap = new TopHeap(Math.max(1, k, this.#ranking.candidates));
    const { total, exact } = topOfSegments(query, plan, this.#segments, this.documents, filter, this.#ranking, heap);
    const proximity = new Proximity(query, plan, this.#ranking);
    // In the order of their numbers, because neighbours share blocks of positions.
    const inOrder = heap.list().sort((a, b) => a.document - b.document);
    const candidates: Scored[] = inOrder.map(({ document, score }) => {
      const searched = this.#segmentOf(document);
      const local = document - searched.base;
      let sum = score + proximity.bonus(searched, local);
      for (const part of priorParts(searched, local, this.#ranking, this.#newest)) sum += part.value;
      return { document, score: sum };
    });
    candidates.sort((a, b) => b.score - a.score || a.document - b.document);
    return { top: candidates.slice(0, k), total, exact };
  }

  explain(query: QueryNode, document: number): ScorePart {
    return readingIndex(() => {
      const plan = new QueryPlan(query, this, this.#ranking);
      const searched = this.#segmentOf(document);
      return explainScore(query, plan, searched, document - searched.base, this.#ranking, this.#newest);
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
    };
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
    for (const { segment } of this.#segments) sum += segment.frequency(term);
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
