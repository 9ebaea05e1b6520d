import { RANGE, STRETCH } from '../format/dense-codes.ts';
import type { SegmentSearch } from './count-any.ts';
import { END, lowered, type ScoreCursor } from './cursors/score-cursor.ts';
import type { TopHeap } from './top-heap.ts';

/**
 * The search for the best documents of one segment by the words without which none gets among them: it goes from document to document
 * of these, and asks the others only about those that are still in doubt.
 */
export class EssentialWords {
  readonly #cursors: readonly ScoreCursor[];
  readonly #least: number;
  readonly #search: SegmentSearch;
  /** The most that a document of each stretch scores. */
  readonly #bounds: Float64Array;
  /** The most that the cursors from each on can add. */
  readonly #peaks: Float64Array;
  #accepted = 0;

  /** `cursors`: the weightiest word first. A document has to be held by `least` of them. */
  constructor(cursors: readonly ScoreCursor[], least: number, search: SegmentSearch, bounds: Float64Array) {
    this.#cursors = cursors;
    this.#least = least;
    this.#search = search;
    this.#bounds = bounds;
    this.#peaks = new Float64Array(cursors.length + 1);
    for (let at = cursors.length - 1; at >= 0; at--) this.#peaks[at] = this.#peaks[at + 1] + cursors[at].peak;
  }

  /** Documents that hold one of the essential words, at most. */
  postings(threshold: number): number {
    let sum = 0;
    for (let at = this.#essential(threshold) - 1; at >= 0; at--) sum += this.#cursors[at].documents;
    return sum;
  }

  /** All cursors stand on their first documents. Returns how many documents were let in. */
  read(heap: TopHeap): number {
    const cursors = this.#cursors;
    const bounds = this.#bounds;
    this.#accepted = 0;
    let { threshold } = heap;
    let essential = this.#essential(threshold);
    let document = this.#seek(0, essential);
    while (document !== END) {
      let stretch = Math.floor(document / (RANGE * STRETCH));
      if (bounds[stretch] <= threshold) {
        while (stretch < bounds.length && bounds[stretch] <= threshold) stretch++;
        if (stretch === bounds.length) break;
        document = this.#seek(stretch * RANGE * STRETCH, essential);
        continue;
      }
      let score = 0;
      let found = 0;
      for (let at = 0; at < essential; at++) {
        if (cursors[at].document !== document) continue;
        score += cursors[at].score();
        found++;
      }
      if (score + this.#peaks[essential] > lowered(threshold)) {
        this.#ask(document, essential, score, found, heap);
        if (heap.threshold > threshold) {
          threshold = heap.threshold;
          essential = this.#essential(threshold);
        }
      }
      document = this.#seek(document + 1, essential);
    }
    return this.#accepted;
  }

  /** So many of the words, from the weightiest on, have one in each document above the threshold. */
  #essential(threshold: number): number {
    // Where every word is asked for, each is one.
    if (this.#least === this.#cursors.length) return 1;
    let count = 1;
    while (count < this.#cursors.length && this.#peaks[count] > lowered(threshold)) count++;
    return count;
  }

  /** To the first document from `target` on that holds an essential word. */
  #seek(target: number, essential: number): number {
    const cursors = this.#cursors;
    let first = cursors[0].seek(target);
    for (let at = 1; at < essential; at++) {
      const document = cursors[at].seek(target);
      if (document < first) first = document;
    }
    return first;
  }

  /** Adds what the other words say of a document, as long as it can get among the best. */
  #ask(document: number, essential: number, sum: number, held: number, heap: TopHeap): void {
    const cursors = this.#cursors;
    const { threshold } = heap;
    const range = Math.floor(document / RANGE);
    let score = sum;
    let found = held;
    for (let at = essential; at < cursors.length; at++) {
      if (found < this.#least - (cursors.length - at)) return;
      const cursor = cursors[at];
      const bound = cursor.rangeBound(range);
      if (score + Math.max(0, bound) + this.#peaks[at + 1] <= lowered(threshold)) return;
      if (bound === Number.NEGATIVE_INFINITY || cursor.seek(document) !== document) continue;
      score += cursor.score();
      found++;
    }
    if (found < this.#least || score <= threshold || !this.#search.accepts(document)) return;
    this.#accepted++;
    heap.offer(this.#search.base + document, score);
  }
}
