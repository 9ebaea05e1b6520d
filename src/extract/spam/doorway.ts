import type { SpamSign } from '../../contracts/content/spam.ts';
import { keywordPoints } from './keyword-points.ts';
import type { WordStatistics } from './word-statistics.ts';

/** A way in which a page leads its reader elsewhere at once. */
export interface LeadAway {
  readonly how: 'META refresh' | 'script' | 'frame over the whole page';
  /** Registrable domain of the goal. */
  readonly to: string;
  readonly byReferrer: boolean;
  readonly veiled: boolean;
}

/** Less is a notice that the page has moved, or a door without a house. */
const NOTICE_WORDS = 40;

/** Whether a text is one that a doorway could have: long enough, and bent on a subject or written without small words. */
export function couldBeDoorway(stats: WordStatistics, title: string): boolean {
  return (
    stats.words >= NOTICE_WORDS && (stats.functionShare < 0.22 || keywordPoints(stats) >= 0.5 || names(title, stats))
  );
}

/**
 * A page full of words that no reader gets to see, since he is led to another site before he can read. The redirect alone
 * is honest, and so is the text; together they are not where the text is written as keywords. A page that has moved, with
 * its old text still below the notice, stays below one half.
 */
export function doorway(lead: LeadAway, stats: WordStatistics, title: string): SpamSign | undefined {
  const { words } = stats;
  if (!couldBeDoorway(stats, title)) return undefined;
  const keyed = keywordPoints(stats);
  let weight = words >= 100 ? 0.4 : 0.35;
  if (keyed >= 0.5) weight += 0.15;
  if (keyed >= 1.5) weight += 0.15;
  if (keyed >= 3) weight += 0.1;
  if (names(title, stats)) weight += 0.12;
  if (stats.functionShare < 0.2) weight += 0.15;
  if (lead.byReferrer) weight += 0.2;
  if (lead.veiled) weight += 0.25;
  const who = lead.byReferrer ? 'readers by where they come from' : 'the reader';
  const named = stats.topCount >= 4 ? ` with '${stats.topWord}' ${stats.topCount} times` : '';
  return {
    technique: 'doorway',
    weight: Math.round(100 * Math.min(0.95, weight)) / 100,
    evidence: `leads ${who} to ${lead.to} at once (${lead.how}${lead.veiled ? ', veiled' : ''}), away from ${words} words${named}`,
  };
}

/** The title names what the text says again and again. */
function names(title: string, stats: WordStatistics): boolean {
  return stats.topShare >= 0.03 && stats.topCount >= 4 && title.toLowerCase().includes(stats.topWord);
}
