import { BLOCK } from '../format/posting-writer.ts';
import type { PackedPositions, TermPostings } from '../format/term-postings.ts';

/** Reads single postings of a term: where a document stands, its code, its positions. Quickest in ascending order. */
export class PostingReader {
  readonly #postings: TermPostings;
  readonly #documents = new Uint32Array(BLOCK);
  readonly #codes = new Uint32Array(BLOCK);
  readonly #starts = new Uint32Array(BLOCK + 1);
  #packed: PackedPositions | undefined;
  #block = -1;
  #codesBlock = -1;
  #startsBlock = -1;
  #count = 0;
  #at = 0;

  constructor(postings: TermPostings) {
    this.#postings = postings;
  }

  /** Whether the term is in the document; the other methods then speak of that posting. */
  goTo(document: number): boolean {
    const { lastDocuments } = this.#postings;
    const block = this.#block;
    const here = block >= 0 && document <= lastDocuments[block] && (block === 0 || document > lastDocuments[block - 1]);
    if (!here) this.#open(document);
    const held = this.#documents;
    const count = this.#count;
    let at = this.#at < count && held[this.#at] <= document ? this.#at : 0;
    while (at < count && held[at] < document) at++;
    this.#at = at;
    return at < count && held[at] === document;
  }

  get code(): number {
    this.#readCodes();
    return this.#codes[this.#at];
  }

  /** The positions into `out`, ascending; returns how many. */
  positions(out: number[]): number {
    this.#readCodes();
    if (this.#startsBlock !== this.#block) {
      this.#packed = this.#postings.readPositionStarts(this.#block, this.#codes, this.#starts);
      this.#startsBlock = this.#block;
    }
    return this.#postings.readPositions(this.#packed!, this.#starts[this.#at], this.#starts[this.#at + 1], out);
  }

  #open(document: number): void {
    const { lastDocuments } = this.#postings;
    let low = 0;
    let high = lastDocuments.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lastDocuments[middle] < document) low = middle + 1;
      else high = middle;
    }
    this.#count = this.#postings.readDocuments(low, this.#documents);
    this.#block = low;
    this.#at = 0;
  }

  #readCodes(): void {
    if (this.#codesBlock === this.#block) return;
    this.#postings.readCodes(this.#block, this.#codes);
    this.#codesBlock = this.#block;
  }
}
