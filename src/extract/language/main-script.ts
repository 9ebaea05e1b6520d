import { FIRST_SCRIPT, type LetterClasses } from './letter-classes.ts';

export interface MainScript {
  /** Its class in the table of letters. */
  readonly index: number;
  readonly letters: number;
  /** Of all letters of the text, how many are of this script. */
  readonly share: number;
  /** Where the script decides. */
  readonly language: string | undefined;
}

/** A syllable or ideograph says about as much as three letters of an alphabet. */
const SYLLABLE_WORTH = 3;
/** Texts in all scripts hold Latin words; the other way it is rare. */
const LATIN_WORTH = 0.5;
/** Japanese mixes ideographs with kana; Chinese has next to none. */
const KANA_SHARE = 0.08;

/** The script most of a text is written in; undefined where it has no letters that we know. */
export function mainScript(text: string, classes: LetterClasses): MainScript | undefined {
  const counts = new Uint32Array(classes.count);
  const { of } = classes;
  for (let at = 0; at < text.length; at++) counts[of[text.charCodeAt(at)]]++;
  let kana = 0;
  let ideographs = 0;
  let hangul = 0;
  for (let index = FIRST_SCRIPT; index < classes.count; index++) {
    const language = classes.language[index];
    if (language === 'ja') kana += counts[index];
    else if (language === 'zh') ideographs += counts[index];
    else if (language === 'ko') hangul += counts[index];
  }
  const japanese = kana > KANA_SHARE * (kana + ideographs) && kana + ideographs > 0;
  let best = -1;
  let bestWorth = 0;
  let all = 0;
  for (let index = FIRST_SCRIPT; index < classes.count; index++) {
    const language = classes.language[index];
    let worth = counts[index];
    if (index === FIRST_SCRIPT) worth *= LATIN_WORTH;
    else if (language === 'ko') worth *= SYLLABLE_WORTH;
    // All of a Japanese text counts for it; Chinese characters in a Korean text are Korean.
    else if (language === 'ja') worth = japanese && counts[index] > 0 ? (kana + ideographs) * SYLLABLE_WORTH : 0;
    else if (language === 'zh') worth = japanese || hangul > ideographs ? 0 : ideographs * SYLLABLE_WORTH;
    if (worth > bestWorth) {
      bestWorth = worth;
      best = index;
    }
    all += counts[index];
  }
  if (best === -1) return undefined;
  const language = classes.language[best];
  const letters = language === 'ja' ? kana + ideographs : counts[best];
  return { index: best, letters, share: letters / all, language };
}
