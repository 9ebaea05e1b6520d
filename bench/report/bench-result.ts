import type { Chart } from '../../src/laboratory/plots/chart.ts';
import type { Table } from '../../src/laboratory/plots/text-table.ts';

export type { Bar, Chart, Line } from '../../src/laboratory/plots/chart.ts';
export type { Cell, Table } from '../../src/laboratory/plots/text-table.ts';

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
