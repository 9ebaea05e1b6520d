import type { Sample } from './metric.ts';

/** So many values a label may take; whatever comes beyond them counts as one. */
const MOST_VALUES = 60;
const BEYOND = 'other';

/** Counts by the value of one label. Bounded: values may come from servers. */
export class LabelCounts {
  readonly #label: string;
  readonly #counts = new Map<string, number>();

  /** `values`: told from the start, for a rate needs the zero before the first event. */
  constructor(label: string, values: readonly string[] = []) {
    this.#label = label;
    for (const value of values) this.#counts.set(value, 0);
  }

  add(value: string, by = 1): void {
    const known = this.#counts.has(value) || this.#counts.size < MOST_VALUES;
    const key = known ? value : BEYOND;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
  }

  /** `also`: a label that all of them have. */
  samples(also: Readonly<Record<string, string>> = {}): Sample[] {
    return Array.from(this.#counts, ([value, count]) => ({ labels: { ...also, [this.#label]: value }, value: count }));
  }
}

/** The same of counts that somebody else keeps; the largest keep their names. */
export function boundedSamples(label: string, counts: Readonly<Record<string, number>>): Sample[] {
  const bounded = new LabelCounts(label);
  for (const [value, count] of Object.entries(counts).sort((a, b) => b[1] - a[1])) bounded.add(value, count);
  return bounded.samples();
}
