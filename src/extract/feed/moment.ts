export interface FeedMoment {
  /** ms since the epoch. */
  readonly at: number;
  /** Whether a time zone was written; without one the time is taken as UTC. */
  readonly zoned: boolean;
}

/** The parts of a date as written; `zone` in minutes east of Greenwich. */
export interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
  readonly millisecond?: number;
  readonly zone?: number;
}

/** The moment, or undefined where there is no such day or time. */
export function momentOf(parts: DateParts): FeedMoment | undefined {
  const { year, month, day, hour = 0, minute = 0, second = 0, millisecond = 0, zone } = parts;
  // A leap second is written as 60.
  if (hour > 23 || minute > 59 || second > 60 || month < 1 || month > 12 || day < 1 || year < 1 || year > 9999) {
    return undefined;
  }
  if (zone !== undefined && Number.isNaN(zone)) return undefined;
  if (day > 28 && day > daysIn(year, month)) return undefined;
  let at = Date.UTC(year, month - 1, day, hour, minute - (zone ?? 0), second, millisecond);
  // Date.UTC takes the years before 100 for those of the 20th century.
  if (year < 100) at = new Date(at).setUTCFullYear(year + (new Date(at).getUTCFullYear() - (1900 + year)));
  return { at, zoned: zone !== undefined };
}

/** Two digits of a year: the last decades and the next ones. */
export function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
