import { addToSum, KnownNames } from '../known-names.ts';
import { type Colour, colourOf, TRANSPARENT, UNKNOWN_COLOUR } from './colour.ts';

/** What a rule or a style attribute says of how its element is seen; absent where it says nothing of that. */
export interface Looks {
  shown?: boolean;
  visible?: boolean;
  opacity?: number;
  colour?: Colour;
  background?: Colour;
  /** Pixels; `fontScale` where it is told as a share of the parent's. */
  fontPixels?: number;
  fontScale?: number;
  indent?: number;
  positioned?: boolean;
  /** The farthest that it is moved out to the left or top, in pixels, below 0. */
  moved?: number;
  shifted?: number;
  clipped?: boolean;
  overflowHidden?: boolean;
  /** The smaller of width and height, in pixels. */
  extent?: number;
  /** Letters cut out of the background: transparent text that is seen. */
  letteredBackground?: boolean;
}

/** Smaller letters cannot be read. */
export const READABLE_PIXELS = 4;
export const OUT_OF_WINDOW = -400;

/** Whether such looks take an element out of sight, whatever stands around it. */
export function hidesByItself(looks: Looks): boolean {
  return (
    looks.shown === false ||
    looks.visible === false ||
    looks.clipped === true ||
    (looks.opacity ?? 1) <= 0.05 ||
    (looks.indent ?? 0) <= OUT_OF_WINDOW ||
    (looks.moved ?? 0) <= OUT_OF_WINDOW ||
    (looks.shifted ?? 0) <= 2 * OUT_OF_WINDOW ||
    (looks.fontPixels ?? 16) < READABLE_PIXELS ||
    (looks.fontScale ?? 1) < 0.25 ||
    (looks.overflowHidden === true && (looks.extent ?? 16) <= 2)
  );
}

const PROPERTIES = [
  'display',
  'visibility',
  'opacity',
  'color',
  'background',
  'background-color',
  'background-image',
  'font-size',
  'font',
  'text-indent',
  'position',
  'left',
  'top',
  'right',
  'bottom',
  'margin-left',
  'margin-top',
  'transform',
  'clip',
  'clip-path',
  'overflow',
  'width',
  'height',
  'max-height',
  'max-width',
  'background-clip',
  '-webkit-background-clip',
  'margin',
] as const;

const properties = new KnownNames(PROPERTIES);

/** Reads declarations from `start` to `end`; undefined where none of them concerns what is seen. */
export function readLooks(css: string, start: number, end: number): Looks | undefined {
  let looks: Looks | undefined;
  let at = start;
  while (at < end) {
    let code = css.charCodeAt(at);
    if (code <= 0x20 || code === SEMICOLON) {
      at++;
      continue;
    }
    let sum = 0;
    const nameStart = at;
    let nameEnd = at;
    for (; at < end; code = css.charCodeAt(++at)) {
      if (code === COLON || code === SEMICOLON) break;
      if (code <= 0x20) continue;
      sum = addToSum(sum, code);
      nameEnd = at + 1;
    }
    const valueStart = at + 1;
    if (code === COLON) at = valueEnd(css, valueStart, end);
    if (code !== COLON || at <= valueStart) continue;
    const number = properties.find(css, nameStart, nameEnd, sum);
    if (number === 0) continue;
    looks ??= {};
    note(looks, PROPERTIES[number - 1], css.slice(valueStart, at));
  }
  return looks;
}

/** The semicolon that ends a value; those in brackets and strings are part of it. */
function valueEnd(css: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const code = css.charCodeAt(at);
    if (code === SEMICOLON) return at;
    if (code !== BRACKET && code !== QUOTE && code !== APOSTROPHE) continue;
    const closing = css.indexOf(code === BRACKET ? ')' : code === QUOTE ? '"' : "'", at + 1);
    if (closing === -1 || closing >= end) return end;
    at = closing;
  }
  return end;
}

function note(looks: Looks, property: (typeof PROPERTIES)[number], written: string): void {
  const value = plain(written);
  switch (property) {
    case 'display':
      looks.shown = value !== 'none';
      break;
    case 'visibility':
      looks.visible = value !== 'hidden' && value !== 'collapse';
      break;
    case 'opacity':
      looks.opacity = value.endsWith('%') ? Number.parseFloat(value) / 100 : Number.parseFloat(value);
      break;
    case 'color':
      looks.colour = colourOf(value) ?? UNKNOWN_COLOUR;
      break;
    case 'background':
    case 'background-color':
    case 'background-image':
      noteBackground(looks, property, value);
      break;
    case 'font-size':
      noteFont(looks, value);
      break;
    case 'font':
      noteFont(looks, /(?:^|\s)([\d.]+(?:px|pt|em|rem|%))/.exec(value)?.[1] ?? '');
      break;
    case 'text-indent':
      looks.indent = pixels(value);
      break;
    case 'position':
      looks.positioned = value !== 'static' && value !== 'sticky';
      break;
    case 'left':
    case 'top':
    case 'right':
    case 'bottom':
      looks.moved = farthest(looks.moved, pixels(value));
      break;
    case 'margin':
      for (const part of value.split(' ')) looks.shifted = farthest(looks.shifted, pixels(part));
      break;
    case 'margin-left':
    case 'margin-top':
      looks.shifted = farthest(looks.shifted, pixels(value));
      break;
    case 'transform':
      noteTransform(looks, value);
      break;
    case 'clip':
      looks.clipped = /^rect\((?:[01](?:px)?[\s,]+){3}[01](?:px)?[\s,]*\)/.test(value);
      break;
    case 'clip-path':
      looks.clipped = /^(?:inset\((?:[5-9]\d|100)%|circle\(0|polygon\(0[\s,]+0[\s,]+0[\s,]+0[\s,]+0|rect\(0)/.test(
        value,
      );
      break;
    case 'overflow':
      looks.overflowHidden = value.includes('hidden') || value === 'clip';
      break;
    case 'width':
    case 'height':
    case 'max-height':
    case 'max-width': {
      const extent = pixels(value);
      if (extent !== undefined && (looks.extent === undefined || extent < looks.extent)) looks.extent = extent;
      break;
    }
    case 'background-clip':
    case '-webkit-background-clip':
      looks.letteredBackground = value.includes('text');
  }
}

function noteBackground(looks: Looks, property: string, value: string): void {
  if (/url\(|gradient|var\(|image/.test(value)) {
    looks.background = UNKNOWN_COLOUR;
    return;
  }
  if (property === 'background-image' || looks.background === UNKNOWN_COLOUR) return;
  if (value === 'none') {
    looks.background = TRANSPARENT;
    return;
  }
  const whole = colourOf(value.replace(/\s*([,()/])\s*/g, '$1'));
  looks.background =
    whole ?? value.split(' ').reduce<Colour | undefined>((found, part) => found ?? colourOf(part), undefined);
  looks.background ??= UNKNOWN_COLOUR;
}

function noteFont(looks: Looks, value: string): void {
  const size = Number.parseFloat(value);
  if (Number.isNaN(size)) return;
  if (size === 0) looks.fontPixels = 0;
  else if (value.endsWith('%')) looks.fontScale = size / 100;
  else if (value.endsWith('rem')) looks.fontPixels = size * 16;
  else if (value.endsWith('em')) looks.fontScale = size;
  else if (value.endsWith('pt')) looks.fontPixels = size * 1.33;
  else if (value.endsWith('px')) looks.fontPixels = size;
}

function noteTransform(looks: Looks, value: string): void {
  if (/scale(?:[xy3]d?)?\(\s*0?\.?0*[01]?\s*[,)]/.test(value) && !/scale[^(]*\(\s*1/.test(value)) looks.extent = 0;
  if (looks.extent === 0) looks.overflowHidden = true;
  const moved = /translate(?:x|y|3d)?\(([^)]*)\)/.exec(value)?.[1];
  if (moved === undefined) return;
  for (const part of moved.split(',')) looks.shifted = farthest(looks.shifted, pixels(part.trim()));
}

/** Lengths in pixels, roughly: a screen is 1000 of them. */
function pixels(value: string): number | undefined {
  const size = Number.parseFloat(value);
  if (Number.isNaN(size)) return undefined;
  if (value.endsWith('em')) return size * 16;
  if (value.endsWith('%') || value.endsWith('vw') || value.endsWith('vh')) return size * 10;
  if (value.endsWith('pt')) return size * 1.33;
  return value.endsWith('cm') ? size * 38 : value.endsWith('in') ? size * 96 : size;
}

function farthest(before: number | undefined, now: number | undefined): number | undefined {
  return now === undefined || (before !== undefined && before < now) ? before : now;
}

/** Lower case, without `!important`, comments and needless blanks. */
function plain(written: string): string {
  let value = written.trim();
  if (/[A-Z]/.test(value)) value = value.toLowerCase();
  if (value.includes('/*')) value = value.replace(/\/\*.*?\*\//gs, '').trim();
  const important = value.indexOf('!');
  return important === -1 ? value : value.slice(0, important).trimEnd();
}

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BRACKET = 0x28;
const COLON = 0x3a;
const SEMICOLON = 0x3b;
