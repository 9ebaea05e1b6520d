import { type Html, html } from '../frame/html.ts';
import { formatDuration } from '../frame/written-amount.ts';
import { isoTime } from '../frame/written-date.ts';
import type { TimeBins } from './time-bins.ts';

export interface TimeChart {
  readonly title: string;
  readonly bins: TimeBins;
  /** A value with its unit. */
  readonly format: (value: number) => string;
}

const SIZE = { width: 600, height: 100 };
const DAY_MS = 86_400_000;

/**
 * A chart over time. The picture is stretched to the room there is, so that what is to be read stands around it as text; a column for
 * each step shows its value when it is pointed at, without a script.
 */
export function timeChart({ title, bins, format }: TimeChart): Html {
  const { from, stepMs, values } = bins;
  const known = values.filter((value) => value !== undefined);
  const most = Math.max(0, ...known);
  const top = niceTop(most);
  const to = from + stepMs * values.length;
  const spread = to - from;
  const now = known.at(-1);
  const said = now === undefined ? 'nothing known' : `${format(now)} at the end, ${format(most)} at most`;
  return html`<figure class="chart">
<figcaption><span>${title}</span> <b>${now === undefined ? '–' : format(now)}</b></figcaption>
<div class="plot">
<div class="y" aria-hidden="true"><span>${format(top)}</span><span>${format(top / 2) !== format(top) && format(top / 2)}</span><span>${format(0)}</span></div>
<div class="picture">
<svg viewBox="0 0 ${SIZE.width} ${SIZE.height}" preserveAspectRatio="none" role="img" aria-label="${`${title} over ${formatDuration(spread)}: ${said}`}">
<path class="grid" d="M0 0.5H${SIZE.width}M0 ${SIZE.height / 2}H${SIZE.width}"/>
<path class="area" d="${paths(values, top, true)}"/><path class="stroke" d="${paths(values, top, false)}"/>
</svg>
<div class="steps" aria-hidden="true">${values.map((value, bin) => {
    const at = timeText(from + (bin + 0.5) * stepMs, spread);
    return html`<i>${value !== undefined && html`<span>${at}<b>${format(value)}</b></span>`}</i>`;
  })}</div>
</div>
<div class="x" aria-hidden="true"><span>${timeText(from, spread)}</span><span>${timeText(from + spread / 2, spread)}</span><span>${timeText(to, spread)}</span></div>
</div>
</figure>`;
}

/** Every stretch of known values is a line, or an area, of its own. */
function paths(values: TimeBins['values'], top: number, isArea: boolean): string {
  const { width, height } = SIZE;
  const step = width / values.length;
  const y = (value: number): string => (height - 1 - (value / top) * (height - 2)).toFixed(1);
  let path = '';
  for (let bin = 0; bin < values.length; bin++) {
    const value = values[bin];
    if (value === undefined) continue;
    const isFirst = bin === 0 || values[bin - 1] === undefined;
    const isLast = values[bin + 1] === undefined;
    const [left, right] = [(bin * step).toFixed(1), ((bin + 1) * step).toFixed(1)];
    const middle = ((bin + 0.5) * step).toFixed(1);
    if (isFirst) path += isArea ? `M${left} ${height}V${y(value)}` : `M${left} ${y(value)}`;
    path += `L${middle} ${y(value)}`;
    if (isLast) path += `H${right}${isArea ? `V${height}Z` : ''}`;
  }
  return path;
}

/** 1, 2, 2.5 or 5 times a power of ten. */
export function niceTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 2.5, 5, 10].find((times) => times * power >= most) ?? 10) * power;
}

function timeText(at: number, spread: number): string {
  const iso = isoTime(at);
  if (spread > 4 * DAY_MS) return iso.slice(0, 10);
  if (spread > DAY_MS) return `${iso.slice(5, 10)} ${iso.slice(11, 16)}`;
  return spread > 3_600_000 ? iso.slice(11, 16) : iso.slice(11, 19);
}
