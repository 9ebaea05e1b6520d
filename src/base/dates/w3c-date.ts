import { fullYear, type Moment, momentOf } from './calendar.ts';
import { zoneMinutes } from './time-zone.ts';

/** Date, then perhaps time, then perhaps zone; a space may stand for the T, and XML Schema allows a zone without a time. */
const withTime =
  /^(\d{4})-?0?(\d{2})-?(\d{2})(?:[Tt ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?|[A-Za-z]{2,5})?|([Zz]|[+-]\d{2}:\d{2}))?$/;
const yearAndMonth = /^(\d{4})-(\d{1,2})$|^-(\d{2})-?(\d{2})$/;
const shortDate = /^(\d{2})-?(\d{2})-?(\d{2})$/;
const dayOfYear = /^(\d{4}|\d{2})-?(\d{3})$/;

/** Dates as of ISO 8601 and its profile by the W3C, with what feeds and documents make of them. */
export function readW3cDate(text: string): Moment | undefined {
  const written = text.trim();
  const full = withTime.exec(written);
  if (full !== null) {
    const zone = full[8] ?? full[9];
    return momentOf({
      year: Number(full[1]),
      month: Number(full[2]),
      day: Number(full[3]),
      hour: Number(full[4] ?? 0),
      minute: Number(full[5] ?? 0),
      second: Number(full[6] ?? 0),
      millisecond: full[7] === undefined ? 0 : Math.trunc(Number(`0.${full[7]}`) * 1000),
      zone: zone === undefined ? undefined : zoneMinutes(zone),
    });
  }
  if (written.length > 10) return undefined;
  const month = yearAndMonth.exec(written);
  if (month !== null) {
    return momentOf({ year: fullYear(month[1] ?? month[3]), month: Number(month[2] ?? month[4]), day: 1 });
  }
  if (/^\d{4}$/.test(written)) return momentOf({ year: Number(written), month: 1, day: 1 });
  const short = shortDate.exec(written);
  if (short !== null) return momentOf({ year: fullYear(short[1]), month: Number(short[2]), day: Number(short[3]) });
  const ordinal = dayOfYear.exec(written);
  return ordinal === null ? undefined : nthDay(written, ordinal[1], Number(ordinal[2]));
}

function nthDay(text: string, yearDigits: string, day: number): Moment | undefined {
  // Five digits that begin like a year of ours are a mistyped year rather than a year of two digits and its n-th day.
  if (/^[12]\d{4}$/.test(text)) return undefined;
  const year = fullYear(yearDigits);
  if (day < 1 || day > 366 || year < 100) return undefined;
  const at = Date.UTC(year, 0, day);
  return new Date(at).getUTCFullYear() === year ? { at, zoned: false } : undefined;
}
