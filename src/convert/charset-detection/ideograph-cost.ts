import { readFileSync } from 'node:fs';
import { madeOnce } from '../../base/made-once.ts';

const BROKEN = 30;
const PRIVATE = 24;
const UNLISTED_IDEOGRAPH = 16;
const UNLISTED_SYLLABLE = 15;
const KANA = 10;
/** One byte each in Shift_JIS, so that any bytes can be read as these. */
const HALF_WIDTH = 14;
/** After another of them: whoever writes so writes whole words so. */
const HALF_WIDTH_RUN = 9;
/** Alone between two Latin letters: more likely a letter with an accent, read wrongly. */
const WITHIN_LATIN = 8;
const USUAL_PUNCTUATION = 6;
const OTHER = 13;

type Group = readonly [bits: number, characters: string];

/** Of each language the bits that its frequent characters cost. */
const frequentIdeographs = madeOnce(() => {
  const languages: readonly (readonly [language: string, groups: readonly Group[]])[] = JSON.parse(
    readFileSync(new URL('./frequent-ideographs.json', import.meta.url), 'utf8'),
  );
  const bitsOf = (groups: readonly Group[]) =>
    new Map(groups.flatMap(([bits, characters]) => [...characters].map((char) => [char.charCodeAt(0), bits] as const)));
  return new Map(languages.map(([language, groups]) => [language, bitsOf(groups)]));
});
const PUNCTUATION = new Set(
  [...'、。，．・：；？！（）「」『』【】《》“”‘’—…〜～％'].map((char) => char.charCodeAt(0)),
);

/** The same as the cost of an alphabet, for the languages whose characters are counted one by one. */
export function ideographCost(text: string, language: string, most: number): number {
  const common = frequentIdeographs().get(language) as ReadonlyMap<number, number>;
  let cost = 0;
  for (let at = 0; at < text.length && cost <= most; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    cost += common.get(unit) ?? unlistedCost(unit, language);
    if (isHalfWidth(unit) && at > 0 && isHalfWidth(text.charCodeAt(at - 1))) cost -= HALF_WIDTH - HALF_WIDTH_RUN;
    if (isLatinLetter(text.charCodeAt(at - 1)) && isLatinLetter(text.charCodeAt(at + 1))) cost += WITHIN_LATIN;
  }
  return cost;
}

function unlistedCost(unit: number, language: string): number {
  if (unit === 0xfffd || unit < 0xa0) return BROKEN;
  if (PUNCTUATION.has(unit) || unit === 0x3000) return USUAL_PUNCTUATION;
  if (unit >= 0x4e00 && unit <= 0x9fff) return language === 'ko' ? UNLISTED_IDEOGRAPH + 2 : UNLISTED_IDEOGRAPH;
  if (unit >= 0xac00 && unit <= 0xd7a3) return language === 'ko' ? UNLISTED_SYLLABLE : UNLISTED_SYLLABLE + 4;
  if (unit >= 0x3041 && unit <= 0x30ff) return language === 'ja' ? KANA : KANA + 6;
  if (isHalfWidth(unit)) return HALF_WIDTH;
  return unit >= 0xe000 && unit <= 0xf8ff ? PRIVATE : OTHER;
}

function isLatinLetter(unit: number): boolean {
  const small = unit | 0x20;
  return small >= 0x61 && small <= 0x7a;
}

function isHalfWidth(unit: number): boolean {
  return unit >= 0xff61 && unit <= 0xff9f;
}
