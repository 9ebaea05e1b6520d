import { colourOf, type Tone } from '../palette.ts';
import type { Picture, Place, Shape, TextShape } from '../picture.ts';
import { Canvas } from './canvas.ts';
import { dashedLine } from './dashed-line.ts';
import { pngFile } from './png-file.ts';
import { textLines, UNITS } from './stroke-font.ts';

/** Widths of the lines of letters, and of dots, as shares of the font's size. */
const PEN = 0.08;
const BOLD_PEN = 0.115;
const DOT = 1.3;

/** A picture as the bytes of a PNG file, on white. `scale`: pixels for each pixel of a page. */
export function pngPicture({ width, height, shapes }: Picture, scale: number): Buffer {
  const canvas = new Canvas(Math.round(width * scale), Math.round(height * scale));
  const scaled = ([x, y]: Place): Place => [x * scale, y * scale];
  for (const shape of shapes) {
    cover(canvas, shape, scale, scaled);
    canvas.paint(partsOf(shape.tone));
  }
  return pngFile(canvas.width, canvas.height, canvas.pixels, scale);
}

function cover(canvas: Canvas, shape: Shape, scale: number, scaled: (place: Place) => Place): void {
  if (shape.kind === 'rectangle') {
    const { x, y, width, height, radius = 0 } = shape;
    canvas.coverBox(x * scale, y * scale, width * scale, height * scale, radius * scale);
  } else if (shape.kind === 'stroke') {
    const { places, dashes, width } = shape;
    for (const part of dashes === undefined ? [places] : dashedLine(places, dashes)) {
      coverLines(canvas, part.map(scaled), width * scale);
    }
  } else if (shape.kind === 'area') canvas.coverArea(shape.corners.map(scaled));
  else if (shape.kind === 'circle') canvas.coverCircle(scaled(shape.at), shape.radius * scale);
  else coverText(canvas, shape, scale);
}

function coverLines(canvas: Canvas, places: readonly Place[], width: number): void {
  if (places.length === 1) canvas.coverCircle(places[0], width / 2);
  for (let at = 1; at < places.length; at++) canvas.coverLine(places[at - 1], places[at], width);
}

function coverText(canvas: Canvas, { at, anchor, content, size, bold, width }: TextShape, scale: number): void {
  const { lines, width: natural } = textLines(content);
  const up = (size * scale) / UNITS;
  const across = width === undefined || natural === 0 ? up : (width * scale) / natural;
  const before = { start: 0, middle: 0.5, end: 1 }[anchor] * natural * across;
  const pen = size * scale * (bold ? BOLD_PEN : PEN);
  // The lower edge of its lines stands on the base line, not their middle.
  const placed = ([x, y]: Place): Place => [at[0] * scale - before + x * across, at[1] * scale - pen / 2 - y * up];
  for (const line of lines) coverLines(canvas, line.map(placed), line.length === 1 ? pen * DOT : pen);
}

function partsOf(tone: Tone): [number, number, number] {
  const colour = Number.parseInt(colourOf(tone, 'light').slice(1), 16);
  return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
}
