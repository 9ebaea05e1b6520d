import type { Fingerprint } from '../base/fingerprint.ts';

const SHARDS = 256;
const FIRST_CAPACITY = 128;
/** A shard grows by an eighth when it is full to 84 %: between 9.5 and 10.8 bytes per URL. */
const MAX_LOAD = 0.84;
const GROWTH = 1.125;

/**
 * The set of known URLs as 64-bit fingerprints: exact, no Bloom guess. Open addressing in typed arrays, split into
 * shards that grow by themselves, so that memory follows the number of URLs closely and no single growth stops the crawl.
 *
 * The slot of a fingerprint rises with its low word, so that a shard is nearly sorted and growing it is one sweep.
 */
export class SeenSet {
  readonly #shards: Uint32Array[] = [];
  readonly #counts = new Uint32Array(SHARDS);
  readonly #wide = new BigUint64Array(1);
  readonly #words = new Uint32Array(this.#wide.buffer);
  #size = 0;

  constructor() {
    // Sizes a fraction of a step apart, so that the shards take turns at growing and memory rises evenly.
    const sizes = Array.from({ length: SHARDS }, (_, i) => 2 * Math.round(FIRST_CAPACITY * GROWTH ** (i / SHARDS)));
    // Until they grow they share a buffer: hundreds of them are slow to get.
    const shared = new Uint32Array(sizes.reduce((sum, size) => sum + size));
    let start = 0;
    for (const size of sizes) {
      this.#shards.push(shared.subarray(start, start + size));
      start += size;
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Bytes held by the table. */
  get bytes(): number {
    return this.#shards.reduce((sum, shard) => sum + shard.byteLength, 0);
  }

  has(fp: Fingerprint): boolean {
    this.#wide[0] = fp;
    const low = this.#words[0];
    const high = this.#words[1];
    const shard = this.#shards[high & (SHARDS - 1)];
    return find(shard, low, high) >= 0;
  }

  /** True when the fingerprint was not there before. */
  add(fp: Fingerprint): boolean {
    this.#wide[0] = fp;
    return this.#insert(this.#words[0], this.#words[1]);
  }

  /** The same for a fingerprint in two 32-bit words. */
  addWords(low: number, high: number): boolean {
    return this.#insert(low, high);
  }

  #insert(low: number, high: number): boolean {
    const index = high & (SHARDS - 1);
    // An all-zero slot means free, so the fingerprint 0 is kept as 1 in its low word.
    if (low === 0 && high === 0) low = 1;
    let shard = this.#shards[index];
    let slot = find(shard, low, high);
    if (slot >= 0) return false;
    if (this.#counts[index] + 1 > (shard.length >> 1) * MAX_LOAD) {
      shard = grown(shard);
      this.#shards[index] = shard;
      slot = find(shard, low, high);
    }
    const free = ~slot;
    shard[2 * free] = low;
    shard[2 * free + 1] = high;
    this.#counts[index]++;
    this.#size++;
    return true;
  }
}

/** The slot that holds the fingerprint, or the one's complement of the free slot where it belongs. */
function find(shard: Uint32Array, low: number, high: number): number {
  if (low === 0 && high === 0) low = 1;
  const capacity = shard.length >> 1;
  let slot = Math.floor((low * capacity) / 0x1_0000_0000);
  for (;;) {
    const l = shard[2 * slot];
    const h = shard[2 * slot + 1];
    if (l === low && h === high) return slot;
    if (l === 0 && h === 0) return ~slot;
    if (++slot === capacity) slot = 0;
  }
}

function grown(shard: Uint32Array): Uint32Array {
  const capacity = Math.max(Math.ceil((shard.length >> 1) * GROWTH), (shard.length >> 1) + 8);
  const next = new Uint32Array(2 * capacity);
  for (let at = 0; at < shard.length; at += 2) {
    const low = shard[at];
    const high = shard[at + 1];
    if (low === 0 && high === 0) continue;
    const free = ~find(next, low, high);
    next[2 * free] = low;
    next[2 * free + 1] = high;
  }
  return next;
}
