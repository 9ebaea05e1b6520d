import type { PackedRecords } from './packed-records.ts';

const PAGE_BITS = 15;
const PAGE_MASK = (1 << PAGE_BITS) - 1;
const FIRST_BUCKET_BITS = 15;
/** So that every mask is a small positive number. */
const MOST_BUCKET_BITS = 29;

export interface ChainTableOptions {
  readonly records: PackedRecords;
  /** The word of a record that holds its successor in the chain. */
  readonly link: number;
  /** Bits of a key, at most 32. */
  readonly keyBits: number;
  /** Records per bucket. */
  readonly load: number;
  /** The key of a record. Without it a chain that grew too long cannot be parted, and both halves keep it as their tail. */
  readonly keyOf?: (record: number) => number;
}

/**
 * Buckets of records that are chained through a word of their own: linear hashing. One bucket is split at a time, so that
 * the table grows with its records and no addition waits for all the others.
 *
 * Invariant: a record added under a key is in the chain of that key's bucket; others may be there too. The newest is first.
 */
export class ChainTable {
  readonly #records: PackedRecords;
  /** The word of a record that holds what follows it in its chain: its number plus 1, or 0. */
  readonly link: number;
  readonly #load: number;
  readonly #mostBuckets: number;
  readonly #keyOf: ((record: number) => number) | undefined;
  /** By bucket: number of its first record plus 1; 0 for none. */
  readonly #heads: Uint32Array[] = [];
  #buckets: number;
  /** Bits of a key that name a bucket, for those that are split in this round and for the others. */
  #wideMask: number;
  #narrowMask: number;
  #size = 0;

  constructor({ records, link, keyBits, load, keyOf }: ChainTableOptions) {
    this.#records = records;
    this.link = link;
    this.#load = load;
    this.#keyOf = keyOf;
    this.#mostBuckets = 1 << Math.min(keyBits, MOST_BUCKET_BITS);
    this.#buckets = 1 << Math.min(keyBits, FIRST_BUCKET_BITS);
    this.#narrowMask = this.#buckets - 1;
    this.#wideMask = 2 * this.#buckets - 1;
    this.#heads.push(new Uint32Array(PAGE_MASK + 1));
  }

  get bytes(): number {
    return 4 * this.#heads.length * (PAGE_MASK + 1);
  }

  bucketOf(key: number): number {
    const bucket = key & this.#wideMask;
    return bucket < this.#buckets ? bucket : key & this.#narrowMask;
  }

  /** The first record of a bucket plus 1, or 0. */
  head(bucket: number): number {
    return this.#heads[bucket >>> PAGE_BITS][bucket & PAGE_MASK];
  }

  add(key: number, record: number): void {
    const bucket = this.bucketOf(key);
    this.#records.set(record, this.link, this.head(bucket));
    this.#setHead(bucket, record + 1);
    if (++this.#size > this.#load * this.#buckets && this.#buckets < this.#mostBuckets) this.#split();
  }

  #setHead(bucket: number, head: number): void {
    this.#heads[bucket >>> PAGE_BITS][bucket & PAGE_MASK] = head;
  }

  /** Parts the bucket whose turn it is: its records go to it or to the new one, by one more bit of their keys. */
  #split(): void {
    const to = this.#buckets++;
    const from = to & this.#narrowMask;
    if (to === this.#wideMask) {
      this.#narrowMask = this.#wideMask;
      this.#wideMask = 2 * this.#wideMask + 1;
    }
    if (to >>> PAGE_BITS === this.#heads.length) this.#heads.push(new Uint32Array(PAGE_MASK + 1));
    if (this.#keyOf === undefined) this.#setHead(to, this.head(from));
    else this.#part(from, to, this.#keyOf);
  }

  #part(from: number, to: number, keyOf: (record: number) => number): void {
    let lastFrom = -1;
    let lastTo = -1;
    let entry = this.head(from);
    this.#setHead(from, 0);
    while (entry !== 0) {
      const record = entry - 1;
      const following = this.#records.get(record, this.link);
      if (this.bucketOf(keyOf(record)) === from) {
        this.#append(from, lastFrom, entry);
        lastFrom = record;
      } else {
        this.#append(to, lastTo, entry);
        lastTo = record;
      }
      this.#records.set(record, this.link, 0);
      entry = following;
    }
  }

  #append(bucket: number, last: number, entry: number): void {
    if (last < 0) this.#setHead(bucket, entry);
    else this.#records.set(last, this.link, entry);
  }
}
