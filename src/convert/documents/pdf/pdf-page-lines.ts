import type { PdfFunctions, PdfPointer } from './pdf-functions.ts';
import type { PdfMemory } from './pdf-memory.ts';

/** A line of text on a page. Places are in points, turned so that the text runs to the right. */
export interface PdfLine {
  readonly text: string;
  readonly page: number;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  /** Size of its characters. */
  readonly size: number;
  /** The word at its end goes on in the next line. */
  readonly isHyphenated: boolean;
}

/** What the engine gives for a hyphen at the end of a line. */
const HYPHEN = 0x02;
const CODE_POINTS = 0x110000;

/** The lines of a page in the order they were written, at most `room` characters. */
export function readPageLines(
  functions: PdfFunctions,
  memory: PdfMemory,
  text: PdfPointer,
  page: number,
  room: number,
): PdfLine[] {
  const lines: PdfLine[] = [];
  const count = Math.min(functions._FPDFText_CountChars(text), room);
  let line = '';
  let first = -1;
  let last = -1;
  const end = (): void => {
    if (first !== -1) lines.push(makeLine(functions, memory, text, page, line, first, last));
    line = '';
    first = -1;
  };
  for (let at = 0; at < count; at++) {
    const code = functions._FPDFText_GetUnicode(text, at);
    if (code === 0x0a || code === 0x0d) {
      end();
      continue;
    }
    if (code === 0 || code === 0xfffe || code >= CODE_POINTS) continue;
    line += String.fromCodePoint(code);
    if (code > 0x20 && code !== 0xa0) {
      if (first === -1) first = at;
      last = at;
    }
    // A hyphen at the end of a line takes the place of the line break.
    if (code === HYPHEN) end();
  }
  end();
  return lines;
}

function makeLine(
  functions: PdfFunctions,
  memory: PdfMemory,
  text: PdfPointer,
  page: number,
  line: string,
  first: number,
  last: number,
): PdfLine {
  const quarter = Math.round(functions._FPDFText_GetCharAngle(text, first) / (Math.PI / 2)) & 3;
  functions._FPDFText_GetLooseCharBox(text, first, memory.scratch);
  const start = turnedBox(memory.floats(4), quarter);
  functions._FPDFText_GetLooseCharBox(text, last, memory.scratch);
  const stop = turnedBox(memory.floats(4), quarter);
  // The first character may be a bullet of another font: the one in the middle tells the size.
  const middle = (first + last) >> 1;
  functions._FPDFText_GetMatrix(text, middle, memory.scratch);
  const [, , c, d] = memory.floats(4);
  const size = functions._FPDFText_GetFontSize(text, middle) * Math.hypot(c, d);
  functions._FPDFText_GetCharOrigin(text, first, memory.scratch, memory.scratch + 8);
  const [x, y] = memory.doubles(2);
  const isHyphenated = line.endsWith('\u0002') || line.endsWith('\u00ad');
  return {
    text: line.replace(/[\u0002\u00ad]$/, '').replaceAll('\u0002', '-'),
    page,
    left: start.left,
    right: Math.max(stop.right, start.right),
    baseline: [y, -x, -y, x][quarter],
    size: Number.isFinite(size) ? size : 0,
    isHyphenated,
  };
}

/** The ends of a box on a page that is looked at from another side; `quarter` turns to the left. */
function turnedBox([left, top, right, bottom]: Float32Array, quarter: number): { left: number; right: number } {
  if (quarter === 1) return { left: bottom, right: top };
  if (quarter === 2) return { left: -right, right: -left };
  if (quarter === 3) return { left: -top, right: -bottom };
  return { left, right };
}
