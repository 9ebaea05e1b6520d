import { type Evidence, shareHeld, soundEvidence, withObservation } from './trust-evidence.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** What a feed says of a page: that it has changed at a time, or only that its item is new or another than before. */
export type FeedWord = 'dated' | 'undated';

/** What is kept of a host whose feeds are read. Plain data. */
export interface FeedTrustRecord {
  /** Said changed since our visit by its date, and was. */
  readonly dated: Evidence;
  /** The item was new or had changed, and so had the page. */
  readonly undated: Evidence;
}

/** What the dates of one reading look like together. */
export interface FeedDates {
  /** They are of one moment: the time at which the feed was made, not of its items. Nothing follows from them. */
  readonly stamped: boolean;
  /** Something that cannot be true was said since the feed was last read. */
  readonly lied: boolean;
}

/** Before anything is measured: feeds are written by the software that writes the pages. */
const PRIOR: Readonly<Record<FeedWord, number>> = { dated: 0.6, undated: 0.5 };
/** How many visits a reading with false dates weighs. */
const LIE_WEIGHT = 1;
/** Clocks differ; a date further ahead is no date. */
const CLOCKS_DIFFER = HOUR;
/** Fewer items may well have been published in one go. */
const MIN_STAMPED = 4;
const STAMPED_SHARE = 0.95;
const ONE_MOMENT = 2 * MINUTE;

/**
 * How far the feeds of one host can be believed when they speak of pages that are known, measured at visits: each compares
 * what was said with what was found. It fades, so that a host that mends its ways is believed again.
 */
export class FeedTrust {
  #record: FeedTrustRecord;

  /** A record that is not what it should be counts as far as it can be read. */
  constructor(record?: Partial<FeedTrustRecord>) {
    this.#record = { dated: soundEvidence(record?.dated), undated: soundEvidence(record?.undated) };
  }

  /** The chance that such a word is true. */
  believed(word: FeedWord): number {
    return shareHeld(this.#record[word], PRIOR[word]);
  }

  /** A visit found out. */
  observeVisit(word: FeedWord, at: number, changed: boolean): void {
    this.#record = { ...this.#record, [word]: withObservation(this.#record[word], changed, at) };
  }

  /** A feed was read. Dates that cannot be true count like a visit that found nothing changed. */
  observeDates({ lied }: FeedDates, at: number): void {
    if (!lied) return;
    this.#record = { ...this.#record, dated: withObservation(this.#record.dated, false, at, LIE_WEIGHT) };
  }

  toJSON(): FeedTrustRecord {
    return this.#record;
  }
}

/** Whether a date can be that of a change which has happened. */
export function isPossible(date: number | undefined, now: number): date is number {
  return date !== undefined && Number.isFinite(date) && date > 0 && date <= now + CLOCKS_DIFFER;
}

/** `dates`: of all items; `news`: of those new or re-dated since `readBefore`. An imported archive is equal only once. */
export function judgeDates(
  dates: readonly number[],
  news: readonly number[],
  readBefore: number | undefined,
  now: number,
): FeedDates {
  const newest = dates.reduce((latest, date) => Math.max(latest, date), Number.NEGATIVE_INFINITY);
  const together = dates.filter((date) => newest - date <= ONE_MOMENT).length;
  const stamped = dates.length >= MIN_STAMPED && together >= STAMPED_SHARE * dates.length;
  const stampedAnew = stamped && readBefore !== undefined && newest > readBefore && news.includes(newest);
  return { stamped, lied: stampedAnew || news.some((date) => !isPossible(date, now)) };
}
