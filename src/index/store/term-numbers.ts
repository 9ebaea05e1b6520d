import type { RememberedWords } from '../analyze.ts';

/** More terms than these are not kept: a language has fewer that come again, and memory is bounded. */
const KEPT_TERMS = 1 << 16;

/**
 * Numbers for terms, which one segment after the other uses: most terms of a segment were in the one before, and to number and order
 * them again costs about as much as to look up all words of its documents.
 */
export class TermNumbers {
  /** By number. */
  readonly terms: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** As whom numbers of terms are noted at words that are remembered. */
  readonly #owners = new Map<RememberedWords, number>();
  /** Numbers of terms in the order of the dictionary, but for the newest. */
  #order = new Uint32Array(0);

  of(term: string): number {
    return this.#numbers.get(term) ?? this.#ofNew(term.toWellFormed());
  }

  ownerAt(words: RememberedWords): number {
    const known = this.#owners.get(words);
    if (known !== undefined) return known;
    const owner = words.newOwner();
    this.#owners.set(words, owner);
    return owner;
  }

  /** The numbers of terms that have occurrences, by where these begin, in the order of the dictionary. */
  ordered(starts: Uint32Array): Uint32Array {
    this.order();
    const order = this.#order;
    const used = new Uint32Array(order.length);
    let count = 0;
    for (let at = 0; at < order.length; at++) {
      const number = order[at];
      if (starts[number + 1] > starts[number]) used[count++] = number;
    }
    return used.subarray(0, count);
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

  /** Puts the newest in order. */
  order(): void {
    const { terms } = this;
    const before = this.#order;
    if (before.length === terms.length) return;
    // Without a function to compare them strings are sorted as `<` has them, and much sooner.
    const fresh = terms.slice(before.length).sort();
    const order = new Uint32Array(terms.length);
    let taken = 0;
    for (const [at, term] of fresh.entries()) {
      const from = taken;
      for (let end = before.length; taken < end; ) {
        const middle = (taken + end) >>> 1;
        if (terms[before[middle]] < term) taken = middle + 1;
        else end = middle;
      }
      order.set(before.subarray(from, taken), from + at);
      order[taken + at] = this.#numbers.get(term)!;
    }
    order.set(before.subarray(taken), taken + fresh.length);
    this.#order = order;
  }
}
