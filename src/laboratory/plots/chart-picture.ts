import { drawBars } from './bar-chart.ts';
import type { Chart } from './chart.ts';
import { drawLines } from './line-chart.ts';
import type { Picture } from './picture.ts';

/** What a chart looks like, for whatever draws it. `caption`: where the figures are from. */
export function chartPicture(chart: Chart, caption: string): Picture {
  return chart.kind === 'bars' ? drawBars(chart, caption) : drawLines(chart, caption);
}
