/** A small seeded generator (sfc32): the same seed gives the same inputs on every machine. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  /** `stream` keeps the batches of one seed apart. */
  constructor(seed: number, stream = 0) {
    this.#a = seed | 0;
    this.#b = stream | 0;
    this.#c = 0x9e3779b9;
    for (let round = 0; round < 12; round++) this.next();
  }

  /** 32 random bits, unsigned. */
  next(): number {
    const sum = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0 to `limit` - 1. */
  below(limit: number): number {
    return limit <= 1 ? 0 : Math.floor((this.next() / 0x1_0000_0000) * limit);
  }

  chance(share: number): boolean {
    return this.next() < share * 0x1_0000_0000;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }

  /** Small numbers often, large ones now and then, never above `limit`. */
  size(limit: number): number {
    return this.below(Math.min(limit, 2 ** this.below(Math.ceil(Math.log2(limit + 1)) + 1))) + 1;
  }
}
