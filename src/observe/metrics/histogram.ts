import type { HistogramState } from './metric.ts';

/** Counts observations by size. */
export class Histogram implements HistogramState {
  readonly bounds: readonly number[];
  readonly counts: Float64Array;
  sum = 0;

  /** `bounds`: upper ends of the buckets, ascending; one more takes all that is larger. */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let at = 0;
    while (at < this.bounds.length && value > this.bounds[at]) at++;
    this.counts[at]++;
    this.sum += value;
  }
}
