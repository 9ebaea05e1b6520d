import type { SpamSign } from '../../contracts/content/spam.ts';
import { isWordList, keywordPoints } from './keyword-points.ts';
import { type WordStatistics, wordStatistics } from './word-statistics.ts';

export interface StuffedTexts {
  readonly stats: WordStatistics;
  readonly title: string;
  readonly description: string;
  readonly keywords: readonly string[];
  /** Alternative texts of images that are long enough to hold a list. */
  readonly alts: readonly string[];
}

/** Points at which a page is as likely spam as not. */
const EVEN = 4;

/** A word or phrase far more often than language has it, alone or together with stuffed title, META tags and alt texts. */
export function termStuffing(texts: StuffedTexts): SpamSign | undefined {
  const { stats, title } = texts;
  const reasons: string[] = [];
  let points = 0;
  const text = keywordPoints(stats);
  if (text > 0.5 && stats.words >= 30) {
    points += text;
    reasons.push(repetitionOf(stats));
  }
  const refrain = repeatedLine(stats);
  if (refrain > 0) {
    points += refrain;
    reasons.push(`one line stands ${stats.mostRepeatedLine} times`);
  }
  points += frame(texts, reasons);
  // A subject is named in the title of every honest page too: it counts only beside a text that is full of it.
  if (text >= 1.5 && stats.topWord !== '' && title.toLowerCase().includes(stats.topWord)) points += 0.5;
  if (points < 2) return undefined;
  const weight = 1 / (1 + Math.exp(-1.6 * (points - EVEN)));
  return { technique: 'term-stuffing', weight: round(Math.min(0.97, weight)), evidence: reasons.join('; ') };
}

/** Title, META tags and alt texts: each alone is a bad habit of honest pages, together they are not. */
function frame({ title, description, keywords, alts }: StuffedTexts, reasons: string[]): number {
  let points = 0;
  const inTitle = stuffedList(title, 8);
  if (inTitle !== undefined) {
    points += 1.5;
    reasons.push(`${inTitle} in the title`);
  }
  const inDescription = stuffedList(description, 12);
  if (inDescription !== undefined) {
    points += 0.75;
    reasons.push(`${inDescription} in the description`);
  }
  const inKeywords =
    keywords.length < 6 && keywords.join(' ').length < 80 ? undefined : stuffedList(keywords.join(', '), 14);
  if (inKeywords !== undefined) {
    points += 1;
    reasons.push(`${inKeywords} in the keywords`);
  }
  const stuffed = alts.map((alt) => stuffedList(alt, 8)).filter((found) => found !== undefined);
  if (stuffed.length > 0) {
    points += Math.min(3, 1 + 0.7 * (stuffed.length - 1));
    reasons.push(
      `${stuffed[0]} in the alternative text of ${stuffed.length === 1 ? 'an image' : `${stuffed.length} images`}`,
    );
  }
  return points;
}

/** The word that a short text names again and again, with its count; undefined for honest ones. */
function stuffedList(text: string, least: number): string | undefined {
  if (text.length < 5 * least || !mayRepeat(text)) return undefined;
  const stats = wordStatistics(text);
  if (stats.words < least || stats.topCount < 3 || stats.topShare < 0.16) return undefined;
  return isWordList(stats) || stats.topShare >= 0.22 ? `'${stats.topWord}' ${stats.topCount} times` : undefined;
}

const SLOTS = 256;
const REPEATED = 3;

/** Whether some word may be there three times: words that fall together count as one, so that none is overlooked. */
function mayRepeat(text: string): boolean {
  const counts = new Uint8Array(SLOTS);
  let hash = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0x20;
    // Runs of letters, either case alike; what lies beyond ASCII may be part of a word, or a word by itself.
    const lower = code | 0x20;
    if (code > 0x7f) return true;
    if (lower >= 0x61 && lower <= 0x7a) hash = (Math.imul(hash, 31) + lower) | 0;
    else if (hash !== 0) {
      if (++counts[(hash ^ (hash >>> 11)) & (SLOTS - 1)] >= REPEATED) return true;
      hash = 0;
    }
  }
  return false;
}

/** Refrains come a few times; a line that makes up most of the text and stands there dozens of times is none. */
function repeatedLine(stats: WordStatistics): number {
  if (stats.repeatedLineWords < 2 || stats.mostRepeatedLine < 12 || stats.repeatedLineShare < 0.6) return 0;
  return stats.mostRepeatedLine >= 24 && stats.repeatedLineShare >= 0.75 ? 4.5 : 3;
}

function repetitionOf(stats: WordStatistics): string {
  const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
  if (stats.pairShare >= 0.15)
    return `'${stats.topPair}' stands ${stats.pairCount} times, ${percent(stats.pairShare)} of ${stats.words} words`;
  return `'${stats.topWord}' is ${percent(stats.topShare)} of ${stats.words} words`;
}

function round(weight: number): number {
  return Math.round(weight * 100) / 100;
}
