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
  /** Bits of a key that name one of the buckets to begin with, 15 at most. */
  readonly firstBits?: number;
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
  readonly #firstBuckets: number;
  readonly #keyOf: ((record: number) => number) | undefined;
  /** By bucket: number of its first record plus 1; 0 for none. */
  readonly #heads: Uint32Array[] = [];
  #buckets: number;
  /** Bits of a key that name a bucket, for those that are split in this round and for the others. */
  #wideMask: number;
  #narrowMask: number;
  #size = 0;

  constructor({ records, link, keyBits, load, keyOf, firstBits = FIRST_BUCKET_BITS }: ChainTableOptions) {
    this.#records = records;
    this.link = link;
    this.#load = load;
    this.#keyOf = keyOf;
    this.#mostBuckets = 1 << Math.min(keyBits, MOST_BUCKET_BITS);
    this.#firstBuckets = 1 << Math.min(keyBits, firstBits);
    this.#buckets = this.#firstBuckets;
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

  /**
   * Where a record that was added under a key hangs: the numbers of the records before it, and -1 - those of the buckets
   * that begin with it. More than one only where chains share their tails. Undefined: it is not there.
   */
  hooks(key: number, record: number): number[] | undefined {
    const own = this.bucketOf(key);
    const hook = this.#hook(own, record);
    if (hook === undefined) return undefined;
    const hooks = [hook];
    if (this.#keyOf !== undefined) return hooks;
    // Buckets that were one with its own when it came have it all, and those that parted from it before have it not: the
    // last to part are asked first.
    const widest = own > this.#narrowMask || (own | (this.#narrowMask + 1)) < this.#buckets;
    let apart = widest ? this.#narrowMask + 1 : (this.#narrowMask + 1) / 2;
    for (; apart >= this.#firstBuckets; apart /= 2) {
      for (let other = (own & (2 * apart - 1)) ^ apart; other < this.#buckets; other += 2 * apart) {
        const otherHook = this.#hook(other, record);
        if (otherHook === undefined) return hooks;
        hooks.push(otherHook);
      }
    }
    return hooks;
  }

  /** Takes a record out of the chains that it hangs in, by all of its hooks. */
  unhook(hooks: readonly number[], record: number): void {
    const following = this.#records.get(record, this.link);
    for (const hook of hooks) {
      if (hook < 0) this.#setHead(-1 - hook, following);
      else this.#records.set(hook, this.link, following);
    }
    this.#size--;
  }

  #hook(bucket: number, record: number): number | undefined {
    let hook = -1 - bucket;
    for (let entry = this.head(bucket); entry !== 0; entry = this.#records.get(hook, this.link)) {
      if (entry - 1 === record) return hook;
      hook = entry - 1;
    }
    return undefined;
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
