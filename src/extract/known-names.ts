/**
 * Finds the names that matter among the names of a document without making a string for each: the scanner sums up a name
 * while it reads it, and the sum is looked up here.
 */
export class KnownNames {
  readonly #names: string[] = [''];
  readonly #sums: number[] = [0];
  readonly #slots: Int16Array;
  readonly #mask: number;

  /** All names in lower case; the number of a name is its place, from 1. */
  constructor(names: readonly string[]) {
    const size = 2 ** Math.ceil(Math.log2(names.length * 8));
    this.#slots = new Int16Array(size);
    this.#mask = size - 1;
    for (const name of names) {
      const sum = sumOf(name);
      let slot = sum & this.#mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = this.#names.length;
      this.#names.push(name);
      this.#sums.push(sum);
    }
  }

  /** Number of the name at `start` in any case, or 0. */
  find(text: string, start: number, end: number, sum: number): number {
    for (let slot = sum & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const number = this.#slots[slot];
      if (number === 0) return 0;
      if (this.#sums[number] === sum && isName(text, start, end, this.#names[number])) return number;
    }
  }

  /** One more than the names: 0 is the number of all others. */
  get size(): number {
    return this.#names.length;
  }

  name(number: number): string {
    return this.#names[number];
  }
}

/** One more character of a name: letters count alike in both cases. */
export function addToSum(sum: number, code: number): number {
  return (Math.imul(sum, 31) + (code | 0x20)) | 0;
}

export function sumOf(name: string): number {
  let sum = 0;
  for (let at = 0; at < name.length; at++) sum = addToSum(sum, name.charCodeAt(at));
  return sum;
}

/** Whether the text from `start` to `end` is this lower-case name, in any case. */
export function isName(text: string, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false;
  for (let at = 0; at < name.length; at++) {
    const code = text.charCodeAt(start + at);
    const wanted = name.charCodeAt(at);
    const upperCase = code >= 0x41 && code <= 0x5a;
    if ((upperCase ? code + 0x20 : code) !== wanted) return false;
  }
  return true;
}
