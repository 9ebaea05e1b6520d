import type { Chart } from './chart.ts';
import { chartPicture } from './chart-picture.ts';
import { pngPicture } from './png/png-picture.ts';

/** Sharp on the screens of today, and readable when printed. */
const SCALE = 2;

/** A chart as the bytes of a PNG file, on white. `caption`: where the figures are from. */
export function pngChart(chart: Chart, caption: string): Buffer {
  return pngPicture(chartPicture(chart, caption), SCALE);
}
