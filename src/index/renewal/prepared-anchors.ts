import type { HeldWords } from '../store/occurrences.ts';
import type { Segment } from '../store/segment.ts';
import type { DocumentChange } from './document-change.ts';

/** Words that are held at most (9 bytes each), where a document counts as ten more. */
const MOST_WORDS = 1_500_000;
const DOCUMENT_WORDS = 10;

/** The anchors of a segment's documents, as they were at a mark, where they are others than it holds. */
export interface PreparedSegment {
  readonly mark: number;
  /** By the numbers that documents have in the segment; without those whose anchors are the ones that it holds. */
  readonly changes: ReadonlyMap<number, DocumentChange>;
  /** Of all documents, by the same numbers. */
  readonly words: HeldWords;
}

/** Anchors that were read and analysed for the next refresh of all segments: it asks only for those that have changed since. */
export class PreparedAnchors {
  readonly #segments = new Map<Segment, PreparedSegment>();
  #words = 0;

  /** Whether there is room for more. */
  get hasRoom(): boolean {
    return this.#words < MOST_WORDS;
  }

  of(segment: Segment): PreparedSegment | undefined {
    return this.#segments.get(segment);
  }

  isSince(segment: Segment, mark: number): boolean {
    const prepared = this.#segments.get(segment);
    return prepared !== undefined && prepared.mark >= mark;
  }

  set(segment: Segment, prepared: PreparedSegment): void {
    this.forget(segment);
    this.#words += wordsOf(prepared);
    this.#segments.set(segment, prepared);
  }

  /** What the segment holds is newer. */
  forget(segment: Segment): void {
    const prepared = this.#segments.get(segment);
    if (prepared === undefined) return;
    this.#words -= wordsOf(prepared);
    this.#segments.delete(segment);
  }

  /** Forgets those of segments that are gone. */
  keepOnly(segments: ReadonlySet<Segment>): void {
    for (const segment of this.#segments.keys()) if (!segments.has(segment)) this.forget(segment);
  }
}

function wordsOf({ words, changes }: PreparedSegment): number {
  return words.count + DOCUMENT_WORDS * changes.size;
}
