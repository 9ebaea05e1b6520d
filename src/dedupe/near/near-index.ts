import type { Alike, ContentSketch, NearDuplicateIndex, SketchStore } from '../../contracts/content/content-sketch.ts';
import { HIGH_WORD, LOW_WORD } from './chain-walk.ts';
import { bitCount, hammingDistance } from './hamming.ts';
import { PackedRecords } from './packed-records.ts';
import { PermutedTables, tablesFor } from './permuted-tables.ts';
import { estimateAlike } from './sketch.ts';
import { rowsFor, SketchBands } from './sketch-bands.ts';

export interface NearIndexOptions {
  /** Least Jaccard coefficient of documents alike; at least 0.3. */
  readonly threshold?: number;
  /** Bits in which the simhash of a candidate may differ, wherever the bands do not name it. */
  readonly distance?: number;
  /** Tables over minhash values: each takes five bytes per document. */
  readonly bands?: number;
  /** Candidates whose sketch is asked of the store, the nearest first. */
  readonly mostVerified?: number;
  /** Bits of a key that name a bucket while there are few documents, 15 at most. */
  readonly firstBits?: number;
}

const DOCUMENT_WORD = 2;
const FIRST_LINK = 3;
/** Records looked at in one bucket; only pages alike by the hundred fill one so far. */
const MOST_PER_BUCKET = 256;

/**
 * Near duplicates from two sides: simhashes that differ in few bits, and bands of minhash values that agree. What the
 * bands name is tried by its simhash, in memory, and what is left of both by its sketch, from the store. With the default
 * distance and bands a document takes 32 bytes, and about 7 for its share of the buckets.
 *
 * A document has one place: whoever adds it again removes it first. A removal follows its five buckets to their ends, which
 * no look does. Of more than `mostVerified` candidates only the nearest are told.
 */
export class NearIndex implements NearDuplicateIndex {
  readonly #store: SketchStore;
  readonly #threshold: number;
  readonly #bandDistance: number;
  readonly #mostVerified: number;
  readonly #records: PackedRecords;
  readonly #tables: PermutedTables;
  readonly #bands: SketchBands;
  readonly #wide = new BigUint64Array(1);
  readonly #words = new Uint32Array(this.#wide.buffer);

  constructor(store: SketchStore, options: NearIndexOptions = {}) {
    const { threshold = 0.8, distance = 3, bands = 3, mostVerified = 64, firstBits } = options;
    this.#store = store;
    this.#threshold = threshold;
    this.#bandDistance = Math.max(distance, farthest(threshold));
    this.#mostVerified = mostVerified;
    const tables = tablesFor(distance);
    const records = new PackedRecords(FIRST_LINK + tables + bands);
    this.#records = records;
    const first = firstBits === undefined ? {} : { firstBits };
    this.#tables = new PermutedTables({ records, distance, firstLink: FIRST_LINK, ...first });
    this.#bands = new SketchBands({
      records,
      bands,
      rows: rowsFor(threshold),
      firstLink: FIRST_LINK + tables,
      ...first,
    });
  }

  get size(): number {
    return this.#records.size;
  }

  get bytes(): number {
    return this.#records.bytes + this.#tables.bytes + this.#bands.bytes;
  }

  add(document: number, { simhash, sketch }: ContentSketch): void {
    this.#wide[0] = simhash;
    const record = this.#records.add();
    this.#records.set(record, LOW_WORD, this.#words[0]);
    this.#records.set(record, HIGH_WORD, this.#words[1]);
    this.#records.set(record, DOCUMENT_WORD, document);
    this.#tables.add(record);
    this.#bands.add(record, sketch);
  }

  remove(document: number, { simhash, sketch }: ContentSketch): boolean {
    this.#wide[0] = simhash;
    const record = this.#tables.record(
      this.#words[0],
      this.#words[1],
      (found) => this.#records.get(found, DOCUMENT_WORD) === document,
    );
    if (record === undefined || !this.#bands.remove(record, sketch)) return false;
    this.#tables.remove(record);
    this.#records.free(record);
    return true;
  }

  jaccard(a: ContentSketch, b: ContentSketch): number | undefined {
    return estimateAlike(a, b, this.#threshold);
  }

  alike(contentSketch: ContentSketch): readonly Alike[] {
    const alike: Alike[] = [];
    for (const document of this.#candidates(contentSketch)) {
      const other = this.#store.contentSketch(document);
      const jaccard = other && this.jaccard(contentSketch, other);
      if (other === undefined || jaccard === undefined) continue;
      alike.push({ document, jaccard, distance: hammingDistance(contentSketch.simhash, other.simhash) });
    }
    return alike.sort((a, b) => b.jaccard - a.jaccard || a.distance - b.distance || a.document - b.document);
  }

  /** Documents to be verified; of too many the nearest. */
  #candidates({ simhash, sketch }: ContentSketch): readonly number[] {
    this.#wide[0] = simhash;
    const low = this.#words[0];
    const high = this.#words[1];
    const found = new Set<number>();
    this.#tables.find(low, high, found, MOST_PER_BUCKET);
    this.#bands.find(sketch, low, high, this.#bandDistance, found, MOST_PER_BUCKET);
    if (found.size === 0) return [];
    const nearest = [...found];
    if (nearest.length > this.#mostVerified)
      nearest.sort((a, b) => this.#distanceTo(a, low, high) - this.#distanceTo(b, low, high));
    const documents = new Set(nearest.map((record) => this.#records.get(record, DOCUMENT_WORD)));
    return [...documents].slice(0, this.#mostVerified);
  }

  #distanceTo(record: number, low: number, high: number): number {
    return bitCount(low ^ this.#records.get(record, LOW_WORD)) + bitCount(high ^ this.#records.get(record, HIGH_WORD));
  }
}

/**
 * Bits in which the simhashes of documents alike by the threshold differ at most, with room to spare: on documentation
 * pages 8 for a Jaccard coefficient of 0.8 and 25 for 0.3, while those of unrelated pages differ in 28 on average.
 */
function farthest(threshold: number): number {
  return Math.round(Math.min(26, 14 + 24 * Math.max(0, 0.8 - threshold)));
}
