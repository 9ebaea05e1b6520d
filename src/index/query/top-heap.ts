import type { Scored } from '../../contracts/search-index.ts';

/** Most searches find fewer than they may keep. */
const FIRST_ROOM = 1024;

/** The best documents seen so far; of equals the one that came first. */
export class TopHeap {
  readonly capacity: number;
  #scores: Float64Array;
  #documents: Uint32Array;
  /** How many it holds. */
  size = 0;
  /** A document has to score more than this to get in. */
  threshold = Number.NEGATIVE_INFINITY;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#scores = new Float64Array(Math.min(capacity, FIRST_ROOM));
    this.#documents = new Uint32Array(this.#scores.length);
  }

  /** Asked about every match: where there is room nothing is called, so that no score becomes an object. */
  offer(document: number, score: number): void {
    if (!(score > this.threshold)) return;
    const at = this.size;
    if (at + 1 < this.capacity && at < this.#scores.length) {
      this.#scores[at] = score;
      this.#documents[at] = document;
      this.size = at + 1;
    } else this.#take(document, score);
  }

  #take(document: number, score: number): void {
    if (this.size < this.capacity) {
      this.#append(document, score);
      if (this.size < this.capacity) return;
      this.#order();
    } else this.#down(0, document, score);
    if (this.#scores[0] > this.threshold) this.threshold = this.#scores[0];
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
      const score = this.#scores[at];
      if (best.size < capacity) {
        best.#append(this.#documents[at], score);
        if (best.size === capacity) best.#order();
      } else if (score >= best.#scores[0] && !best.#worse(score, this.#documents[at], 0))
        best.#down(0, this.#documents[at], score);
    }
    return best;
  }

  /** Numbers of the documents, in no order of meaning. */
  documents(): Uint32Array {
    return this.#documents.subarray(0, this.size);
  }

  list(): Scored[] {
    const list: Scored[] = [];
    for (let at = 0; at < this.size; at++) list.push({ document: this.#documents[at], score: this.#scores[at] });
    return list;
  }

  #append(document: number, score: number): void {
    if (this.size === this.#scores.length) {
      const room = Math.min(this.capacity, 4 * this.size);
      const [scores, documents] = [this.#scores, this.#documents];
      this.#scores = new Float64Array(room);
      this.#scores.set(scores);
      this.#documents = new Uint32Array(room);
      this.#documents.set(documents);
    }
    this.#scores[this.size] = score;
    this.#documents[this.size++] = document;
  }

  /** The worst comes first: needed only where some have to go, so that most searches never do it. */
  #order(): void {
    for (let at = (this.size >> 1) - 1; at >= 0; at--) this.#down(at, this.#documents[at], this.#scores[at]);
  }

  #down(from: number, document: number, score: number): void {
    let at = from;
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
