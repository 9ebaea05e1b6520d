import { BLOCK } from '../format/posting-writer.ts';

/** Half a megabyte. A query of more words in more segments gets arrays of its own for the rest. */
const MOST_KEPT = 1024;

/** Lends arrays for the numbers of one block of postings, with a place more for where the last of them ends. */
export class BlockArrays {
  readonly #arrays: Uint32Array[] = [];
  #lent = 0;

  /** Holds whatever it was used for before; the borrower's until all are taken back. */
  take(): Uint32Array {
    if (this.#lent === MOST_KEPT) return new Uint32Array(BLOCK + 1);
    if (this.#lent === this.#arrays.length) this.#arrays.push(new Uint32Array(BLOCK + 1));
    return this.#arrays[this.#lent++];
  }

  /** Nobody uses any of them any more. */
  takeBack(): void {
    this.#lent = 0;
  }
}
