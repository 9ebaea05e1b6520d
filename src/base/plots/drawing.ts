export const WIDTH = 760;
export const MARGIN = 28;
const FONT = 'system-ui, -apple-system, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif';
/** Mean width of a character, as a share of the font's size: SVG cannot measure text by itself. */
const CHARACTER = 0.56;

/** Told apart by people who do not see all colours, on white and on black; markers and dashes tell them apart once more. */
const LINE_COLOURS = [
  { light: '#0072b2', dark: '#56b4e9' },
  { light: '#d55e00', dark: '#ff9147' },
  { light: '#00856a', dark: '#3ecfa6' },
  { light: '#b14a86', dark: '#ec9cc9' },
  { light: '#a67500', dark: '#f0bd45' },
  { light: '#4b3f9e', dark: '#a99cf5' },
  { light: '#5f6a73', dark: '#b8c2cb' },
  { light: '#8c2d19', dark: '#f0876f' },
] as const;
export const LINE_STYLES = LINE_COLOURS.length;

/** Plain rules rather than variables, so that programs that know little of style sheets draw them too. */
const STYLE = [
  sheet('light', {
    paper: '#ffffff',
    ink: '#1f2933',
    faint: '#5b6670',
    grid: '#e3e7eb',
    ours: '#0f7b6c',
    peer: '#b3bcc5',
  }),
  `@media (prefers-color-scheme:dark){${sheet('dark', { paper: '#14191e', ink: '#e8ecef', faint: '#9aa5af', grid: '#2c343c', ours: '#2fb8a3', peer: '#56616c' })}}`,
].join('\n');

function sheet(
  tone: 'light' | 'dark',
  colours: Readonly<Record<'paper' | 'ink' | 'faint' | 'grid' | 'ours' | 'peer', string>>,
): string {
  const { paper, ink, faint, grid, ours, peer } = colours;
  return [
    `.paper{fill:${paper}}.ink{fill:${ink}}.faint{fill:${faint}}.ours{fill:${ours}}.peer{fill:${peer}}`,
    `.axis{stroke:${ink}}.grid{stroke:${grid}}`,
    ...LINE_COLOURS.map((colour, at) => `.l${at}{stroke:${colour[tone]}}.m${at}{fill:${colour[tone]}}`),
  ].join('');
}

/** A chart's frame: title and unit above, the caption below. */
export function drawing(
  height: number,
  title: string,
  unit: string,
  caption: string,
  content: readonly string[],
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}" font-family='${FONT}'>`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    text(MARGIN, 34, title, { size: 17, weight: 600, widest: WIDTH - 2 * MARGIN }),
    text(MARGIN, 56, unit, { size: 13, tone: 'faint', widest: WIDTH - 2 * MARGIN }),
    ...content,
    text(MARGIN, height - 16, caption, { size: 11, tone: 'faint', widest: WIDTH - 2 * MARGIN }),
    '</svg>\n',
  ].join('\n');
}

export interface TextStyle {
  readonly size: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly weight?: number;
  readonly tone?: 'ink' | 'faint';
  /** Longer text is pressed together. */
  readonly widest?: number;
}

export function text(x: number, y: number, content: string, style: TextStyle): string {
  const { size, anchor = 'start', weight = 400, tone = 'ink', widest } = style;
  const pressed =
    widest !== undefined && textWidth(content, size) > widest
      ? ` textLength="${round(widest)}" lengthAdjust="spacingAndGlyphs"`
      : '';
  return `<text class="${tone}" x="${round(x)}" y="${round(y)}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}"${pressed}>${escaped(content)}</text>`;
}

export function rule(x1: number, y1: number, x2: number, y2: number, tone: 'axis' | 'grid'): string {
  return `<line class="${tone}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke-width="1"/>`;
}

export function textWidth(content: string, size: number): number {
  return content.length * size * CHARACTER;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function escaped(content: string): string {
  return content.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
