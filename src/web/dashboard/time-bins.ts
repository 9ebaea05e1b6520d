import type { CrawlSample } from '../../contracts/state/monitor.ts';

/** Sums of which the growth is shown, and amounts that are shown as they are. */
type SumName = 'pages' | 'requests' | 'bytes' | 'failed';
type AmountName = 'queued' | 'memory' | 'inFlight';

/** Equal steps of time with a value each; undefined where no crawl was running. */
export interface TimeBins {
  readonly from: number;
  readonly stepMs: number;
  readonly values: readonly (number | undefined)[];
}

/** How fast a sum has grown in each step, per second. */
export function rateBins(
  samples: readonly CrawlSample[],
  name: SumName,
  from: number,
  to: number,
  bins: number,
): TimeBins {
  const stepMs = Math.max(1, (to - from) / bins);
  const grown = new Float64Array(bins);
  const covered = new Float64Array(bins);
  eachStep(samples, from, stepMs, bins, (before, after, bin, ms) => {
    // What was counted twice by a run that was killed is taken back at its restart.
    grown[bin] += (Math.max(0, after[name] - before[name]) * ms) / (after.at - before.at);
    covered[bin] += ms;
  });
  return {
    from,
    stepMs,
    values: Array.from(grown, (sum, bin) => (covered[bin] > 0 ? (sum * 1000) / covered[bin] : undefined)),
  };
}

/** An amount at the end of each step. */
export function amountBins(
  samples: readonly CrawlSample[],
  name: AmountName,
  from: number,
  to: number,
  bins: number,
): TimeBins {
  const stepMs = Math.max(1, (to - from) / bins);
  const values: (number | undefined)[] = Array.from({ length: bins });
  eachStep(samples, from, stepMs, bins, (_, after, bin) => {
    values[bin] = after[name];
  });
  return { from, stepMs, values };
}

/** Calls for each two samples of a run that follow one another, and each step that lies between them, at least in part. */
function eachStep(
  samples: readonly CrawlSample[],
  from: number,
  stepMs: number,
  bins: number,
  take: (before: CrawlSample, after: CrawlSample, bin: number, ms: number) => void,
): void {
  for (let place = 1; place < samples.length; place++) {
    const [before, after] = [samples[place - 1], samples[place]];
    if (before.run !== after.run || after.at <= before.at || after.at <= from) continue;
    const first = Math.max(0, Math.floor((before.at - from) / stepMs));
    const last = Math.min(bins - 1, Math.ceil((after.at - from) / stepMs) - 1);
    for (let bin = first; bin <= last; bin++) {
      const start = Math.max(before.at, from + bin * stepMs);
      const end = Math.min(after.at, from + (bin + 1) * stepMs);
      if (end > start) take(before, after, bin, end - start);
    }
  }
}
