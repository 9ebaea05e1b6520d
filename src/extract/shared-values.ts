/** A power of two: few documents have more classes, and they are made for each. */
const SLOTS = 64;
const NO_VALUES: readonly (string | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
const NO_PLACES: readonly number[] = Array.from({ length: SLOTS }, () => 0);

/**
 * Values that a document writes again and again, such as its classes: a string is made of each once. The same string each time also spares
 * those who look it up its hash. A slot holds one value: the last one that fell into it.
 */
export class SharedValues {
  /** Undefined where the slot was given to a value of which no string has been made. */
  readonly values: (string | undefined)[] = NO_VALUES.slice();
  /** Where the value of each slot stands in the document. */
  readonly #starts: number[] = NO_PLACES.slice();
  readonly #ends: number[] = NO_PLACES.slice();

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
