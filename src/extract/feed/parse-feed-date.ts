import type { Moment } from '../../base/dates/calendar.ts';
import { readW3cDate } from '../../base/dates/w3c-date.ts';
import { readWordyDate } from './wordy-date.ts';

const longestDate = 100;

/** The moment a date of a feed or sitemap means, in whichever way it is written; undefined where it means none. */
export function parseFeedDate(text: string): number | undefined {
  return readFeedDate(text)?.at;
}

export function readFeedDate(text: string): Moment | undefined {
  if (text.length > longestDate) return undefined;
  const written = text.trim();
  if (written === '') return undefined;
  return readW3cDate(written) ?? readWordyDate(written);
}
