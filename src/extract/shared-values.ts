/** A power of two: few documents have more classes, and they are made for each. */
const SLOTS = 64;

/**
 * Values that a document writes again and again, such as its classes: a string is made of each once. The same string each time also spares
 * those who look it up its hash. A slot holds one value: the last one that fell into it.
 */
export class SharedValues {
  /** Undefined where the slot was given to a value of which no string has been made. */
  readonly values: (string | undefined)[] = [];
  /** Where the value of each slot stands in the document. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  constructor() {
    for (let slot = 0; slot < SLOTS; slot++) {
      this.values.push(undefined);
      this.#starts.push(0);
      this.#ends.push(0);
    }
  }

  /** The slot of the value that stands from `start` to `end`: what is there, if anything, is made of the same bytes. */
  find(bytes: Uint8Array, start: number, end: number): number {
    let hash = end - start;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193);
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    if (this.#isSame(bytes, slot, start, end)) return slot;
    this.values[slot] = undefined;
    this.#starts[slot] = start;
    this.#ends[slot] = end;
    return slot;
  }

  #isSame(bytes: Uint8Array, slot: number, start: number, end: number): boolean {
    let other = this.#starts[slot];
    if (this.#ends[slot] - other !== end - start) return false;
    for (let at = start; at < end; at++) if (bytes[other++] !== bytes[at]) return false;
    return true;
  }
}
