import { madeOnce } from '../../base/made-once.ts';

/** What a UTF-16 code unit is to the tokenizer: bits. Nothing set: it parts words. */
export const LOWER = 1;
/** A capital letter. */
export const UPPER = 2;
export const DIGIT = 4;
/** Of a script that writes without spaces between words, or (Hangul) glues particles to them: indexed by pairs of characters. */
export const PAIRED = 8;
/** Half of a character beyond the basic plane. */
export const SURROGATE = 16;
/** Holds parts of one word together where it stands between two of them. */
export const JOINER = 32;
/** Belongs to the short name before it: C++, C#. */
export const TAIL = 64;
/** Folds to nothing: goes on with a word, begins none. */
export const MARK = 128;
/** What a word outside the paired scripts begins with. */
export const FIRST = LOWER | UPPER | DIGIT;
/** What it goes on with. */
export const WORD = FIRST | MARK;

export interface CharacterTable {
  /** Bits per code unit. */
  readonly kinds: Uint8Array;
  /** What a code unit folds to: itself, another one, several or none. */
  fold(code: number): string;
}

type Range = readonly [first: number, last: number];
const PAIRED_RANGES: readonly Range[] = [
  [0x0e00, 0x0eff], // Thai, Lao
  [0x1000, 0x109f], // Myanmar
  [0x1100, 0x11ff], // Hangul letters
  [0x1780, 0x17ff], // Khmer
  [0x2e80, 0x2fdf], // radicals
  [0x3005, 0x3007],
  [0x3021, 0x3029],
  [0x3031, 0x3035],
  [0x3041, 0x30ff], // Hiragana, Katakana
  [0x3100, 0x318f], // Bopomofo, Hangul letters
  [0x31a0, 0x31ff],
  [0x3400, 0x4dbf], // Han
  [0x4e00, 0x9fff],
  [0xa960, 0xa97f],
  [0xac00, 0xd7ff], // Hangul
  [0xf900, 0xfaff],
  [0xff66, 0xffdc], // half-width Katakana and Hangul
];
/** Marks that may be left off in writing: accents, vowel points. Vowel signs of Indic scripts are letters in all but name and stay. */
const OPTIONAL_MARKS: readonly Range[] = [
  [0x0300, 0x036f],
  [0x0483, 0x0489],
  [0x0591, 0x05c7],
  [0x0610, 0x061a],
  [0x064b, 0x065f],
  [0x0670, 0x0670],
  [0x06d6, 0x06ed],
  [0x0730, 0x074a],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
];
/** Invisible within words: soft hyphen, joiners, tatweel. */
const INVISIBLE: readonly number[] = [0xad, 0x200c, 0x200d, 0x2060, 0xfeff, 0x0640];
const JOINERS = "'\u2019\u02bc\uff07\u05f3\u05f4-\u2010\u2011._@&,";
/** Letters that do not come apart into a base letter and a mark, or (й, ї) are letters of their own in spite of it. */
const FOLDED_APART: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'ss',
  æ: 'ae',
  Æ: 'ae',
  œ: 'oe',
  Œ: 'oe',
  ø: 'o',
  Ø: 'o',
  đ: 'd',
  Đ: 'd',
  ð: 'd',
  Ð: 'd',
  þ: 'th',
  Þ: 'th',
  ł: 'l',
  Ł: 'l',
  ħ: 'h',
  Ħ: 'h',
  ŋ: 'n',
  Ŋ: 'n',
  ŧ: 't',
  Ŧ: 't',
  ı: 'i',
  İ: 'i',
  ĸ: 'k',
  ƒ: 'f',
  ə: 'a',
  Ə: 'a',
  ς: 'σ',
  й: 'й',
  Й: 'й',
  ї: 'ї',
  Ї: 'ї',
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ٱ: 'ا',
};

const LETTERS = /[\p{L}\p{M}\p{Nl}\p{No}]+/gu;
const CAPITALS = /\p{Lu}+/gu;
const DECIMALS = /\p{Nd}+/gu;
const DECIMAL = /\p{Nd}/u;
const COMPOSED_BY_MARKS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** The table for the whole basic plane, made once for all analyzers: looking at a character is reading an array. */
export const characterTable = madeOnce(createCharacterTable);

function createCharacterTable(): CharacterTable {
  const kinds = createKinds();
  for (const code of invisibleCodes(kinds)) kinds[code] = MARK;
  // A text needs few of them, and to fold them all takes longer than a search.
  const known = new Map<number, string>();
  return {
    kinds,
    fold(code) {
      let folded = known.get(code);
      if (folded === undefined) {
        folded = foldedCode(code, kinds[code] as number);
        known.set(code, folded);
      }
      return folded;
    },
  };
}

function foldedCode(code: number, kind: number): string {
  if (kind === MARK) return '';
  const character = String.fromCharCode(code);
  return (kind & FIRST) === 0 ? character : foldedCharacter(character, code);
}

function createKinds(): Uint8Array {
  const kinds = new Uint8Array(0x10000);
  const codes = new Uint16Array(0x10000);
  for (let code = 0; code < codes.length; code++) codes[code] = code;
  // one string of all characters: a pattern finds its runs at once, where asking for each would take a hundred times as long
  const all = textOf(codes.subarray(0, 0xd800));
  const rest = textOf(codes.subarray(0xe000));
  for (const [pattern, kind] of [
    [LETTERS, LOWER],
    [CAPITALS, UPPER],
    [DECIMALS, DIGIT],
  ] as const) {
    for (const { index, 0: run } of all.matchAll(pattern)) kinds.fill(kind, index, index + run.length);
    for (const { index, 0: run } of rest.matchAll(pattern))
      kinds.fill(kind, 0xe000 + index, 0xe000 + index + run.length);
  }
  kinds.fill(SURROGATE, 0xd800, 0xe000);
  for (const [first, last] of PAIRED_RANGES)
    for (let code = first; code <= last; code++) if (kinds[code] === LOWER) kinds[code] = PAIRED;
  for (const tail of '+#') kinds[tail.charCodeAt(0)] = TAIL;
  for (const joiner of JOINERS) kinds[joiner.charCodeAt(0)] = JOINER;
  return kinds;
}

/** In slices, as a call takes so many arguments and no more. */
function textOf(codes: Uint16Array): string {
  const slices: string[] = [];
  for (let at = 0; at < codes.length; at += 0x400)
    slices.push(Reflect.apply(String.fromCharCode, undefined, codes.subarray(at, at + 0x400)));
  return slices.join('');
}

function invisibleCodes(kinds: Uint8Array): number[] {
  const codes = [...INVISIBLE];
  for (const [first, last] of OPTIONAL_MARKS)
    for (let code = first; code <= last; code++) if (kinds[code] === LOWER) codes.push(code);
  return codes;
}

function foldedCharacter(character: string, code: number): string {
  if (code < 0x80) return character.toLowerCase();
  const apart = FOLDED_APART[character];
  if (apart !== undefined) return apart;
  if (DECIMAL.test(character)) return decimalDigit(code);
  if (!COMPOSED_BY_MARKS.test(character)) return character.normalize('NFKC').toLowerCase();
  const bare = [...character.normalize('NFKD').toLowerCase()].filter((part) => !isOptionalMark(part.charCodeAt(0)));
  return bare.length === 0 ? character : bare.map((part) => FOLDED_APART[part] ?? part).join('');
}

/** Decimal digits come in runs of ten, so that the place in the run is the digit. */
function decimalDigit(code: number): string {
  const plain = String.fromCharCode(code).normalize('NFKC');
  if (plain >= '0' && plain <= '9') return plain;
  let zero = code;
  while (code - zero < 9 && DECIMAL.test(String.fromCharCode(zero - 1))) zero--;
  return String(code - zero);
}

function isOptionalMark(code: number): boolean {
  return OPTIONAL_MARKS.some(([first, last]) => code >= first && code <= last);
}
