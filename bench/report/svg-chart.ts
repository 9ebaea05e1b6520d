import type { Chart } from './bench-result.ts';
import { plainNumber } from './plain-number.ts';

const WIDTH = 760;
const MARGIN = 28;
const INK = '#1f2933';
const FAINT = '#69757f';
const GRID = '#e3e7eb';
const OURS = '#0f7b6c';
const PEER = '#b3bcc5';
const LINE_COLOURS = ['#0f7b6c', '#c2571a', '#3b5bab', '#8d3f87', '#7a6a00'];
const FONT = 'system-ui, -apple-system, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif';
/** Mean width of a character, as a share of the font's size: SVG cannot measure text by itself. */
const CHARACTER = 0.56;

/** A chart as an SVG of its own, readable on white. `caption` tells where it was measured. */
export function svgChart(chart: Chart, caption: string): string {
  return chart.kind === 'bars' ? bars(chart, caption) : lines(chart, caption);
}

function bars(chart: Extract<Chart, { kind: 'bars' }>, caption: string): string {
  const rowHeight = 32;
  const top = 70;
  const labels = Math.min(300, Math.max(...chart.bars.map(({ label }) => textWidth(label, 13))));
  const values = Math.max(...chart.bars.map(({ value }) => textWidth(plainNumber(value), 13)));
  const left = MARGIN + labels + 14;
  const room = WIDTH - MARGIN - values - 10 - left;
  const most = Math.max(...chart.bars.map(({ value }) => value)) || 1;
  const height = top + rowHeight * chart.bars.length + 44;
  const rows = chart.bars.flatMap(({ label, value, peer }, at) => {
    const y = top + rowHeight * at;
    const width = Math.max(1, (room * value) / most);
    const middle = y + rowHeight / 2 + 4.5;
    return [
      text(left - 12, middle, label, { anchor: 'end', size: 13, colour: peer ? FAINT : INK }),
      `<rect x="${left}" y="${y + 5}" width="${round(width)}" height="${rowHeight - 10}" rx="3" fill="${peer ? PEER : OURS}"/>`,
      text(left + width + 8, middle, plainNumber(value), { size: 13, weight: peer ? 400 : 600 }),
    ];
  });
  const axis = `<line x1="${left}" y1="${top - 2}" x2="${left}" y2="${top + rowHeight * chart.bars.length + 2}" stroke="${INK}" stroke-width="1"/>`;
  return page(height, chart.title, chart.unit, caption, [...rows, axis]);
}

function lines(chart: Extract<Chart, { kind: 'lines' }>, caption: string): string {
  const height = 420;
  const top = 78;
  const bottom = height - 84;
  const points = chart.lines.flatMap((line) => line.points);
  const xMost = Math.max(...points.map(([x]) => x)) || 1;
  const xTicks = ticks(xMost).filter((x) => x <= xMost);
  const yTicks = ticks(Math.max(...points.map(([, y]) => y)));
  const left = MARGIN + textWidth(plainNumber(yTicks[yTicks.length - 1]), 12) + 10;
  const right = WIDTH - MARGIN - 10;
  const atX = (x: number): number => left + ((right - left) * x) / xMost;
  const atY = (y: number): number => bottom - ((bottom - top) * y) / yTicks[yTicks.length - 1];
  const grid = yTicks.flatMap((y) => [
    `<line x1="${left}" y1="${round(atY(y))}" x2="${right}" y2="${round(atY(y))}" stroke="${y === 0 ? INK : GRID}" stroke-width="1"/>`,
    text(left - 8, atY(y) + 4, plainNumber(y), { anchor: 'end', size: 12, colour: FAINT }),
  ]);
  const scale = xTicks.map((x) =>
    text(atX(x), bottom + 20, plainNumber(x), { anchor: 'middle', size: 12, colour: FAINT }),
  );
  const strokes = chart.lines.map(({ points: own }, at) => {
    const path = own.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${round(atX(x))} ${round(atY(y))}`).join('');
    return `<path d="${path}" fill="none" stroke="${colour(at)}" stroke-width="2.25" stroke-linejoin="round" stroke-linecap="round"/>`;
  });
  const xName = text((left + right) / 2, bottom + 42, chart.x, { anchor: 'middle', size: 12, colour: FAINT });
  return page(height, chart.title, chart.y, caption, [
    ...grid,
    ...scale,
    ...strokes,
    xName,
    ...legend(chart.lines, top),
  ]);
}

/** Above the plot, to the right, in the line of the unit. One line needs no legend. */
function legend(all: readonly { readonly label: string }[], top: number): string[] {
  if (all.length < 2) return [];
  const widths = all.map(({ label }) => 26 + textWidth(label, 12) + 18);
  let x = WIDTH - MARGIN - widths.reduce((sum, width) => sum + width, 0) + 18;
  return all.flatMap(({ label }, at) => {
    const from = x;
    x += widths[at];
    return [
      `<line x1="${round(from)}" y1="${top - 24}" x2="${round(from + 18)}" y2="${top - 24}" stroke="${colour(at)}" stroke-width="3" stroke-linecap="round"/>`,
      text(from + 25, top - 20, label, { size: 12 }),
    ];
  });
}

function page(height: number, title: string, unit: string, caption: string, content: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}" font-family='${FONT}'>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(MARGIN, 34, title, { size: 17, weight: 600 }),
    text(MARGIN, 56, unit, { size: 13, colour: FAINT }),
    ...content,
    text(MARGIN, height - 16, caption, { size: 11, colour: FAINT, widest: WIDTH - 2 * MARGIN }),
    '</svg>\n',
  ].join('\n');
}

interface TextStyle {
  readonly size: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly weight?: number;
  readonly colour?: string;
  /** Longer text is pressed together. */
  readonly widest?: number;
}

function text(x: number, y: number, content: string, style: TextStyle): string {
  const { size, anchor = 'start', weight = 400, colour: fill = INK, widest } = style;
  const pressed =
    widest !== undefined && textWidth(content, size) > widest
      ? ` textLength="${widest}" lengthAdjust="spacingAndGlyphs"`
      : '';
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}" fill="${fill}"${pressed}>${escaped(content)}</text>`;
}

/** From 0 in steps of 1, 2 or 5 times a power of ten, four to seven of them, the last not below `most`. */
function ticks(most: number): number[] {
  const top = most > 0 ? most : 1;
  const power = 10 ** Math.floor(Math.log10(top / 5));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= top / 5) ?? 10 * power;
  return Array.from({ length: Math.ceil(top / step - 1e-9) + 1 }, (_, at) => at * step);
}

function colour(at: number): string {
  return LINE_COLOURS[at % LINE_COLOURS.length];
}

function textWidth(content: string, size: number): number {
  return content.length * size * CHARACTER;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(content: string): string {
  return content.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
