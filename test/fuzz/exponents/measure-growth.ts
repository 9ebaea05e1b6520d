import type { GrowthCase } from './growth-case.ts';

export interface Growth {
  readonly parser: string;
  readonly grows: string;
  /** CPU milliseconds at n, 2n, 4n and 8n. */
  readonly ms: readonly number[];
  /** Slope of time over size, both as logarithms: 1 is linear, 2 quadratic. */
  readonly exponent: number;
}

const FACTORS = [1, 2, 4, 8];
const SAMPLES = 3;
/** The clock of a thread moves in steps of 4 ms on common kernels: shorter spans are mostly its rounding. */
const LEAST_MS = 48;
/** One sample will do. */
const SLOW_MS = 500;
/** A case that takes this long is not measured at larger sizes. */
const HOPELESS_MS = 5_000;

/** Measures CPU time of this thread: other work on the machine does not count. */
export function measureGrowth({ parser, grows, from, make }: GrowthCase): Growth {
  const ms: number[] = [];
  const warm = make(from);
  for (let spent = 0, runs = 0; spent < 20 && runs < 50; runs++) spent += cpuOf(warm, 1);
  for (const factor of FACTORS) {
    const work = make(from * factor);
    // Doubled until it takes long enough to be told from nothing; the last of these counts as a sample.
    let runs = 1;
    let spent = cpuOf(work, runs);
    while (spent < LEAST_MS) {
      runs *= 2;
      spent = cpuOf(work, runs);
    }
    const samples = [spent / runs];
    while (samples.length < (spent > SLOW_MS ? 1 : SAMPLES)) samples.push(cpuOf(work, runs) / runs);
    ms.push(median(samples));
    if (spent > HOPELESS_MS) break;
  }
  return { parser, grows, ms, exponent: slope(ms) };
}

function cpuOf(work: () => unknown, runs: number): number {
  const before = process.threadCpuUsage();
  for (let run = 0; run < runs; run++) work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** Least squares over the logarithms. */
function slope(ms: readonly number[]): number {
  const points = ms.map((value, at) => [Math.log2(FACTORS[at]), Math.log2(Math.max(value, 1e-4))] as const);
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const under = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return under === 0 ? 0 : over / under;
}
