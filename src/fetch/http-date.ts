const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

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
      const index = MONTHS.indexOf(token.slice(0, 3).toLowerCase());
      if (index !== -1) {
        month = index;
        continue;
      }
    }
    if (year === undefined && /^\d{2,4}(?:\D|$)/.test(token)) year = fullYear(Number.parseInt(token, 10));
  }
  if (time === null || day === undefined || month === undefined || year === undefined) return undefined;
  const [hour, minute, second] = [Number(time[1]), Number(time[2]), Number(time[3])];
  if (year < 1601 || hour > 23 || minute > 59 || second > 60) return undefined;
  const at = Date.UTC(year, month, day, hour, minute, second);
  return new Date(Date.UTC(year, month, day)).getUTCDate() === day ? at : undefined;
}

function fullYear(year: number): number {
  if (year >= 100) return year;
  return year >= 70 ? year + 1900 : year + 2000;
}
