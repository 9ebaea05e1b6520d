import type { FoundTerm } from '../format/term-dictionary.ts';
import type { TermSource } from '../renewal/joined-dictionary.ts';

/** Goes through the terms of several dictionaries in order: of those with the same term the first dictionary comes first. */
export class TermHeads {
  readonly #streams: readonly Iterator<FoundTerm, void>[];
  /** The next term of each dictionary that has one left. */
  readonly #heads: (FoundTerm | undefined)[];
  /** Numbers of these dictionaries, as a heap. */
  readonly #heap: number[] = [];

  constructor(dictionaries: readonly Pick<TermSource, 'from'>[]) {
    this.#streams = dictionaries.map((dictionary) => dictionary.from(''));
    this.#heads = this.#streams.map((stream) => stream.next().value ?? undefined);
    for (let input = 0; input < this.#heads.length; input++)
      if (this.#heads[input] !== undefined) this.#heap.push(input);
    for (let at = this.#heap.length >> 1; at >= 0; at--) this.#sink(at);
  }

  /** The term whose turn it is; undefined after the last. */
  get first(): FoundTerm | undefined {
    return this.#heads[this.#heap[0]];
  }

  /** Which dictionary has it. */
  get input(): number {
    return this.#heap[0];
  }

  advance(): void {
    const input = this.#heap[0];
    this.#heads[input] = this.#streams[input].next().value ?? undefined;
    if (this.#heads[input] === undefined) {
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
      [heap[at], heap[least]] = [heap[least], heap[at]];
      at = least;
    }
  }

  #isBefore(input: number, other: number): boolean {
    const term = this.#heads[input]!.term;
    const otherTerm = this.#heads[other]!.term;
    return term < otherTerm || (term === otherTerm && input < other);
  }
}
