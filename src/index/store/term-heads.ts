import type { EncodedTerm, FoundTerm } from '../format/found-term.ts';
import { compareTerms, type TermCursor } from '../format/term-cursor.ts';
import type { TermSource } from '../renewal/joined-dictionary.ts';

/** Goes through the terms of several dictionaries in order: of those with the same term the first dictionary comes first. */
export class TermHeads {
  /** The term that was kept, in UTF-8. */
  readonly kept: EncodedTerm = { bytes: new Uint8Array(64), from: 0, to: 0 };
  readonly #cursors: readonly TermCursor[];
  /** Numbers of the dictionaries that have a term left, as a heap. */
  readonly #heap: number[] = [];

  constructor(dictionaries: readonly Pick<TermSource, 'cursor'>[]) {
    this.#cursors = dictionaries.map((dictionary) => dictionary.cursor());
    for (const [input, cursor] of this.#cursors.entries()) if (cursor.next()) this.#heap.push(input);
    for (let at = this.#heap.length >> 1; at >= 0; at--) this.#sink(at);
  }

  /** The term whose turn it is; undefined after the last. */
  get first(): FoundTerm | undefined {
    return this.head?.found;
  }

  /** The same until the next turn. */
  get head(): TermCursor | undefined {
    return this.#cursors[this.#heap[0]];
  }

  /** Which dictionary has it. */
  get input(): number {
    return this.#heap[0];
  }

  /** Keeps the term whose turn it is. */
  keep(): void {
    const { bytes, to } = this.#cursors[this.#heap[0]];
    const { kept } = this;
    if (kept.bytes.length < to) kept.bytes = new Uint8Array(2 * to);
    const keptBytes = kept.bytes;
    for (let at = 0; at < to; at++) keptBytes[at] = bytes[at];
    kept.to = to;
  }

  /** Whether it is the turn of the term that was kept. */
  get isKept(): boolean {
    if (this.#heap.length === 0) return false;
    const { bytes, to } = this.#cursors[this.#heap[0]];
    const { kept } = this;
    if (to !== kept.to) return false;
    const keptBytes = kept.bytes;
    // Terms that begin with the same bytes follow each other.
    for (let at = to - 1; at >= 0; at--) if (keptBytes[at] !== bytes[at]) return false;
    return true;
  }

  advance(): void {
    const input = this.#heap[0];
    if (!this.#cursors[input].next()) {
      const last = this.#heap.pop()!;
      if (this.#heap.length === 0) return;
      this.#heap[0] = last;
    }
    this.#sink(0);
  }

  #sink(from: number): void {
    const heap = this.#heap;
    for (let at = from; ; ) {
      let least = at;
      for (let child = 2 * at + 1; child <= 2 * at + 2 && child < heap.length; child++)
        if (this.#isBefore(heap[child], heap[least])) least = child;
      if (least === at) return;
      const moved = heap[at];
      heap[at] = heap[least];
      heap[least] = moved;
      at = least;
    }
  }

  #isBefore(input: number, other: number): boolean {
    const order = compareTerms(this.#cursors[input], this.#cursors[other]);
    return order < 0 || (order === 0 && input < other);
  }
}
