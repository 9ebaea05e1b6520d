import type { WordOwners } from '../analyze.ts';
import type { EncodedTerm } from '../format/found-term.ts';
import { TermEncoder } from '../format/term-dictionary.ts';
import { TermOrder } from './words/term-order.ts';

/** More terms than these are not kept: a language has fewer that come again, and memory is bounded. */
const KEPT_TERMS = 1 << 16;
const FIRST_TERMS = 1 << 10;

/**
 * Numbers for terms, which one segment after the other uses: most terms of a segment were in the one before, and to number, order and
 * encode them again costs about as much as to look up all words of its documents.
 */
export class TermNumbers {
  /** By number. */
  readonly terms: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** As whom numbers of terms are noted at words that are remembered. */
  readonly #owners = new Map<WordOwners, number>();
  /** Of all terms but the newest. */
  readonly #order = new TermOrder();
  /** Terms in UTF-8, one behind the other, as far as somebody has asked for them, and where each ends. */
  #bytes = new Uint8Array(8 * FIRST_TERMS);
  #ends = new Uint32Array(FIRST_TERMS);
  #encodedTerms = 0;
  readonly #encoder = new TermEncoder();
  readonly #numberOf = (term: string): number => this.#numbers.get(term)!;
  readonly #encoded: EncodedTerm = { bytes: this.#bytes, from: 0, to: 0 };

  of(term: string): number {
    return this.#numbers.get(term) ?? this.#ofNew(term.toWellFormed());
  }

  ownerAt(owners: WordOwners): number {
    const known = this.#owners.get(owners);
    if (known !== undefined) return known;
    const owner = owners.newOwner();
    this.#owners.set(owners, owner);
    return owner;
  }

  /** The numbers of terms that have occurrences, by where these begin, in the order of the dictionary. */
  ordered(starts: Uint32Array): Uint32Array {
    this.order();
    const order = this.#order.numbers;
    const used = new Uint32Array(order.length);
    let count = 0;
    for (let at = 0; at < order.length; at++) {
      const number = order[at];
      if (starts[number + 1] > starts[number]) used[count++] = number;
    }
    return used.subarray(0, count);
  }

  /** A term in UTF-8, until the next one is asked for. */
  encoded(number: number): EncodedTerm {
    while (this.#encodedTerms <= number) this.#encodeNext();
    const encoded = this.#encoded;
    encoded.bytes = this.#bytes;
    encoded.from = number === 0 ? 0 : this.#ends[number - 1];
    encoded.to = this.#ends[number];
    return encoded;
  }

  /** The numbers of all terms in the order of the dictionary. */
  get inOrder(): Uint32Array {
    this.order();
    return this.#order.numbers;
  }

  /** Puts the newest in order. */
  order(): void {
    this.#order.take(this.terms, this.#numberOf);
  }

  /** These, or none yet for whoever comes next. */
  forNext(): TermNumbers {
    return this.terms.length > KEPT_TERMS ? new TermNumbers() : this;
  }

  /** Half a surrogate pair would not survive UTF-8, and with it the order of the terms. */
  #ofNew(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.terms.push(term) - 1;
    this.#numbers.set(term, number);
    return number;
  }

  #encodeNext(): void {
    const number = this.#encodedTerms++;
    const length = this.#encoder.encode(this.terms[number]);
    const from = number === 0 ? 0 : this.#ends[number - 1];
    const end = from + length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(2 * end);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (number === this.#ends.length) {
      const larger = new Uint32Array(2 * number);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    const { bytes } = this.#encoder;
    for (let at = 0; at < length; at++) this.#bytes[from + at] = bytes[at];
    this.#ends[number] = end;
  }
}
