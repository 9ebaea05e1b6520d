/** Characters of a term that its key tells apart; from the last digit on they count as the same. */
const KEY_CHARACTERS = 7;
const DIGITS = 128;

/**
 * Numbers of terms in the order of these, as `<` has it. Terms are looked for by a number of their first characters, and only those
 * that have the same one are compared as strings: these lie anywhere in memory, and most of the time would go into waiting for them.
 */
export class TermOrder {
  /** In order. */
  numbers = new Uint32Array(0);
  /** Of the terms in order. */
  #keys = new Float64Array(0);

  /** Takes in the terms that are not among them yet; `terms` are all by number, `numberOf` tells it of a term. */
  take(terms: readonly string[], numberOf: (term: string) => number): void {
    const before = this.numbers;
    if (before.length === terms.length) return;
    const keysBefore = this.#keys;
    // Without a function to compare them strings are sorted as `<` has them, and much sooner.
    const fresh = terms.slice(before.length).sort();
    const numbers = new Uint32Array(terms.length);
    const keys = new Float64Array(terms.length);
    let taken = 0;
    for (let at = 0; at < fresh.length; at++) {
      const term = fresh[at];
      const key = keyOf(term);
      const next = this.#placeOf(term, key, taken, terms);
      // Between two new terms are a few: a call of the engine would take longer.
      for (; taken < next; taken++) {
        numbers[taken + at] = before[taken];
        keys[taken + at] = keysBefore[taken];
      }
      numbers[taken + at] = numberOf(term);
      keys[taken + at] = key;
    }
    numbers.set(before.subarray(taken), taken + fresh.length);
    keys.set(keysBefore.subarray(taken), taken + fresh.length);
    this.numbers = numbers;
    this.#keys = keys;
  }

  /** The first place from one on whose term comes after this one. */
  #placeOf(term: string, key: number, from: number, terms: readonly string[]): number {
    const numbers = this.numbers;
    const keys = this.#keys;
    let low = from;
    let high = numbers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = keys[middle];
      if (other < key || (other === key && terms[numbers[middle]] < term)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Of two terms the one that comes first has no larger key. 0 is the end of a term, or of what is told apart. */
function keyOf(term: string): number {
  const { length } = term;
  let key = 0;
  let isPlain = true;
  for (let at = 0; at < KEY_CHARACTERS; at++) {
    const digit: number = isPlain && at < length ? Math.min(term.charCodeAt(at) + 1, DIGITS - 1) : 0;
    // Behind characters that count as the same nothing may count: they need not be the same.
    isPlain &&= digit < DIGITS - 1;
    key = key * DIGITS + digit;
  }
  return key;
}
