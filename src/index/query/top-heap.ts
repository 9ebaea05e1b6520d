import type { Scored } from '../../contracts/search-index.ts';
import type { HeapRoom, HeapRooms } from '../memory/heap-rooms.ts';

const NO_ROOM: HeapRoom = { scores: new Float64Array(0), documents: new Uint32Array(0) };

/** The best documents seen so far; of equals the one that came first. Whoever made it gives its memory back. */
export class TopHeap implements Disposable {
  readonly capacity: number;
  readonly #rooms: HeapRooms;
  #scores: Float64Array;
  #documents: Uint32Array;
  /** How many it holds. */
  size = 0;
  /** A document has to score more than this to get in. */
  threshold = Number.NEGATIVE_INFINITY;

  constructor(capacity: number, rooms: HeapRooms) {
    this.capacity = capacity;
    this.#rooms = rooms;
    ({ scores: this.#scores, documents: this.#documents } = rooms.take());
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
    return new TopHeap(this.capacity, this.#rooms);
  }

  /** As many documents as there is room for are known to score this much or more: less need not be offered. */
  expect(score: number): void {
    if (score > 0) this.threshold = Math.max(this.threshold, score * (1 - 1e-12));
  }

  /** Numbers of the best, in no order of meaning. They stay until the memory is given back. */
  documents(most: number): Uint32Array {
    if (most >= this.size) return this.#documents.subarray(0, this.size);
    using best = this.#best(most);
    return best.#documents.slice(0, best.size);
  }

  /** The best of those held, in no order of meaning. */
  list(most: number): Scored[] {
    if (most >= this.size) return this.#list();
    using best = this.#best(most);
    return best.#list();
  }

  /** The heap holds nothing from now on. */
  [Symbol.dispose](): void {
    if (this.#scores.length > 0) this.#rooms.giveBack({ scores: this.#scores, documents: this.#documents });
    ({ scores: this.#scores, documents: this.#documents } = NO_ROOM);
    this.size = 0;
  }

  /** As if they had been offered in the order of their numbers. */
  #best(capacity: number): TopHeap {
    const best = new TopHeap(capacity, this.#rooms);
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

  #list(): Scored[] {
    const list: Scored[] = [];
    for (let at = 0; at < this.size; at++) list.push({ document: this.#documents[at], score: this.#scores[at] });
    return list;
  }

  #append(document: number, score: number): void {
    if (this.size === this.#scores.length) {
      const small = { scores: this.#scores, documents: this.#documents };
      const room = this.#rooms.grown(small, Math.min(this.capacity, 4 * this.size));
      ({ scores: this.#scores, documents: this.#documents } = room);
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
