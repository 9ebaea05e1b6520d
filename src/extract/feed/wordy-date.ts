import { type DateParts, fullYear, type Moment, momentOf } from '../../base/dates/calendar.ts';
import { zoneMinutes } from '../../base/dates/time-zone.ts';
import { readW3cDate } from '../../base/dates/w3c-date.ts';
import { monthOf } from '../month-names.ts';

const time = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,]\d+)?)?(am|pm)?$/i;
const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*$/i;
const korean =
  /^(\d{4})(?:-|년\s*)(\d{1,2})(?:-|월\s*)(\d{1,2})일?\s*(오전|오후)?\s*(?:(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const hangul = /[\uac00-\ud7af]/;
/** Korean feeds that write dates in words never write a zone. */
const koreanZone = 540;

/** Dates with words in them: RFC 822 and 2822, asctime, and their relatives in other languages. */
export function readWordyDate(text: string): Moment | undefined {
  if (hangul.test(text)) return readKorean(text);
  // 2004-július-13T9:15-05:00
  const named = /^(\d{4})-(\p{L}+)-(\d{1,2})(.*)$/u.exec(text);
  if (named !== null) {
    const month = monthOf(named[2]);
    if (month === 0) return undefined;
    return readW3cDate(`${named[1]}-${String(month).padStart(2, '0')}-${named[3].padStart(2, '0')}${named[4]}`);
  }
  return readTokens(text);
}

interface Found {
  year?: number;
  month?: number;
  day?: number;
  hour?: number;
  minute?: number;
  second?: number;
  zone?: number;
}

function readTokens(text: string): Moment | undefined {
  // A word before a comma is the day of the week, in any language.
  const tokens = text
    .replace(/^\p{L}+\.?,/u, '')
    .replace(/(\d)-(\p{L}+)-(\d)/gu, '$1 $2 $3')
    .split(/[\s,]+/)
    .filter((token) => token !== '');
  const found: Found = {};
  for (const token of tokens) {
    if (!takeToken(token, found)) return undefined;
  }
  if (found.year === undefined || found.month === undefined || found.day === undefined) return undefined;
  return momentOf(found as DateParts);
}

/** Takes one word of the date; false where it contradicts what a date can be. */
function takeToken(token: string, found: Found): boolean {
  if (token.includes(':') && /^\d/.test(token)) return takeTime(token, found);
  const date = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/.exec(token);
  if (date !== null) {
    found.year = Number(date[1]);
    found.month = Number(date[2]);
    found.day = Number(date[3]);
    return true;
  }
  const digits = /^(\d{1,4})(?:st|nd|rd|th|\.)?$/i.exec(token)?.[1];
  if (digits !== undefined) {
    if (digits.length <= 2 && found.day === undefined) found.day = Number(digits);
    else if (found.year === undefined) found.year = fullYear(digits);
    else return false;
    return true;
  }
  if (/^(?:am|pm)$/i.test(token)) return takeHalf(token, found);
  if (found.month === undefined && !weekday.test(token)) {
    const month = monthOf(token);
    if (month > 0) {
      found.month = month;
      return true;
    }
  }
  const zone = zoneMinutes(token);
  if (zone !== undefined) {
    if (Number.isNaN(zone)) return false;
    // "GMT+0200" may be written apart, and "(CEST)" may follow an offset: the first number counts.
    found.zone = found.zone === undefined || found.zone === 0 ? zone : found.zone;
    return true;
  }
  // Words that mean nothing to us (a weekday, a zone nobody knows, a remark in brackets) do no harm.
  return !/\d/.test(token);
}

function takeTime(token: string, found: Found): boolean {
  // 17:26:16+02:00
  const glued = /^([\d:.]+)([+-].+|Z)$/i.exec(token);
  const match = time.exec(glued?.[1] ?? token);
  if (match === null || found.hour !== undefined) return false;
  found.hour = Number(match[1]);
  found.minute = Number(match[2]);
  found.second = Number(match[3] ?? 0);
  if (match[4] !== undefined && !takeHalf(match[4], found)) return false;
  if (glued !== null) found.zone = zoneMinutes(glued[2]);
  return true;
}

function takeHalf(half: string, found: Found): boolean {
  if (found.hour === undefined || found.hour > 12) return found.hour !== undefined;
  found.hour = (found.hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  return true;
}

function readKorean(text: string): Moment | undefined {
  const match = korean.exec(text);
  if (match === null) return undefined;
  let hour = Number(match[5] ?? 0);
  if (match[4] === '오후' && hour < 12) hour += 12;
  if (match[4] === '오전' && hour === 12) hour = 0;
  return momentOf({
    year: Number(match[1]),
    month: Number(match[2]),
    day: Number(match[3]),
    hour,
    minute: Number(match[6] ?? 0),
    second: Number(match[7] ?? 0),
    zone: koreanZone,
  });
}
