const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
/** Greater numbers than lists have are written as digits. */
const MAX_ROMAN = 4_999;
const MAX_LETTERS = 780;

/** A list number in one of Word's number formats. */
export function numberText(value: number, format: number): string {
  switch (format) {
    case 1:
      return roman(value).toUpperCase();
    case 2:
      return roman(value);
    case 3:
      return letters(value).toUpperCase();
    case 4:
      return letters(value);
    case 5:
      return value + ordinalEnding(value);
    case 22:
      return String(value).padStart(2, '0');
    case 23:
    case 255:
      return '';
    default:
      return String(value);
  }
}

function roman(value: number): string {
  if (value < 1 || value > MAX_ROMAN) return String(value);
  let rest = value;
  let text = '';
  for (const [worth, letters] of ROMAN) {
    while (rest >= worth) {
      text += letters;
      rest -= worth;
    }
  }
  return text;
}

/** a to z, then aa, bb, cc. */
function letters(value: number): string {
  if (value < 1 || value > MAX_LETTERS) return String(value);
  return String.fromCharCode(0x61 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}

function ordinalEnding(value: number): string {
  const tens = value % 100;
  if (tens >= 11 && tens <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][value % 10] ?? 'th';
}
