/** When one page changed; all times in ms since the epoch. */
export interface RecordedPage {
  readonly url: string;
  /** When it came to be; it is not there before. Undefined: it was there all along. */
  readonly created?: number;
  /** Ascending, after `created`. */
  readonly changes: readonly number[];
}

/** What is known of the changes of many pages, over one span of time. */
export interface ChangeRecord {
  readonly pages: readonly RecordedPage[];
  /** First moment that the record speaks of, and the one after its last. */
  readonly from: number;
  readonly to: number;
  /** What was told of other times, and left out. */
  readonly outside?: OutsideRecord;
}

export interface OutsideRecord {
  readonly changes: number;
  /** That came to be only later. */
  readonly pages: number;
}

export const DAY_MS = 86_400_000;

/** The last `days` of a record; the whole of it where it is shorter or nothing is said. */
export function lastDays(record: ChangeRecord, days?: number): ChangeRecord {
  return days === undefined ? record : { ...record, from: Math.max(record.from, record.to - days * DAY_MS) };
}

/** How many pages there are on average: some come to be on the way. */
export function meanPages({ pages, from, to }: ChangeRecord): number {
  let lived = 0;
  for (const { created = from } of pages) lived += Math.max(0, to - Math.max(from, created));
  return to > from ? lived / (to - from) : pages.length;
}

/** Changes that fall into the time of the record. */
export function changesWithin({ pages, from, to }: ChangeRecord): number {
  let count = 0;
  for (const { changes } of pages) for (const change of changes) if (change >= from && change < to) count++;
  return count;
}
