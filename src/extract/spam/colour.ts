/** A colour as 0xRRGGBB. */
export type Colour = number;

/** An image, a gradient, a variable: nobody can say which colour that is. */
export const UNKNOWN_COLOUR = -1;
/** What lies behind shows. */
export const TRANSPARENT = -2;

const NAMED: Readonly<Record<string, Colour>> = {
  white: 0xffffff,
  black: 0x000000,
  red: 0xff0000,
  green: 0x008000,
  blue: 0x0000ff,
  yellow: 0xffff00,
  gray: 0x808080,
  grey: 0x808080,
  silver: 0xc0c0c0,
  navy: 0x000080,
  maroon: 0x800000,
  purple: 0x800080,
  teal: 0x008080,
  lime: 0x00ff00,
  aqua: 0x00ffff,
  orange: 0xffa500,
  snow: 0xfffafa,
  ivory: 0xfffff0,
  azure: 0xf0ffff,
  beige: 0xf5f5dc,
  linen: 0xfaf0e6,
  whitesmoke: 0xf5f5f5,
  ghostwhite: 0xf8f8ff,
  floralwhite: 0xfffaf0,
  mintcream: 0xf5fffa,
  seashell: 0xfff5ee,
  gainsboro: 0xdcdcdc,
  lightgray: 0xd3d3d3,
  lightgrey: 0xd3d3d3,
  pink: 0xffc0cb,
  brown: 0xa52a2a,
  transparent: TRANSPARENT,
};

/** The colour that a word of a style or an attribute names; undefined where it names none. */
export function colourOf(written: string): Colour | undefined {
  if (written.charCodeAt(0) === 0x23) return hexColour(written.slice(1));
  const named = NAMED[written];
  if (named !== undefined) return named;
  if (written.startsWith('rgb')) return channels(written);
  if (written.startsWith('hsl')) return grey(written);
  // Old attributes leave the sign out.
  return written.length === 6 ? hexColour(written) : undefined;
}

/** Less contrast is not seen (1 is none, 21 that of black and white), if the hues are not far apart either. */
const LEAST_CONTRAST = 1.2;
const HUE_DISTANCE = 48;

/** Whether letters of one colour cannot be told from a ground of the other. */
export function areAlike(a: Colour, b: Colour): boolean {
  if (a < 0 || b < 0) return false;
  if (a === b) return true;
  for (let shift = 0; shift <= 16; shift += 8)
    if (Math.abs(((a >> shift) & 0xff) - ((b >> shift) & 0xff)) > HUE_DISTANCE) return false;
  const first = luminance(a) + 0.05;
  const second = luminance(b) + 0.05;
  return (first > second ? first / second : second / first) < LEAST_CONTRAST;
}

/** As people write it. */
export function hexOf(colour: Colour): string {
  return `#${colour.toString(16).padStart(6, '0')}`;
}

function hexColour(digits: string): Colour | undefined {
  if (!/^[\da-f]{3,8}$/.test(digits)) return undefined;
  if (digits.length === 6) return Number.parseInt(digits, 16);
  if (digits.length === 8) return digits.endsWith('00') ? TRANSPARENT : Number.parseInt(digits.slice(0, 6), 16);
  if (digits.length > 4) return undefined;
  if (digits.length === 4 && digits[3] === '0') return TRANSPARENT;
  return Number.parseInt(`${digits[0]}${digits[0]}${digits[1]}${digits[1]}${digits[2]}${digits[2]}`, 16);
}

function channels(written: string): Colour | undefined {
  const parts = written.slice(written.indexOf('(') + 1).split(/[\s,/)]+/);
  if (parts.length < 3) return undefined;
  if (parts.length > 3 && parts[3] !== '' && Number.parseFloat(parts[3]) <= 0.05) return TRANSPARENT;
  let colour = 0;
  for (let at = 0; at < 3; at++) {
    const value = Number.parseFloat(parts[at]) * (parts[at].endsWith('%') ? 2.55 : 1);
    if (Number.isNaN(value)) return undefined;
    colour = (colour << 8) | Math.max(0, Math.min(255, Math.round(value)));
  }
  return colour;
}

/** Of hsl() only what is nearly grey is worked out: white on white is written like that, or not at all. */
function grey(written: string): Colour {
  const parts = written.slice(written.indexOf('(') + 1).split(/[\s,/)]+/);
  const lightness = Number.parseFloat(parts[2] ?? '');
  if (Number.isNaN(lightness)) return UNKNOWN_COLOUR;
  const saturated = Number.parseFloat(parts[1]) > 10 && lightness > 3 && lightness < 97;
  if (saturated) return UNKNOWN_COLOUR;
  const level = Math.round(lightness * 2.55);
  return (level << 16) | (level << 8) | level;
}

function luminance(colour: Colour): number {
  return (
    0.2126 * linear((colour >> 16) & 0xff) + 0.7152 * linear((colour >> 8) & 0xff) + 0.0722 * linear(colour & 0xff)
  );
}

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
