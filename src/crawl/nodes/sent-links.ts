/** A power of two; 8 bytes each. */
const SLOTS = 2 ** 20;

/** The links that a node has sent to other partitions lately: most links of a page are those of the page before. May forget, never invents. */
export class SentLinks {
  #slots = new BigUint64Array(0);

  has(fingerprint: bigint): boolean {
    return this.#slots.length > 0 && this.#slots[slotOf(fingerprint)] === fingerprint;
  }

  add(fingerprint: bigint): void {
    if (this.#slots.length === 0) this.#slots = new BigUint64Array(SLOTS);
    this.#slots[slotOf(fingerprint)] = fingerprint;
  }

  clear(): void {
    this.#slots = new BigUint64Array(0);
  }
}

function slotOf(fingerprint: bigint): number {
  return Number(fingerprint & BigInt(SLOTS - 1));
}
