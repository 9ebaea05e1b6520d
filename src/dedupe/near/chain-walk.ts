import { bitCount } from './hamming.ts';
import type { PackedRecords } from './packed-records.ts';

/** Words of a record that hold its 64-bit fingerprint. */
export const LOW_WORD = 0;
export const HIGH_WORD = 1;

/** Follows many record chains at once, so that their memory waits overlap: one by one took half as long again. */
export class ChainWalk {
  readonly #records: PackedRecords;
  readonly #entries: Int32Array;
  readonly #links: Uint8Array;
  #count = 0;

  constructor(records: PackedRecords, mostChains: number) {
    this.#records = records;
    this.#entries = new Int32Array(mostChains);
    this.#links = new Uint8Array(mostChains);
  }

  /** A chain to be followed: its first record plus 1, or 0, and the word that holds the next in the same form. */
  begin(head: number, link: number): void {
    if (head === 0) return;
    this.#entries[this.#count] = head;
    this.#links[this.#count++] = link;
  }

  /**
   * Puts records whose fingerprint differs in at most `distance` bits into `found`. Of each chain at most `most` records
   * are looked at: without a bound, a site of a million pages alike would make every look at one of them as long.
   */
  run(low: number, high: number, distance: number, found: Set<number>, most: number): void {
    const records = this.#records;
    const entries = this.#entries;
    const links = this.#links;
    let count = this.#count;
    for (let step = 0; count > 0 && step < most; step++) {
      let left = 0;
      for (let i = 0; i < count; i++) {
        const record = entries[i] - 1;
        const link = links[i];
        const page = records.page(record);
        const at = records.offset(record);
        const next = page[at + link];
        if (bitCount(low ^ page[at + LOW_WORD]) + bitCount(high ^ page[at + HIGH_WORD]) <= distance) found.add(record);
        if (next !== 0) {
          entries[left] = next;
          links[left++] = link;
        }
      }
      count = left;
    }
    this.#count = 0;
  }
}
