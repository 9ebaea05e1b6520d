import { FIELDS } from '../fields.ts';
import type { CodeTable } from '../format/code-table.ts';
import { lengthOfByte } from '../format/quantise.ts';
import type { RankingOptions } from '../ranking-options.ts';

/** What a segment was written with, so that its bounds can be carried over to other averages and weights. */
export interface FieldNorms {
  readonly weights: readonly number[];
  readonly b: readonly number[];
  readonly averages: readonly number[];
}

const BODY = FIELDS.indexOf('body');

export function fieldNorms(ranking: RankingOptions, lengthSums: readonly number[], documents: number): FieldNorms {
  const averages = lengthSums.map((sum) => (documents === 0 ? 0 : sum / documents));
  return {
    weights: FIELDS.map((field) => ranking.weights[field]),
    b: FIELDS.map((field, at) =>
      averages[at] > 0 ? (ranking.b[field] * averages[at]) / (averages[at] + ranking.lengthPivot) : 0,
    ),
    averages,
  };
}

/** Per field and length byte: what one occurrence is worth. */
export function normTables({ weights, b, averages }: FieldNorms): Float64Array[] {
  return FIELDS.map((_, field) => normTable(weights[field], b[field], averages[field]));
}

/** Made for every segment of every snapshot: a function inside of another one would be compiled with each of them again. */
function normTable(weight: number, b: number, average: number): Float64Array {
  const table = new Float64Array(256);
  for (let byte = 0; byte < 256; byte++) {
    const relative = average > 0 ? lengthOfByte(byte) / average : 1;
    table[byte] = weight / (1 - b + b * relative);
  }
  return table;
}

/** This many times at most is a weight under the tables of `now` what it was under `then`. */
export function boundFactor(now: readonly Float64Array[], then: FieldNorms): number {
  const tablesThen = normTables(then);
  let factor = 0;
  for (let field = 0; field < FIELDS.length; field++) {
    // A field that nobody filled has no occurrences whose worth could change.
    if (then.averages[field] === 0) continue;
    for (let byte = 1; byte < 256; byte++) {
      const was = tablesThen[field][byte];
      const is = now[field][byte];
      if (is > 0) factor = Math.max(factor, was > 0 ? is / was : Number.POSITIVE_INFINITY);
    }
  }
  return factor;
}

/** Weighs postings of one segment: BM25F's pooled frequency, before it is saturated. */
export class PostingWeigher {
  readonly #tables: readonly Float64Array[];
  readonly #codes: CodeTable;
  readonly #lengths: readonly Uint8Array[];
  readonly #bodyNorm: Float64Array;
  readonly #bodyLengths: Uint8Array;

  constructor(tables: readonly Float64Array[], codes: CodeTable, lengths: readonly Uint8Array[]) {
    this.#tables = tables;
    this.#codes = codes;
    this.#lengths = lengths;
    this.#bodyNorm = tables[BODY];
    this.#bodyLengths = lengths[BODY];
  }

  weigh(document: number, code: number): number {
    const body = this.#codes.bodyOnly[code];
    return body >= 0 ? body * this.#bodyNorm[this.#bodyLengths[document]] : this.#sum(document, code);
  }

  /** The largest weight of several postings. */
  heaviest(documents: Uint32Array, codes: Uint32Array, from: number, to: number): number {
    const { bodyOnly } = this.#codes;
    const norm = this.#bodyNorm;
    const lengths = this.#bodyLengths;
    let most = 0;
    for (let i = from; i < to; i++) {
      const code = codes[i];
      const body = bodyOnly[code];
      const weight = body >= 0 ? body * norm[lengths[documents[i]]] : this.#sum(documents[i], code);
      if (weight > most) most = weight;
    }
    return most;
  }

  /** What one field adds to the weight. */
  weighField(document: number, code: number, field: number): number {
    return this.#codes.frequency(code, field) * this.#tables[field][this.#lengths[field][document]];
  }

  /** What a frequency in a field is worth. */
  worth(document: number, field: number, frequency: number): number {
    return frequency * this.#tables[field][this.#lengths[field][document]];
  }

  #sum(document: number, code: number): number {
    let sum = 0;
    // From the lowest bit to the highest: one step for each field that holds the term.
    for (let fields = this.#codes.fields[code]; fields !== 0; fields &= fields - 1)
      sum += this.weighField(document, code, 31 - Math.clz32(fields & -fields));
    return sum;
  }
}

export function inverseDocumentFrequency(documents: number, frequency: number): number {
  return Math.log(1 + (Math.max(documents, frequency) - frequency + 0.5) / (frequency + 0.5));
}
