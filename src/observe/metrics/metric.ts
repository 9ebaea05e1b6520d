export type MetricType = 'counter' | 'gauge' | 'histogram';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

/** Counts of a histogram: `counts[i]` observations were at most `bounds[i]` and above the bound before; the last has no bound. */
export interface HistogramState {
  readonly bounds: readonly number[];
  readonly counts: ArrayLike<number>;
  readonly sum: number;
}

/** All that is told of one metric at one moment. */
export type MetricFamily = { readonly name: string } & (
  | { readonly samples: readonly Sample[] }
  | { readonly histogram: HistogramState }
);

/** Where figures come from; asked at every scrape. */
export interface MetricSource {
  families(): readonly MetricFamily[] | Promise<readonly MetricFamily[]>;
}
