import type { Chart } from './chart.ts';
import { chartPicture } from './chart-picture.ts';
import { svgPicture } from './svg-picture.ts';

/** A chart as an SVG of its own, on white or, where the reader prefers it, on black. `caption`: where the figures are from. */
export function svgChart(chart: Chart, caption: string): string {
  return svgPicture(chartPicture(chart, caption));
}
