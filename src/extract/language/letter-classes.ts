import { readFileSync } from 'node:fs';

/** Scripts that several of our languages share, in the order of the model's parts; then the scripts of one language each. */
export const SHARED_SCRIPTS = ['Latin', 'Cyrillic', 'Arabic', 'Devanagari'] as const;

/** Language by script, where the script decides. Chinese and Japanese are told apart by kana. */
const ONE_LANGUAGE: readonly (readonly [script: string, language: string])[] = [
  ['Greek', 'el'],
  ['Hebrew', 'he'],
  ['Armenian', 'hy'],
  ['Georgian', 'ka'],
  ['Bengali', 'bn'],
  ['Gurmukhi', 'pa'],
  ['Gujarati', 'gu'],
  ['Oriya', 'or'],
  ['Tamil', 'ta'],
  ['Telugu', 'te'],
  ['Kannada', 'kn'],
  ['Malayalam', 'ml'],
  ['Sinhala', 'si'],
  ['Thai', 'th'],
  ['Lao', 'lo'],
  ['Myanmar', 'my'],
  ['Khmer', 'km'],
  ['Ethiopic', 'am'],
  ['Hangul', 'ko'],
  ['Hiragana', 'ja'],
  ['Katakana', 'ja'],
  ['Han', 'zh'],
];

/** Class 0 is no letter: what stands between words. Marks and apostrophes belong to the word they stand in, whatever its script. */
export const JOINER = 1;
/** Class of the first shared script; those of one language follow. */
export const FIRST_SCRIPT = 2;

export interface LetterClasses {
  /** Class of each UTF-16 code unit. */
  readonly of: Uint8Array;
  /** How many classes there are. */
  readonly count: number;
  /** Language of a class whose script decides. */
  readonly language: readonly (string | undefined)[];
}

/** Names of the scripts in the order of their classes. */
export const SCRIPTS: readonly string[] = [...SHARED_SCRIPTS, ...ONE_LANGUAGE.map(([script]) => script)];

/**
 * Reads the table. Characters beyond the basic plane (rare ideographs, emoji) count as separators. It is made beforehand, by
 * tools/build-language-model: asking for the script of every character would take a third of the time that a thread needs for all it
 * knows of languages.
 */
export function letterClasses(): LetterClasses {
  const file = readFileSync(new URL('./letter-classes.json', import.meta.url), 'utf8');
  const { runs } = JSON.parse(file) as { readonly runs: string };
  const of = new Uint8Array(0x10000);
  let unit = 0;
  for (const run of runs.split(' ')) {
    const [length, letterClass] = run.split(':').map(Number);
    of.fill(letterClass, unit, unit + length);
    unit += length;
  }
  const language = [
    undefined,
    undefined,
    ...SHARED_SCRIPTS.map(() => undefined),
    ...ONE_LANGUAGE.map(([, code]) => code),
  ];
  return { of, count: FIRST_SCRIPT + SCRIPTS.length, language };
}
