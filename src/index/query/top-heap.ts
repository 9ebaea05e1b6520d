import type { Scored } from '../../contracts/search-index.ts';

/** The best documents seen so far; of equals the one that came first. */
export class TopHeap {
  readonly capacity: number;
  readonly #scores: Float64Array;
  readonly #documents: Float64Array;
  /** How many it holds. */
  size = 0;
  /** A document has to score more than this to get in. */
  threshold = Number.NEGATIVE_INFINITY;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#scores = new Float64Array(capacity);
    this.#documents = new Float64Array(capacity);
  }

  offer(document: number, score: number): void {
    if (score <= this.threshold) return;
    if (this.size < this.capacity) this.#up(this.size++, document, score);
    else this.#down(document, score);
    if (this.size === this.capacity) this.threshold = Math.max(this.threshold, this.#scores[0]);
  }

  /** Another heap of the same capacity. */
  emptied(): TopHeap {
    return new TopHeap(this.capacity);
  }

  /** As many documents as there is room for are known to score this much or more: less need not be offered. */
  expect(score: number): void {
    if (score > 0) this.threshold = Math.max(this.threshold, score * (1 - 1e-12));
  }

  /** The best of those held, as if they had been offered in the order of their numbers. */
  best(capacity: number): TopHeap {
    if (capacity >= this.size) return this;
    const best = new TopHeap(capacity);
    for (let at = 0; at < this.size; at++) {
      const [document, score] = [this.#documents[at], this.#scores[at]];
      if (best.size < capacity) best.#up(best.size++, document, score);
      else if (!best.#worse(score, document, 0)) best.#down(document, score);
    }
    return best;
  }

  /** Numbers of the documents, in no order of meaning. */
  documents(): Float64Array {
    return this.#documents.subarray(0, this.size);
  }

  list(): Scored[] {
    const list: Scored[] = [];
    for (let at = 0; at < this.size; at++) list.push({ document: this.#documents[at], score: this.#scores[at] });
    return list;
  }

  #up(from: number, document: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#worse(score, document, parent)) break;
      this.#scores[at] = this.#scores[parent];
      this.#documents[at] = this.#documents[parent];
      at = parent;
    }
    this.#scores[at] = score;
    this.#documents[at] = document;
  }

  #down(document: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.#worse(this.#scores[child + 1], this.#documents[child + 1], child)) child++;
      if (this.#worse(score, document, child)) break;
      this.#scores[at] = this.#scores[child];
      this.#documents[at] = this.#documents[child];
      at = child;
    }
    this.#scores[at] = score;
    this.#documents[at] = document;
  }

  #worse(score: number, document: number, than: number): boolean {
    return score < this.#scores[than] || (score === this.#scores[than] && document > this.#documents[than]);
  }
}
