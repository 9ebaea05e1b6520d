/** The parts of a date as written; `zone` in minutes east of Greenwich. */
export interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
  readonly millisecond?: number;
  readonly zone?: number | undefined;
}

/** ms since the epoch, or undefined where there is no such day or time. Without a zone the time is taken as UTC. */
export function timeOf(parts: DateParts): number | undefined {
  const { year, month, day, hour = 0, minute = 0, second = 0, millisecond = 0, zone = 0 } = parts;
  // A leap second is written as 60, the end of a day also as 24:00.
  if (hour > (minute === 0 && second === 0 ? 24 : 23) || minute > 59 || second > 60) return undefined;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || year < 1 || year > 9999) return undefined;
  const at = Date.UTC(year, month - 1, day, hour, minute - zone, second, millisecond);
  // Date.UTC takes the years before 100 for those of the 20th century.
  const time = year < 100 ? new Date(at).setUTCFullYear(new Date(at).getUTCFullYear() - 1900) : at;
  return Number.isNaN(time) ? undefined : time;
}

/** A time that was written down. */
export interface Moment {
  /** ms since the epoch. */
  readonly at: number;
  /** Whether a time zone was written; without one the time is taken as UTC. */
  readonly zoned: boolean;
}

export function momentOf(parts: DateParts): Moment | undefined {
  const at = timeOf(parts);
  return at === undefined ? undefined : { at, zoned: parts.zone !== undefined };
}

/** Two digits of a year: the last decades and the next ones. */
export function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}

const ENGLISH = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** 1 to 12 by the first three letters of a month's English name; 0 for other words. */
export function englishMonth(word: string): number {
  return ENGLISH.indexOf(word.slice(0, 3).toLowerCase()) + 1;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
