import type { BenchResult } from '../report/bench-result.ts';

export interface Bench {
  /** As written on the command line. */
  readonly name: string;
  readonly title: string;
  /** `quick`: the same on a smaller scale, to see that it works; its figures prove little. */
  run(quick: boolean): Promise<BenchResult>;
}
