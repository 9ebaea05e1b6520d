import { ChainTable } from './chain-table.ts';
import { ChainWalk, HIGH_WORD, LOW_WORD } from './chain-walk.ts';
import type { PackedRecords } from './packed-records.ts';

const LOAD = 2;

interface Block {
  readonly table: ChainTable;
  readonly from: number;
  readonly bits: number;
  /** Bits of the block in which a fingerprint that is sought here may differ: 0 or 1. */
  readonly radius: number;
}

export interface PermutedTablesOptions {
  readonly records: PackedRecords;
  /** Bits in which what is found may differ. */
  readonly distance: number;
  /** The first of `tablesFor(distance)` words of a record that hold the links. */
  readonly firstLink: number;
  /** See `ChainTableOptions`. */
  readonly firstBits?: number;
}

/**
 * All 64-bit fingerprints within a Hamming distance k of a given one, after Manku, Jain and Das Sarma: each table brings
 * another block of the bits to the front, and k differing bits cannot spoil all blocks. They use k + 1 blocks and look for
 * an equal one. Here there are half as many, twice as wide, and a block may also differ in one bit: with m blocks, k bits
 * leave at least one block with at most its radius of differing bits when the radii add up to k - m + 1. That takes half
 * the memory, and a bucket of 10 million fingerprints holds two of them instead of 150.
 */
export class PermutedTables {
  readonly #records: PackedRecords;
  readonly #distance: number;
  readonly #blocks: Block[] = [];
  readonly #walk: ChainWalk;
  readonly #bitKeys = Int32Array.from({ length: 32 }, (_, bit) => keyOf(1 << bit));

  constructor({ records, distance, firstLink, firstBits }: PermutedTablesOptions) {
    this.#records = records;
    this.#distance = distance;
    const count = tablesFor(distance);
    for (let i = 0, from = 0; i < count; i++) {
      const bits = Math.ceil((64 - from) / (count - i));
      const start = from;
      const keyOfRecord = (record: number): number =>
        keyOf(blockOf(records.get(record, LOW_WORD), records.get(record, HIGH_WORD), start, bits));
      const grow = { keyBits: bits, load: LOAD, ...(firstBits === undefined ? {} : { firstBits }) };
      const table = new ChainTable({ records, link: firstLink + i, keyOf: keyOfRecord, ...grow });
      this.#blocks.push({ table, from, bits, radius: i < distance - count + 1 ? 1 : 0 });
      from += bits;
    }
    this.#walk = new ChainWalk(records, 64 + count);
  }

  get bytes(): number {
    return this.#blocks.reduce((sum, { table }) => sum + table.bytes, 0);
  }

  /** To be called once the fingerprint of the record is set. */
  add(record: number): void {
    const low = this.#records.get(record, LOW_WORD);
    const high = this.#records.get(record, HIGH_WORD);
    for (const { table, from, bits } of this.#blocks) {
      table.add(keyOf(blockOf(low, high, from, bits)), record);
    }
  }

  /** The record with this fingerprint that is the one sought; undefined where there is none. */
  record(low: number, high: number, isSought: (record: number) => boolean): number | undefined {
    const { table, from, bits } = this.#blocks[0];
    const records = this.#records;
    let entry = table.head(table.bucketOf(keyOf(blockOf(low, high, from, bits))));
    for (; entry !== 0; entry = records.get(entry - 1, table.link)) {
      const record = entry - 1;
      if (records.get(record, LOW_WORD) !== low || records.get(record, HIGH_WORD) !== high) continue;
      if (isSought(record)) return record;
    }
    return undefined;
  }

  /** To be called while the fingerprint of the record is set; it has to be in the tables. */
  remove(record: number): void {
    const low = this.#records.get(record, LOW_WORD);
    const high = this.#records.get(record, HIGH_WORD);
    for (const { table, from, bits } of this.#blocks) {
      table.unhook(table.hooks(keyOf(blockOf(low, high, from, bits)), record) ?? [], record);
    }
  }

  /** Puts the records within the distance into `found`; of a bucket at most the `most` newest are looked at. */
  find(low: number, high: number, found: Set<number>, most = Number.POSITIVE_INFINITY): void {
    for (const { table, from, bits, radius } of this.#blocks) {
      const key = keyOf(blockOf(low, high, from, bits));
      const own = table.bucketOf(key);
      this.#walk.begin(table.head(own), table.link);
      for (let bit = 0; bit < bits * radius; bit++) {
        const bucket = table.bucketOf(key ^ this.#bitKeys[bit]);
        if (bucket !== own) this.#walk.begin(table.head(bucket), table.link);
      }
    }
    this.#walk.run(low, high, this.#distance, found, most);
  }
}

/** Tables for a distance of k bits: with radii of at most 1, 2 m - 1 bits are covered by m of them. */
export function tablesFor(distance: number): number {
  return Math.max(2, Math.ceil((distance + 1) / 2));
}

function blockOf(low: number, high: number, from: number, bits: number): number {
  let block = from >= 32 ? high >>> (from - 32) : low >>> from;
  if (from > 0 && from < 32) block |= high << (32 - from);
  return bits === 32 ? block : block & ((1 << bits) - 1);
}

/**
 * Every bit of the block in half of the bits of the key: single bits of simhashes are lopsided, since texts of a language
 * share their common words, and buckets by bare bits would be crowded. Linear: the key of a block with one bit changed is
 * the key of the block xor the key of that bit.
 */
function keyOf(block: number): number {
  let key = block;
  for (let round = 0; round < 5; round++) {
    key ^= key << 13;
    key ^= key >>> 17;
    key ^= key << 5;
  }
  return key;
}
