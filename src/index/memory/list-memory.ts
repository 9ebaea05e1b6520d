import type { ScoredList } from '../query/scored-list.ts';

/** Of all lists, 768 KB. A list that does not fit any more has memory of its own. */
const ENTRIES = 1 << 16;

/** Memory for lists of scored documents, given out from the beginning to the end and then anew. */
export class ListMemory {
  readonly #entries: number;
  #all: ScoredList | undefined;
  #used = 0;

  /** `entries`: documents of all lists together. */
  constructor(entries = ENTRIES) {
    this.#entries = entries;
  }

  /** Room for a list; holds whatever it was used for before. */
  take(length: number): ScoredList {
    if (this.#used + length > this.#entries) return listOf(length);
    this.#all ??= listOf(this.#entries);
    const { documents, scores } = this.#all;
    const from = this.#used;
    this.#used += length;
    return { documents: documents.subarray(from, this.#used), scores: scores.subarray(from, this.#used) };
  }

  /** Whether so little is left that it has to be given out anew. */
  get isShort(): boolean {
    return 2 * this.#used > this.#entries;
  }

  /** Nobody uses any of the lists any more. */
  takeBack(): void {
    this.#used = 0;
  }
}

function listOf(length: number): ScoredList {
  return { documents: new Uint32Array(length), scores: new Float64Array(length) };
}
