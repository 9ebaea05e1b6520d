import { englishMonth, fullYear, timeOf } from '../base/dates/calendar.ts';

/**
 * Reads a date as HTTP and cookies write it, in any of the three historical forms and with the liberties of
 * RFC 6265 (5.1.1): the parts are told by their shape, not by their place. Milliseconds since the epoch, or undefined.
 */
export function parseHttpDate(text: string): number | undefined {
  let time: RegExpExecArray | null = null;
  let day: number | undefined;
  let month: number | undefined;
  let year: number | undefined;
  for (const token of text.split(/[\t\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+/)) {
    if (time === null) {
      time = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\D|$)/.exec(token);
      if (time !== null) continue;
    }
    if (day === undefined && /^\d{1,2}(?:\D|$)/.test(token)) {
      day = Number.parseInt(token, 10);
      continue;
    }
    if (month === undefined) {
      month = englishMonth(token) || undefined;
      if (month !== undefined) continue;
    }
    if (year === undefined) {
      const digits = /^(\d{2,4})(?:\D|$)/.exec(token)?.[1];
      if (digits !== undefined) year = fullYear(digits);
    }
  }
  if (time === null || day === undefined || month === undefined || year === undefined || year < 1601) return undefined;
  const [hour, minute, second] = [Number(time[1]), Number(time[2]), Number(time[3])];
  return hour > 23 ? undefined : timeOf({ year, month, day, hour, minute, second });
}
