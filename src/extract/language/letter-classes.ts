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

/** Makes the table; characters beyond the basic plane (rare ideographs, emoji) count as separators. */
export function letterClasses(): LetterClasses {
  const of = new Uint8Array(0x10000);
  const language: (string | undefined)[] = [undefined, undefined];
  const scripts: [string, string | undefined][] = [
    ...SHARED_SCRIPTS.map((script): [string, undefined] => [script, undefined]),
    ...ONE_LANGUAGE.map(([script, code]): [string, string] => [script, code]),
  ];
  const letter = /[\p{L}\p{M}]/u;
  const patterns = scripts.map(([script]) => new RegExp(`\\p{Script=${script}}`, 'u'));
  for (const [, code] of scripts) language.push(code);
  // The scripts lie in blocks: looking first where the last letter was makes this quick.
  let last = 0;
  for (let unit = 0; unit < 0x10000; unit++) {
    if (unit >= 0xd800 && unit <= 0xdfff) continue;
    const char = String.fromCharCode(unit);
    if (!letter.test(char)) continue;
    if (!patterns[last].test(char)) {
      const next = patterns.findIndex((pattern) => pattern.test(char));
      if (next === -1) {
        if (/\p{M}/u.test(char)) of[unit] = JOINER;
        continue;
      }
      last = next;
    }
    of[unit] = FIRST_SCRIPT + last;
  }
  for (const joiner of "'’ʼ·") of[joiner.charCodeAt(0)] = JOINER;
  return { of, count: FIRST_SCRIPT + scripts.length, language };
}
