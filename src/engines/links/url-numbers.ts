const LEAST_SLOTS = 1024;

/** Numbers for fingerprints, in the order in which they come: an open table of 12 bytes for each slot. */
export class UrlNumbers {
  #hi = new Uint32Array(LEAST_SLOTS);
  #lo = new Uint32Array(LEAST_SLOTS);
  /** Number + 1; 0: free. */
  #numbers = new Uint32Array(LEAST_SLOTS);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** -1 where it has none. */
  find(hi: number, lo: number): number {
    return this.#numbers[this.#slot(hi, lo)] - 1;
  }

  /** The number it has, or the next one. */
  add(hi: number, lo: number): number {
    const slot = this.#slot(hi, lo);
    if (this.#numbers[slot] !== 0) return this.#numbers[slot] - 1;
    this.#hi[slot] = hi;
    this.#lo[slot] = lo;
    this.#numbers[slot] = ++this.#count;
    if (this.#count > 0.7 * this.#numbers.length) this.#grow();
    return this.#count - 1;
  }

  #slot(hi: number, lo: number): number {
    const mask = this.#numbers.length - 1;
    let slot = lo & mask;
    while (this.#numbers[slot] !== 0 && (this.#lo[slot] !== lo || this.#hi[slot] !== hi)) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [hi, lo, numbers] = [this.#hi, this.#lo, this.#numbers];
    this.#hi = new Uint32Array(2 * hi.length);
    this.#lo = new Uint32Array(2 * hi.length);
    this.#numbers = new Uint32Array(2 * hi.length);
    for (let old = 0; old < numbers.length; old++) {
      if (numbers[old] === 0) continue;
      const slot = this.#slot(hi[old], lo[old]);
      this.#hi[slot] = hi[old];
      this.#lo[slot] = lo[old];
      this.#numbers[slot] = numbers[old];
    }
  }
}
