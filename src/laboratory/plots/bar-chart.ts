import type { BarChart } from './chart.ts';
import { drawing, MARGIN, rule, text, textWidth, WIDTH } from './drawing.ts';
import type { Picture, Shape } from './picture.ts';
import { plainNumber } from './plain-number.ts';

const ROW_HEIGHT = 32;
const TOP = 70;

export function drawBars({ title, unit, bars, percent = false }: BarChart, caption: string): Picture {
  const named = (value: number): string => (percent ? `${plainNumber(100 * value)} %` : plainNumber(value));
  const labels = Math.min(300, Math.max(...bars.map(({ label }) => textWidth(label, 13))));
  const values = Math.max(...bars.map(({ value }) => textWidth(named(value), 13)));
  const left = MARGIN + labels + 14;
  const room = WIDTH - MARGIN - values - 10 - left;
  const most = Math.max(...bars.map(({ value }) => value)) || 1;
  const rows = bars.flatMap(({ label, value, peer = false }, at): Shape[] => {
    const y = TOP + ROW_HEIGHT * at;
    const width = Math.max(1, (room * value) / most);
    const middle = y + ROW_HEIGHT / 2 + 4.5;
    return [
      text(left - 12, middle, label, { anchor: 'end', size: 13, tone: peer ? 'faint' : 'ink', widest: labels }),
      {
        ...{ kind: 'rectangle', x: left, y: y + 5, width, height: ROW_HEIGHT - 10, radius: 3 },
        tone: peer ? 'peer' : 'ours',
      },
      text(left + width + 8, middle, named(value), { size: 13, bold: !peer }),
    ];
  });
  const end = TOP + ROW_HEIGHT * bars.length;
  return drawing(end + 44, title, unit, caption, [...rows, rule(left, TOP - 2, left, end + 2, 'ink')]);
}
