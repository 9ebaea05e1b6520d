import { BLOCK } from '../format/posting-writer.ts';
import { MOST_AHEAD, PADDING } from '../format/term-positions.ts';

/** Four megabytes: a phrase of two words in 32 segments. */
const MOST_BYTES_KEPT = 64;

/** Half a megabyte. A query of more words in more segments gets arrays of its own for the rest. */
const MOST_KEPT = 1024;

/** Lends arrays for the numbers of one block of postings, with a place more for where the last of them ends. */
export class BlockArrays {
  readonly #arrays: Uint32Array[] = [];
  readonly #bytes: Uint8Array[] = [];
  #lent = 0;
  #lentBytes = 0;

  /** Holds whatever it was used for before; the borrower's until all are taken back. */
  take(): Uint32Array {
    if (this.#lent === MOST_KEPT) return new Uint32Array(BLOCK + 1);
    if (this.#lent === this.#arrays.length) this.#arrays.push(new Uint32Array(BLOCK + 1));
    return this.#arrays[this.#lent++];
  }

  /** Room for as many bytes of positions as are read at once, under the same terms. */
  takeBytes(): Uint8Array {
    if (this.#lentBytes === MOST_BYTES_KEPT) return new Uint8Array(MOST_AHEAD + PADDING);
    if (this.#lentBytes === this.#bytes.length) this.#bytes.push(new Uint8Array(MOST_AHEAD + PADDING));
    return this.#bytes[this.#lentBytes++];
  }

  /** Nobody uses any of them any more. */
  takeBack(): void {
    this.#lent = 0;
    this.#lentBytes = 0;
  }
}
