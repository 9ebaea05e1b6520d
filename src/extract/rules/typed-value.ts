import type { FieldType, SingleValue } from '../../contracts/content/extraction-rules.ts';
import { readDate } from '../metadata/written-date.ts';

/** Longer values are cut: a row is not the place for a page. */
export const LONGEST_VALUE = 100_000;

const YES = new Set(['true', 'yes', 'y', '1', 'on', 'instock', 'in stock']);
const NO = new Set(['false', 'no', 'n', '0', 'off', 'outofstock', 'out of stock']);

/** A text as a value of a type; undefined where it is none. `resolve` makes addresses absolute. */
export function typedValue(
  text: string,
  type: FieldType,
  resolve: (reference: string) => string | undefined,
): SingleValue | undefined {
  switch (type) {
    case 'text':
      return text === '' ? undefined : text.slice(0, LONGEST_VALUE);
    case 'number':
      return readNumber(text);
    case 'integer': {
      const number = readNumber(text);
      return number !== undefined && Number.isSafeInteger(number) ? number : undefined;
    }
    case 'date':
      return dateOf(text.trim());
    case 'boolean': {
      const word = text
        .trim()
        .toLowerCase()
        .replace(/^https?:\/\/schema\.org\//, '');
      return YES.has(word) ? true : NO.has(word) ? false : undefined;
    }
    case 'url': {
      const url = text.trim() === '' ? undefined : resolve(text.trim());
      return url === undefined || url.length > LONGEST_VALUE ? undefined : url;
    }
  }
}

/**
 * The first number in a text: 1299, 1,299.00, 1.299,00, 1 299,00, 1'299.-, -12.5e3. The last of two different marks begins the decimals;
 * a mark that comes once is for thousands where exactly three digits follow it and at most three are before it, and it is a comma.
 */
export function readNumber(text: string): number | undefined {
  const found = /[-+\u2212]?(?:\d[\d.,'\u2019\u00a0\u202f ]*)?\.?\d+(?:e[-+]?\d{1,3})?/i.exec(text.slice(0, 1000))?.[0];
  if (found === undefined) return undefined;
  const [mantissa, exponent] = found.replace('\u2212', '-').split(/e/i);
  // A space groups thousands, and nothing else: "3 500" is one number, "3 50" begins with 3.
  const [joined] = /^[-+]?\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?:[.,]\d+)?/.exec(mantissa) ?? [
    mantissa.split(/[\u00a0\u202f ]/)[0],
  ];
  const bare = joined.replace(/[\u00a0\u202f '\u2019]/g, '');
  const number = Number(`${withPoint(bare)}${exponent === undefined ? '' : `e${exponent}`}`);
  return Number.isFinite(number) ? number : undefined;
}

function withPoint(bare: string): string {
  const point = bare.lastIndexOf('.');
  const comma = bare.lastIndexOf(',');
  if (point >= 0 && comma >= 0)
    return point > comma ? bare.replaceAll(',', '') : bare.replaceAll('.', '').replace(',', '.');
  const mark = point >= 0 ? '.' : comma >= 0 ? ',' : undefined;
  if (mark === undefined) return bare;
  const pieces = bare.split(mark);
  if (pieces.length > 2) return pieces.join('');
  const groups = mark === ',' && pieces[1].length === 3 && /^[-+]?\d{1,3}$/.test(pieces[0]);
  return groups ? pieces.join('') : pieces.join('.');
}

/** A day where no time is written, otherwise an instant. */
function dateOf(text: string): string | undefined {
  const date = readDate(text);
  if (date === undefined) return undefined;
  return /\d{1,2}:\d\d|T\d{4}|^\d{9,}$/.test(text) ? new Date(date.time).toISOString() : date.day;
}
