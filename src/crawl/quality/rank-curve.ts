const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A crawl that took less is shown by the hour, and a shorter one by tenths of its pages. */
const LEAST_FOR_DAYS_MS = 3 * DAY_MS;
const LEAST_FOR_HOURS_MS = 6 * HOUR_MS;
const TENTHS = 10;

/** By days and hours of UTC, or by tenths of the pages in the order in which they were fetched. */
export type RankStep = 'day' | 'hour' | 'tenth';

export interface RankBin {
  /** Of a day or an hour its bounds; of a tenth the times of its first and last page. */
  readonly from: number;
  readonly to: number;
  readonly pages: number;
  /** The average of its pages; 1 is that of all pages. */
  readonly pageRank: number;
}

export interface RankCurve {
  readonly by: RankStep;
  /** In the order of time; those without a page are left out. */
  readonly bins: readonly RankBin[];
}

/** PageRank over the course of a crawl. `times[i]`: when the page was first fetched; `ranks[i]`: its PageRank. Empty without pages. */
export function rankCurve(times: Float64Array, ranks: Float64Array, by?: RankStep): RankCurve {
  const order = new Uint32Array(times.length);
  let mean = 0;
  for (let page = 0; page < order.length; page++) {
    order[page] = page;
    mean += ranks[page] / order.length;
  }
  order.sort((one, other) => times[one] - times[other]);
  const first = times[order[0]];
  const step = by ?? stepFor(times[order[order.length - 1]] - first);
  const bins: RankBin[] = [];
  for (let start = 0; start < order.length; ) {
    const { from, to, end } = nextBin(step, times, order, start, bins.length);
    let sum = 0;
    for (let at = start; at < end; at++) sum += ranks[order[at]];
    bins.push({ from, to, pages: end - start, pageRank: sum / (end - start) / mean });
    start = end;
  }
  return { by: step, bins };
}

function stepFor(spanMs: number): RankStep {
  if (spanMs >= LEAST_FOR_DAYS_MS) return 'day';
  return spanMs >= LEAST_FOR_HOURS_MS ? 'hour' : 'tenth';
}

function nextBin(
  step: RankStep,
  times: Float64Array,
  order: Uint32Array,
  start: number,
  number: number,
): Pick<RankBin, 'from' | 'to'> & { readonly end: number } {
  if (step === 'tenth') {
    const bins = Math.min(TENTHS, order.length);
    const end = Math.round(((number + 1) * order.length) / bins);
    return { from: times[order[start]], to: times[order[end - 1]], end };
  }
  const ms = step === 'day' ? DAY_MS : HOUR_MS;
  const from = Math.floor(times[order[start]] / ms) * ms;
  let end = start + 1;
  while (end < order.length && times[order[end]] < from + ms) end++;
  return { from, to: from + ms, end };
}
