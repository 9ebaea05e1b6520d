import { MinhashBins } from './minhash-bins.ts';
import { PackedRecords } from './packed-records.ts';
import { jaccardAtLeast, type ShelfOptions, ShingleShelf } from './shingle-shelf.ts';
import { rowsFor, shareOfFound } from './sketch-bands.ts';
import { LONG_VALUES, SHINGLE_WORDS } from './sketch-method.ts';
import { mix, TextScan } from './text-scan.ts';

export interface DuplicatePair<Id> {
  /** Of two documents the one that was told first. */
  readonly a: Id;
  readonly b: Id;
  readonly jaccard: number;
}

export interface DuplicatePairsOptions {
  /** Least Jaccard coefficient over distinct shingles, from 0.3 to 1. */
  readonly threshold: number;
  /** Words of a shingle; 5 where it is not given. */
  readonly shingle?: number;
  /** Keeps memory bounded; without it everything is kept in memory. */
  readonly shelf?: ShelfOptions;
}

/** Share of the pairs at the very threshold that the bands must find; above it more. */
const FOUND_AT_THRESHOLD = 0.998;
/** Share of the pairs at the very threshold that may be lost because too few minhash values agree. */
const LOST_AT_THRESHOLD = 0.0005;

/**
 * All pairs of a collection that are alike, as a batch: documents are told one by one, bands of minhash values name the
 * candidates, and the exact shingle hashes of both decide. Memory per document: 64 bytes, its id, and 4 bytes for each
 * distinct shingle unless these are spilled. Texts of fewer words than a shingle has have none and are like none.
 */
export class DuplicatePairs<Id> {
  readonly #threshold: number;
  readonly #rows: number;
  readonly #bands: number;
  readonly #leastAgreeing: number;
  readonly #ids: Id[] = [];
  readonly #values = new PackedRecords(LONG_VALUES);
  readonly #shelf: ShingleShelf;
  readonly #scan: TextScan;
  readonly #bins = new MinhashBins();

  constructor({ threshold, shingle = SHINGLE_WORDS, shelf }: DuplicatePairsOptions) {
    this.#scan = new TextScan(Number.POSITIVE_INFINITY, shingle);
    this.#threshold = threshold;
    this.#shelf = new ShingleShelf(shelf);
    this.#rows = rowsFor(threshold);
    const most = LONG_VALUES / this.#rows;
    let bands = 1;
    while (bands < most && shareOfFound(threshold, bands, this.#rows) < FOUND_AT_THRESHOLD) bands++;
    this.#bands = bands;
    this.#leastAgreeing = leastAgreeing(threshold);
  }

  add(id: Id, text: string): void {
    const scan = this.#scan;
    scan.read(text);
    if (scan.shingles === 0) return;
    this.#bins.read(scan);
    const record = this.#values.add();
    for (const [i, value] of this.#bins.longValues().entries()) this.#values.set(record, i, value);
    this.#shelf.put(distinctInOrder(scan.shingleLow.subarray(0, scan.shingles)));
    this.#ids.push(id);
  }

  /** The likest first; of equals those told first. */
  pairs(): DuplicatePair<Id>[] {
    const pairs: { a: number; b: number; jaccard: number }[] = [];
    for (let band = 0; band < this.#bands; band++) {
      for (const group of this.#groups(band)) this.#compare(group, band, pairs);
    }
    pairs.sort((x, y) => y.jaccard - x.jaccard || x.a - y.a || x.b - y.b);
    return pairs.map(({ a, b, jaccard }) => ({ a: this.#ids[a], b: this.#ids[b], jaccard }));
  }

  /** Documents that share a key in this band, by sorting keys and documents together as numbers. */
  *#groups(band: number): Generator<number[]> {
    const count = this.#ids.length;
    const documents = 2 ** Math.ceil(Math.log2(count + 1));
    const keys = Math.min(2 ** 32, 2 ** 53 / documents);
    const sorted = new Float64Array(count);
    for (let i = 0; i < count; i++) sorted[i] = (this.#key(i, band) % keys) * documents + i;
    sorted.sort();
    for (let from = 0; from < count; ) {
      const key = Math.floor(sorted[from] / documents);
      let to = from + 1;
      while (to < count && Math.floor(sorted[to] / documents) === key) to++;
      if (to > from + 1) yield Array.from(sorted.subarray(from, to), (entry) => entry % documents);
      from = to;
    }
  }

  #compare(group: number[], band: number, pairs: { a: number; b: number; jaccard: number }[]): void {
    const shelf = this.#shelf;
    // By size: what follows is only larger, and soon too large to be alike.
    group.sort((a, b) => shelf.length(a) - shelf.length(b));
    for (const [at, one] of group.entries()) {
      const largest = shelf.length(one) / this.#threshold + 1e-9;
      let hashes: Int32Array | undefined;
      for (let next = at + 1; next < group.length; next++) {
        const other = group[next];
        if (shelf.length(other) > largest) break;
        if (!this.#agree(one, other) || this.#sharesEarlier(one, other, band)) continue;
        hashes ??= shelf.get(one);
        const jaccard = jaccardAtLeast(hashes, shelf.get(other), this.#threshold);
        if (jaccard !== undefined) pairs.push({ a: Math.min(one, other), b: Math.max(one, other), jaccard });
      }
    }
  }

  /** A cheap look before the exact one: enough minhash values must be equal. */
  #agree(one: number, other: number): boolean {
    let equal = 0;
    for (let i = 0; i < LONG_VALUES; i++) if (this.#values.get(one, i) === this.#values.get(other, i)) equal++;
    return equal >= this.#leastAgreeing;
  }

  /** Then the pair was compared before. */
  #sharesEarlier(one: number, other: number, band: number): boolean {
    for (let earlier = 0; earlier < band; earlier++) {
      if (this.#key(one, earlier) === this.#key(other, earlier)) return true;
    }
    return false;
  }

  #key(document: number, band: number): number {
    let key = 0;
    for (let row = 0; row < this.#rows; row++) {
      key = mix(Math.imul(key, 0x9e3779b1) ^ this.#values.get(document, band * this.#rows + row));
    }
    return key >>> 0;
  }
}

/** All pairs of documents at hand; see `DuplicatePairs`. */
export function findDuplicatePairs<Id>(
  documents: Iterable<{ readonly id: Id; readonly text: string }>,
  options: DuplicatePairsOptions,
): DuplicatePair<Id>[] {
  const batch = new DuplicatePairs<Id>(options);
  for (const { id, text } of documents) batch.add(id, text);
  return batch.pairs();
}

/** Minhash values that agree in nearly all pairs at the threshold: a quantile of the binomial distribution. */
function leastAgreeing(threshold: number): number {
  if (threshold >= 1) return LONG_VALUES;
  let probability = (1 - threshold) ** LONG_VALUES;
  let lost = 0;
  for (let equal = 0; equal < LONG_VALUES; equal++) {
    lost += probability;
    if (lost > LOST_AT_THRESHOLD) return equal;
    probability *= ((LONG_VALUES - equal) / (equal + 1)) * (threshold / (1 - threshold));
  }
  return LONG_VALUES;
}

/** Sorts in place and answers the part that holds each value once. */
function distinctInOrder(hashes: Int32Array): Int32Array {
  hashes.sort();
  let count = 0;
  for (let i = 0; i < hashes.length; i++) {
    if (count === 0 || hashes[i] !== hashes[count - 1]) hashes[count++] = hashes[i];
  }
  return hashes.subarray(0, count);
}
