/** In no word; so are the halves of surrogate pairs. */
export const OUTSIDE = 1;
/** Below it no character is a word by itself. */
export const SPACELESS_FROM = 0x0e00;

/** Of scripts that set no spaces, every character is a word: only so do their texts have shingles. */
const SPACELESS: readonly (readonly [number, number])[] = [
  [0x0e00, 0x0eff], // Thai, Lao
  [0x1000, 0x109f], // Myanmar
  [0x1780, 0x17ff], // Khmer
  [0x3005, 0x3007],
  [0x3040, 0x30ff], // kana
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0xff66, 0xff9d],
];

/** Which characters make words, and their lower case; learnt as they are met, since a text uses few of them. */
export class WordCharacters {
  /** By UTF-16 unit: its lower case, `OUTSIDE`, or 0 for what is not known yet. */
  readonly known = new Uint16Array(0x10000);

  /** Fills in what `known` does not tell. */
  learn(unit: number): number {
    const entry = lowerCaseOf(unit);
    this.known[unit] = entry;
    return entry;
  }
}

/** The lower case of a unit, or `OUTSIDE`. What becomes two characters in lower case stays as it is. */
export function lowerCaseOf(unit: number): number {
  const character = String.fromCharCode(unit);
  if (!/[\p{L}\p{N}\p{M}_]/u.test(character)) return OUTSIDE;
  const lower = character.toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}

/** True for a character (in lower case) that is a word by itself. */
export function isWholeWord(unit: number): boolean {
  return SPACELESS.some(([from, to]) => unit >= from && unit <= to);
}

/** Characters beyond the basic plane: ideographs are words, letters are in words, all others (emoji) are outside. */
export function planeOf(codePoint: number): 'ideograph' | 'letter' | 'outside' {
  if (codePoint >= 0x20000 && codePoint < 0x40000) return 'ideograph';
  if (codePoint >= 0x1f000) return 'outside';
  return /[\p{L}\p{N}\p{M}]/u.test(String.fromCodePoint(codePoint)) ? 'letter' : 'outside';
}
