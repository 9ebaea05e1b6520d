/** An encoding that undeclared text may be written in. */
export interface Candidate {
  readonly encoding: string;
  /** Languages usually written in it; names of the statistics. */
  readonly languages: readonly string[];
  /** Bits by which it is rarer than windows-1252: what a short text must overcome. */
  readonly rarity: number;
  /** Bits for each byte beyond ASCII; a text that takes more was not written in it. */
  readonly mostBits: number;
}

/** In Latin text a letter beyond ASCII is a surprise, and so is what follows it. */
const LATIN_BITS = 12;
const SCRIPT_BITS = 8;
/** Two bytes together; names and rare characters take many. */
const IDEOGRAPH_BITS = 10;

const CYRILLIC = ['ru', 'uk', 'bg', 'be', 'mk', 'sr'];
export const WEST = ['de', 'fr', 'es', 'pt', 'it', 'nl', 'sv', 'da', 'nb', 'fi', 'is', 'ca', 'en', 'ga', 'eu', 'sq'];
const CENTRAL = ['cs', 'sk', 'pl', 'hu', 'ro', 'sl', 'hr'];
const BALTIC = ['lt', 'lv', 'et'];

/** Encodings of one byte per character. Of two that differ in nothing but what is never seen, the larger stands here. */
export const ALPHABETIC: readonly Candidate[] = [
  { encoding: 'windows-1252', languages: WEST, rarity: 0, mostBits: LATIN_BITS },
  { encoding: 'windows-1251', languages: CYRILLIC, rarity: 4, mostBits: SCRIPT_BITS },
  { encoding: 'koi8-r', languages: ['ru', 'bg'], rarity: 6, mostBits: SCRIPT_BITS },
  { encoding: 'koi8-u', languages: ['uk', 'be'], rarity: 7, mostBits: SCRIPT_BITS },
  { encoding: 'iso-8859-5', languages: CYRILLIC, rarity: 8, mostBits: SCRIPT_BITS },
  { encoding: 'ibm866', languages: ['ru', 'uk', 'be', 'bg'], rarity: 9, mostBits: SCRIPT_BITS },
  { encoding: 'x-mac-cyrillic', languages: CYRILLIC, rarity: 10, mostBits: SCRIPT_BITS },
  { encoding: 'ibm855', languages: CYRILLIC, rarity: 12, mostBits: SCRIPT_BITS },
  { encoding: 'windows-1250', languages: CENTRAL, rarity: 4, mostBits: LATIN_BITS },
  { encoding: 'iso-8859-2', languages: CENTRAL, rarity: 5, mostBits: LATIN_BITS },
  { encoding: 'windows-1254', languages: ['tr'], rarity: 4, mostBits: LATIN_BITS },
  { encoding: 'windows-1253', languages: ['el'], rarity: 4, mostBits: SCRIPT_BITS },
  { encoding: 'iso-8859-7', languages: ['el'], rarity: 5, mostBits: SCRIPT_BITS },
  { encoding: 'windows-1255', languages: ['he'], rarity: 4, mostBits: SCRIPT_BITS },
  { encoding: 'windows-1256', languages: ['ar', 'fa', 'ur'], rarity: 4, mostBits: SCRIPT_BITS },
  { encoding: 'iso-8859-6', languages: ['ar'], rarity: 8, mostBits: SCRIPT_BITS },
  { encoding: 'windows-1257', languages: BALTIC, rarity: 5, mostBits: LATIN_BITS },
  { encoding: 'iso-8859-13', languages: ['lt', 'lv'], rarity: 8, mostBits: LATIN_BITS },
  { encoding: 'iso-8859-4', languages: BALTIC, rarity: 9, mostBits: LATIN_BITS },
  { encoding: 'windows-1258', languages: ['vi'], rarity: 6, mostBits: LATIN_BITS },
  { encoding: 'windows-874', languages: ['th'], rarity: 4, mostBits: SCRIPT_BITS },
  { encoding: 'iso-8859-3', languages: ['eo'], rarity: 8, mostBits: LATIN_BITS },
  { encoding: 'macintosh', languages: WEST, rarity: 10, mostBits: LATIN_BITS },
  { encoding: 'ibm850', languages: WEST, rarity: 8, mostBits: LATIN_BITS },
  { encoding: 'ibm437', languages: WEST, rarity: 9, mostBits: LATIN_BITS },
  { encoding: 'ibm852', languages: CENTRAL, rarity: 9, mostBits: LATIN_BITS },
  { encoding: 'ibm857', languages: ['tr'], rarity: 10, mostBits: LATIN_BITS },
  { encoding: 'ibm737', languages: ['el'], rarity: 10, mostBits: SCRIPT_BITS },
  { encoding: 'ibm775', languages: BALTIC, rarity: 10, mostBits: LATIN_BITS },
  { encoding: 'ibm862', languages: ['he'], rarity: 10, mostBits: SCRIPT_BITS },
  { encoding: 'ibm720', languages: ['ar', 'fa'], rarity: 10, mostBits: SCRIPT_BITS },
  { encoding: 'ibm860', languages: ['pt'], rarity: 10, mostBits: LATIN_BITS },
  { encoding: 'ibm861', languages: ['is'], rarity: 10, mostBits: LATIN_BITS },
  { encoding: 'ibm863', languages: ['fr'], rarity: 10, mostBits: LATIN_BITS },
  { encoding: 'ibm865', languages: ['da', 'nb'], rarity: 10, mostBits: LATIN_BITS },
];

/** Encodings of several bytes per character; the languages are those of the ideographs and syllables. */
export const IDEOGRAPHIC: readonly Candidate[] = [
  { encoding: 'shift_jis', languages: ['ja'], rarity: 4, mostBits: IDEOGRAPH_BITS },
  { encoding: 'euc-jp', languages: ['ja'], rarity: 5, mostBits: IDEOGRAPH_BITS },
  { encoding: 'gbk', languages: ['zh-hans', 'zh-hant'], rarity: 4, mostBits: IDEOGRAPH_BITS },
  { encoding: 'big5', languages: ['zh-hant'], rarity: 4, mostBits: IDEOGRAPH_BITS },
  { encoding: 'euc-kr', languages: ['ko'], rarity: 4, mostBits: IDEOGRAPH_BITS },
];
