import type { Tone } from './palette.ts';
import type { Picture, Shape, StrokeShape, TextShape } from './picture.ts';

export const WIDTH = 760;
export const MARGIN = 28;
/** Mean width of a character, as a share of the font's size: which font will draw it is not known here. */
const CHARACTER = 0.56;

/** A chart's frame: title and unit above, the caption below. */
export function drawing(
  height: number,
  title: string,
  unit: string,
  caption: string,
  content: readonly Shape[],
): Picture {
  const widest = WIDTH - 2 * MARGIN;
  return {
    title,
    width: WIDTH,
    height,
    shapes: [
      { kind: 'rectangle', x: 0, y: 0, width: WIDTH, height, tone: 'paper' },
      text(MARGIN, 34, title, { size: 17, bold: true, widest }),
      text(MARGIN, 56, unit, { size: 13, tone: 'faint', widest }),
      ...content,
      text(MARGIN, height - 16, caption, { size: 11, tone: 'faint', widest }),
    ],
  };
}

export interface TextStyle {
  readonly size: number;
  readonly anchor?: TextShape['anchor'];
  readonly bold?: boolean;
  readonly tone?: Tone;
  /** Longer text is pressed together. */
  readonly widest?: number;
}

export function text(x: number, y: number, content: string, style: TextStyle): TextShape {
  const { size, anchor = 'start', bold = false, tone = 'ink', widest } = style;
  const pressed = widest !== undefined && textWidth(content, size) > widest ? { width: widest } : {};
  return { kind: 'text', at: [x, y], anchor, content, size, bold, tone, ...pressed };
}

export function rule(x1: number, y1: number, x2: number, y2: number, tone: 'ink' | 'grid'): StrokeShape {
  return {
    kind: 'stroke',
    places: [
      [x1, y1],
      [x2, y2],
    ],
    width: 1,
    tone,
  };
}

export function textWidth(content: string, size: number): number {
  return content.length * size * CHARACTER;
}
