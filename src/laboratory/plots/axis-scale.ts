import type { AxisOptions } from './chart.ts';
import { plainNumber } from './plain-number.ts';

/** Values of one axis, and where they stand on it. */
export interface AxisScale {
  readonly ticks: readonly number[];
  /** 0 at the beginning of the axis, 1 at its end. */
  place(value: number): number;
  name(tick: number): string;
}

/** `open`: the axis ends at the last value rather than at the tick after it. */
export function axisScale(values: readonly number[], options: AxisOptions = {}, open = false): AxisScale {
  return options.log === true ? logScale(values, options) : linearScale(values, options, open);
}

function linearScale(values: readonly number[], { from = 0, percent = false }: AxisOptions, open: boolean): AxisScale {
  let most = Math.max(...values);
  let least = from === 'data' ? Math.min(...values) : from;
  // Values that differ by less than can be written beside the axis count as one.
  if (!(most - least > 1e-6 * Math.abs(most))) {
    if (from === 'data' && least > 0) least *= 0.9;
    else most = least + (Math.abs(least) || 1);
  }
  const step = stepOf(most - least);
  const first = Math.floor(least / step + 1e-9) * step;
  const count = Math.ceil((most - first) / step - 1e-9) + 1;
  const all = Array.from({ length: count }, (_, at) => withoutDust(first + at * step));
  const ticks = open ? all.filter((tick) => tick <= most * (1 + 1e-9)) : all;
  const end = open ? most : all[all.length - 1];
  return {
    ticks,
    place: (value) => (value - first) / (end - first),
    name: (tick) => named(tick, percent),
  };
}

/** From the power of ten, or its half decade, below the lowest value to the one above the highest. */
function logScale(values: readonly number[], { percent = false }: AxisOptions): AxisScale {
  const positive = values.filter((value) => value > 0);
  const least = positive.length === 0 ? 0.1 : Math.min(...positive);
  const most = positive.length === 0 ? 1 : Math.max(...positive);
  const decades = Math.log10(most / least);
  const factors = decades <= 1.5 ? [1, 2, 5] : decades <= 3 ? [1, 3] : [1];
  const all: number[] = [];
  for (let power = Math.floor(Math.log10(least)) - 1; power <= Math.log10(most) + 1; power++) {
    for (const factor of factors) all.push(withoutDust(factor * 10 ** power));
  }
  const first = all.findLastIndex((tick) => tick <= least * 1.000001);
  const last = all.findIndex((tick) => tick >= most * 0.999999);
  const ticks = all.slice(first, Math.max(last, first + 1) + 1);
  const start = Math.log10(ticks[0]);
  const span = Math.log10(ticks[ticks.length - 1]) - start;
  return {
    ticks,
    place: (value) => (value > 0 ? (Math.log10(value) - start) / span : 0),
    name: (tick) => named(tick, percent),
  };
}

/** 1, 2 or 5 times a power of ten: four to seven steps. */
function stepOf(span: number): number {
  const power = 10 ** Math.floor(Math.log10(span / 5));
  return [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= span / 5 - 1e-12 * span) ?? 10 * power;
}

function named(value: number, percent: boolean): string {
  return percent ? `${compact(100 * value)} %` : compact(value);
}

/** Ticks are round numbers: no zeros behind the point, however small they are. */
function compact(value: number): string {
  return Math.abs(value) >= 1000 ? plainNumber(value) : `${withoutDust(value)}`;
}

function withoutDust(value: number): number {
  return Number(value.toPrecision(10));
}
