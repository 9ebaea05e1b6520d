/**
 * The index of near duplicates at scale: `npx node --expose-gc bench/near-duplicates.ts [--documents 10000000] [--lookups 20000]`.
 * Adds documents one by one, looks up new ones and near copies of known ones, and replaces some. The store makes sketches from the
 * number of a document, and its time counts. Done for even fingerprints, and for lopsided ones: on pages of one site a bit
 * is the same in two pages in 56 of 100 cases, which crowds the buckets.
 */
import { parseArgs } from 'node:util';
import type { Alike, ContentSketch } from '../src/contracts/content/content-sketch.ts';
import { NearIndex } from '../src/dedupe/near/near-index.ts';
import { SKETCH_BYTES, SKETCH_VALUES } from '../src/dedupe/near/sketch.ts';
import { LONG_VALUES } from '../src/dedupe/near/sketch-method.ts';
import { textTable } from '../src/laboratory/plots/text-table.ts';

export interface NearDuplicateMeasures {
  readonly addsPerSecond: number;
  /** ms that the slowest addition took. */
  readonly slowestAdd: number;
  readonly bytesPerDocument: number;
  /** µs for a look at a text that is like none: mean of CPU time, and quantiles of elapsed time. */
  readonly newCpu: number;
  readonly newMedian: number;
  readonly newP99: number;
  /** The same for a near copy. */
  readonly copyCpu: number;
  readonly copyMedian: number;
  readonly copyP99: number;
  readonly storeReadsPerLookup: number;
  readonly copiesFound: number;
  /** µs of CPU to remove a document and add it with another sketch. */
  readonly replaceCpu: number;
}

export function measure(documents: number, lookups: number, lopsided: boolean): NearDuplicateMeasures {
  const make = new DrawnSketches(lopsided);
  let reads = 0;
  const index = new NearIndex({
    contentSketch: (document) => {
      reads++;
      return make.of(document);
    },
  });
  let slowestAdd = 0;
  let addMs = 0;
  for (let document = 0; document < documents; document++) {
    const contentSketch = make.of(document);
    const began = performance.now();
    index.add(document, contentSketch);
    const took = performance.now() - began;
    addMs += took;
    slowestAdd = Math.max(slowestAdd, took);
  }
  const unlike = looks(
    index,
    Array.from({ length: lookups }, (_, i) => make.of(documents + i)),
  );
  const storeReadsPerLookup = reads / lookups;
  const originals = Array.from({ length: lookups }, (_, i) => (i * 7919) % documents);
  const copies = looks(
    index,
    originals.map((original) => make.copyOf(original)),
  );
  const versions = originals.map((original, i) => [make.of(original), make.of(documents + i)] as const);
  const replacing = process.cpuUsage();
  for (const [i, [before, after]] of versions.entries()) {
    if (!index.remove(originals[i], before)) throw new Error(`document ${originals[i]} is not there`);
    index.add(originals[i], after);
  }
  const { user, system } = process.cpuUsage(replacing);
  const found = copies.alike.filter((alike, i) => alike.some(({ document }) => document === originals[i])).length;
  return {
    addsPerSecond: Math.round((1000 * documents) / addMs),
    slowestAdd,
    bytesPerDocument: index.bytes / documents,
    ...{ newCpu: unlike.cpu, newMedian: quantile(unlike.micros, 0.5), newP99: quantile(unlike.micros, 0.99) },
    ...{ copyCpu: copies.cpu, copyMedian: quantile(copies.micros, 0.5), copyP99: quantile(copies.micros, 0.99) },
    storeReadsPerLookup,
    copiesFound: found / lookups,
    replaceCpu: (user + system) / lookups,
  };
}

/** Sketches drawn from the number of a document. */
class DrawnSketches {
  readonly #ones = new Uint8Array(64);
  readonly #wide = new BigUint64Array(1);
  readonly #words = new Uint32Array(this.#wide.buffer);
  #state = 1;

  constructor(lopsided: boolean) {
    this.#state = 7;
    for (let bit = 0; bit < 64; bit++) this.#ones[bit] = lopsided ? 51 + (this.#next() >>> 24) * 0.6 : 128;
  }

  of(document: number): ContentSketch {
    this.#state = Math.imul(document + 1, 0x9e3779b1) | 1;
    for (let i = 0; i < 4; i++) this.#next();
    this.#words.fill(0);
    for (let bit = 0; bit < 64; bit++) {
      if (this.#next() >>> 24 < this.#ones[bit]) this.#words[bit >>> 5] |= 1 << (bit & 31);
    }
    const sketch = new Uint8Array(SKETCH_BYTES);
    const words = new Uint32Array(sketch.buffer, 0, SKETCH_BYTES / 4);
    for (let i = 0; i < words.length; i++) words[i] = this.#next();
    return { simhash: this.#wide[0], sketch, shingles: 500 };
  }

  /** Nine in ten values equal, two bits of the simhash another. */
  copyOf(document: number): ContentSketch {
    const { simhash, sketch, shingles } = this.of(document);
    for (let i = 0; i < SKETCH_VALUES; i += 10) sketch[i] ^= 1;
    for (let i = 0; i < LONG_VALUES; i += 10) sketch[SKETCH_VALUES + 4 * i] ^= 1;
    return {
      simhash: simhash ^ (1n << BigInt(document % 64)) ^ (1n << BigInt((document * 7 + 3) % 64)),
      sketch,
      shingles,
    };
  }

  #next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return Math.imul(x, 0x2545f491) >>> 0;
  }
}

interface Looks {
  readonly alike: readonly (readonly Alike[])[];
  readonly micros: readonly number[];
  readonly cpu: number;
}

function looks(index: NearIndex, sketches: readonly ContentSketch[]): Looks {
  const micros: number[] = [];
  const before = process.cpuUsage();
  const alike = sketches.map((contentSketch) => {
    const began = performance.now();
    const answer = index.alike(contentSketch);
    micros.push(1000 * (performance.now() - began));
    return answer;
  });
  const { user, system } = process.cpuUsage(before);
  return { alike, micros, cpu: (user + system) / sketches.length };
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)];
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      documents: { type: 'string', default: '10000000' },
      lookups: { type: 'string', default: '20000' },
    },
  });
  for (const lopsided of [false, true]) {
    const measured = measure(Number(values.documents), Number(values.lookups), lopsided);
    console.log(
      textTable({
        columns: [lopsided ? 'lopsided fingerprints' : 'even fingerprints', 'value'],
        rows: Object.entries(measured),
      }),
    );
  }
}
