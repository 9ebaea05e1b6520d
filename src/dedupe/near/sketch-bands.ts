import { ChainTable } from './chain-table.ts';
import { ChainWalk } from './chain-walk.ts';
import type { PackedRecords } from './packed-records.ts';
import { longValue } from './sketch.ts';
import { LONG_VALUES } from './sketch-method.ts';
import { mix } from './text-scan.ts';

const LOAD = 4;

export interface SketchBandsOptions {
  readonly records: PackedRecords;
  readonly bands: number;
  /** Minhash values of a band; bands x rows is at most `LONG_VALUES`. */
  readonly rows: number;
  /** The first of `bands` words of a record that hold the links. */
  readonly firstLink: number;
  /** See `ChainTableOptions`. */
  readonly firstBits?: number;
}

/**
 * Locality-sensitive hashing after Broder: documents whose values agree in all rows of a band share its bucket. With a
 * Jaccard coefficient J that happens in one of b bands of r rows with probability 1 - (1 - J^r)^b.
 *
 * A bucket names candidates only: neither key nor sketch is kept in memory, and buckets are shared with others.
 */
export class SketchBands {
  readonly #tables: ChainTable[] = [];
  readonly #rows: number;
  readonly #walk: ChainWalk;

  constructor({ records, bands, rows, firstLink, firstBits }: SketchBandsOptions) {
    if (bands * rows > LONG_VALUES)
      throw new RangeError(`${bands} bands of ${rows} rows need more values than there are`);
    this.#rows = rows;
    this.#walk = new ChainWalk(records, bands);
    const grow = { keyBits: 32, load: LOAD, ...(firstBits === undefined ? {} : { firstBits }) };
    for (let band = 0; band < bands; band++) {
      this.#tables.push(new ChainTable({ records, link: firstLink + band, ...grow }));
    }
  }

  get bytes(): number {
    return this.#tables.reduce((sum, table) => sum + table.bytes, 0);
  }

  add(record: number, sketch: Uint8Array): void {
    for (let band = 0; band < this.#tables.length; band++) {
      this.#tables[band].add(bandKey(sketch, band, this.#rows), record);
    }
  }

  /** False, and nothing is done, where the record was not added with this sketch. */
  remove(record: number, sketch: Uint8Array): boolean {
    const hooks: number[][] = [];
    for (let band = 0; band < this.#tables.length; band++) {
      const found = this.#tables[band].hooks(bandKey(sketch, band, this.#rows), record);
      if (found === undefined) return false;
      hooks.push(found);
    }
    for (let band = 0; band < this.#tables.length; band++) this.#tables[band].unhook(hooks[band], record);
    return true;
  }

  /** Adds to `found` the records of the sketch's buckets within `distance` simhash bits; the `most` newest of each bucket. */
  find(sketch: Uint8Array, low: number, high: number, distance: number, found: Set<number>, most: number): void {
    for (let band = 0; band < this.#tables.length; band++) {
      const table = this.#tables[band];
      this.#walk.begin(table.head(table.bucketOf(bandKey(sketch, band, this.#rows))), table.link);
    }
    this.#walk.run(low, high, distance, found, most);
  }
}

function bandKey(sketch: Uint8Array, band: number, rows: number): number {
  let key = band;
  for (let row = 0; row < rows; row++) key = mix(Math.imul(key, 0x9e3779b1) ^ longValue(sketch, band * rows + row));
  return key;
}

/** Rows that keep the candidates few for a threshold. */
export function rowsFor(threshold: number): number {
  return threshold >= 0.7 ? 2 : 1;
}

/** Probability that documents with this Jaccard coefficient share a band. */
export function shareOfFound(jaccard: number, bands: number, rows: number): number {
  return 1 - (1 - jaccard ** rows) ** bands;
}
