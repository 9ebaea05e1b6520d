/** One cell of a table: text as it is, numbers rounded for people; undefined where there is nothing to tell. */
export type Cell = string | number | undefined;

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/**
 * What was promised, and what came of it. 'correct' is about the crawl being right: a failure fails the benchmark.
 * 'goal' is about speed: a machine that is busy or small may miss it, so it is shown and fails only with --strict.
 */
export interface Check {
  readonly kind: 'correct' | 'goal';
  readonly what: string;
  readonly found: string;
  readonly passed: boolean;
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Other people's work, drawn apart from ours. */
  readonly peer?: boolean;
}

export interface Line {
  readonly label: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export type Chart =
  | {
      readonly kind: 'bars';
      readonly name: string;
      readonly title: string;
      readonly unit: string;
      readonly bars: readonly Bar[];
    }
  | {
      readonly kind: 'lines';
      readonly name: string;
      readonly title: string;
      readonly x: string;
      readonly y: string;
      readonly lines: readonly Line[];
    };

/** What one benchmark has to tell. */
export interface BenchResult {
  readonly table: Table;
  readonly checks: readonly Check[];
  readonly charts: readonly Chart[];
  /** Lines below the table: how it was measured this time, what was left out and why. */
  readonly notes: readonly string[];
  /** Everything measured, for machines. */
  readonly data: unknown;
}
