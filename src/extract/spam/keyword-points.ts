import type { WordStatistics } from './word-statistics.ts';

/**
 * How much a text reads as if it were written for counting machines; from about 4 on no honest running text is found.
 * The beginnings of the scales are what one in a hundred honest pages and abstracts reaches.
 */
export function keywordPoints(stats: WordStatistics): number {
  const repetition =
    scale(stats.topShare, 0.07, 0.1, 0.15, 0.2) +
    scale(stats.pairShare, 0.1, 0.15, 0.22, 0.3) +
    scale(stats.topFourShare, 0.2, 0.3, 0.4, 0.5) +
    phraseFamily(stats);
  if (repetition <= 0) return 0;
  const unnatural =
    scale(0.5 - stats.functionShare, 0.22, 0.3, 0.4, 0.6) + 0.5 * scale(1 - stats.variety, 0.55, 0.7, 0.85, 1);
  // Few words repeat some by chance.
  const short = stats.words < 40 ? 2 : stats.words < 80 ? 1 : 0;
  const points = Math.max(0, repetition + Math.min(repetition, unnatural) - short);
  return points * (1 - programLikeness(stats)) * (1 - tableLikeness(stats));
}

/** A list of words rather than sentences: hardly any small words, hardly any full stops. */
export function isWordList(stats: WordStatistics): boolean {
  return stats.contentWords >= 0.75 * stats.words && stats.functionShare < 0.17 && stats.sentenceShare < 0.06;
}

/**
 * A dozen words that turn up in ever new order: "cheap car insurance, car cover instant quote". Short texts have fewer words
 * to share, so the bound falls with the length; where the small words are all there, it is a text on one matter.
 */
function phraseFamily(stats: WordStatistics): number {
  const natural = 0.1 + 3.2 / Math.sqrt(Math.max(1, stats.words));
  const lacking = Math.max(0, Math.min(1, (0.33 - stats.functionShare) / 0.1));
  return lacking * scale(stats.topTwelveShare / natural, 1.05, 1.25, 1.5, 1.9);
}

/** Program text repeats its names by nature. */
function programLikeness(stats: WordStatistics): number {
  return Math.min(0.9, scale(stats.codeShare, 0.004, 0.01, 0.02, 0.04) / 2);
}

/** Tables repeat the words of their columns: in lines that all have numbers. */
function tableLikeness(stats: WordStatistics): number {
  const rows = stats.lines >= 8 ? scale(stats.numberedLineShare, 0.4, 0.55, 0.7, 0.9) / 2 : 0;
  return Math.min(0.9, Math.max(rows, scale(stats.numberShare, 0.08, 0.12, 0.18, 0.28) / 3));
}

/** 0 up to the first bound, 1, 2 and 3 at the others, straight lines between them. */
function scale(value: number, zero: number, one: number, two: number, three: number): number {
  if (value <= zero) return 0;
  if (value < one) return (value - zero) / (one - zero);
  if (value < two) return 1 + (value - one) / (two - one);
  return Math.min(3, 2 + (value - two) / (three - two));
}
