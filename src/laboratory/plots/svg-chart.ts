import { drawBars } from './bar-chart.ts';
import type { Chart } from './chart.ts';
import { drawLines } from './line-chart.ts';
import { svgPicture } from './svg-picture.ts';

/** A chart as an SVG of its own, on white or, where the reader prefers it, on black. `caption`: where the figures are from. */
export function svgChart(chart: Chart, caption: string): string {
  return svgPicture(chart.kind === 'bars' ? drawBars(chart, caption) : drawLines(chart, caption));
}
