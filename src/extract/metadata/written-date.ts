import { fullYear, timeOf } from '../../base/dates/calendar.ts';
import { zoneMinutes } from '../../base/dates/time-zone.ts';
import { monthOf } from '../month-names.ts';

/** A date as somebody wrote it. */
export interface WrittenDate {
  /** ms since the epoch; without a zone the time counts as UTC. */
  readonly time: number;
  /** YYYY-MM-DD, as written: in UTC it may be another day. */
  readonly day: string;
}

export interface PlacedDate extends WrittenDate {
  readonly start: number;
  readonly end: number;
}

export interface DateReading {
  /** 10/12/2019 is the twelfth of October, as in the United States. */
  readonly monthFirst?: boolean;
}

/** Longer texts are no dates, and looking for one in them is looking in prose. */
const MAX_LENGTH = 400;

interface Parts {
  readonly year?: string;
  readonly month?: string;
  readonly name?: string;
  readonly day?: string;
  readonly first?: string;
  readonly second?: string;
}

const ORDINAL = String.raw`(?:st|nd|rd|th|er|ère|re|e|de|º|ª|°|\.)?`;
const YEAR = String.raw`(?<year>(?:19|20|25)\d\d)(?!\d)`;
const NAME = String.raw`(?<name>\p{L}[\p{L}\p{M}]{1,14})`;
const BEGUN_BY_DIGIT: readonly RegExp[] = patterns(
  // 2019-10-19, 2019/10/19, 2019.10.19, 2019. 10. 19.
  String.raw`(?<!\d)${YEAR}(?:-|/|\.|\. )(?<month>\d{1,2})(?:-|/|\.|\. )(?<day>\d{1,2})(?!\d)`,
  // 2019年10月19日, 2019년 10월 19일
  String.raw`(?<!\d)${YEAR}\s?[年년]\s?(?<month>\d{1,2})\s?[月월]\s?(?<day>\d{1,2})\s?[日일]?`,
  // 19.10.2019, 19/10/19, 10/19/2019, 19. 10. 2019
  String.raw`(?<![\d.,])(?<first>\d{1,2})\s?(?<mark>[./-])\s?(?<second>\d{1,2})\s?\k<mark>\s?(?<year>(?:19|20)\d\d|\d\d)(?![\d.]\d|\d)`,
  // 19. Oktober 2019, 19 de octubre de 2019, 1er octobre 2019, Sat, 19 Oct 2019, 19-Oct-2019
  String.raw`(?<!\d)(?<day>\d{1,2})${ORDINAL}[\s-]*(?:of |de |d['’]|din )?\s*${NAME}\.?,?[\s-]*(?:de[l ]? ?|of )?\s*${YEAR}`,
  // 19 Oct 19, 19. Okt. '19
  String.raw`(?<!\d)(?<day>\d{1,2})${ORDINAL}[\s-]+${NAME}\.?[\s-]+['’]?(?<year>\d\d)(?![\d:.])`,
  // 2019. október 19., 2019 m. spalio 19 d., 2019 October 19
  String.raw`(?<!\d)${YEAR}\.?(?:[\s-]+m\.)?[\s-]+${NAME}\.?[\s-]+(?<day>\d{1,2})(?!\d)`,
);
const BEGUN_BY_NAME: readonly RegExp[] = patterns(
  // October 19, 2019; Oct. 19th 2019
  String.raw`${NAME}\.?\s+(?<day>\d{1,2})${ORDINAL},?\s+(?:de |of )?${YEAR}`,
  // Sat Oct 19 10:00:00 CEST 2019
  String.raw`${NAME}\s+(?<day>\d{1,2})\s+\d\d:\d\d:\d\d\s+(?:[A-Z+\d:-]{1,9}\s+)?${YEAR}`,
);
/** What every date has that begins with a name. */
const DAY_BEHIND_NAME = /\s\d{1,2}(?!\d)/;

/** Only as the whole of a value that is known to be a date: 20191019T101500Z, 20191019. */
const COMPACT =
  /^(?<year>(?:19|20)\d\d)(?<month>\d\d)(?<day>\d\d)(?=$|[T\s\d])(?:[T\s]?(?<time>\d{4}(?:\d\d)?)(?:\d{3})?(?<zone>Z|[+-]\d\d:?\d\d)?)?$/;

const TIME =
  /^[\s,T|·•–—@-]*(?:(?:at|um|à|a las|às|alle|ore|kl\.?|om|в|о|klo|o godz\.?)\s+)?(?<hour>\d{1,2})(?::|\.|h|\s?uhr\s?)(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,]\d{1,9})?)?\s*(?<half>[ap]\.?m\b\.?)?\s*(?:uhr|h\b|hrs)?\s*\(?(?<zone>Z\b|[+-]\d\d:?\d\d|[A-Z]{3,4}\b(?:\s?[+-]\d\d:?\d\d)?)?/i;

/** Reads a value that should be a date: the first date in it, or a count of seconds or ms. */
export function readDate(text: string, reading: DateReading = {}): WrittenDate | undefined {
  const written = text.trim();
  if (/^\d{8,14}(?:$|[TZ\d+:-])/.test(written)) {
    const compact = compactDate(written);
    if (compact !== undefined) return compact;
  }
  if (/^\d{9,10}(?:\.\d+)?$|^1\d{12}$/.test(written)) {
    const count = Number(written);
    return dateAt(written.length === 13 ? count : Math.trunc(count) * 1000);
  }
  return findDate(written, 0, reading);
}

/** The first date in a text at or after `from`. Years run from 1900 to 2099; no day of the calendar is invented. */
export function findDate(text: string, from = 0, reading: DateReading = {}): PlacedDate | undefined {
  const searched = asciiDigits(text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text);
  const firstDigit = searched.slice(from).search(/\d/);
  if (firstDigit === -1) return undefined;
  let best: PlacedDate | undefined;
  for (const pattern of BEGUN_BY_DIGIT) {
    // Before the first digit none of the others begins either.
    if (best?.start === from + firstDigit) break;
    best = firstOf(pattern, searched, from, reading, best);
  }
  if (DAY_BEHIND_NAME.test(searched))
    for (const pattern of BEGUN_BY_NAME) best = firstOf(pattern, searched, from, reading, best);
  return best;
}

/** The first date of this form, or the one that is known, where that does not begin after it. */
function firstOf(
  pattern: RegExp,
  text: string,
  from: number,
  reading: DateReading,
  best: PlacedDate | undefined,
): PlacedDate | undefined {
  // Set before each use, so that nothing is carried from one text to the next.
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (best !== undefined && match.index >= best.start) return best;
    const day = dayOf((match.groups ?? {}) as Parts, readingAt(match, reading));
    if (day === undefined) {
      pattern.lastIndex = match.index + 1;
      continue;
    }
    const end = match.index + match[0].length;
    return { ...withTime(day, text.slice(end, end + 40)), start: match.index, end };
  }
  return best;
}

function patterns(...sources: readonly string[]): readonly RegExp[] {
  return sources.map((source) => new RegExp(source, 'gu'));
}

/** 11/01/2023 12:43:42 is how programs write the first of November where nobody told them a country. */
function readingAt(match: RegExpExecArray, reading: DateReading): DateReading {
  if (match.groups?.mark !== '/') return reading;
  const end = match.index + match[0].length;
  return /^ \d{1,2}:\d\d:\d\d(?:\s*[AP]M)?$/.test(match.input.slice(end, end + 13).trimEnd())
    ? { monthFirst: true }
    : reading;
}

/** The date in the path of a URL: /2019/10/19/, /2019-10-19-title, /20191019. */
export function dateInPath(path: string): WrittenDate | undefined {
  const match =
    /\/(?<year>(?:19|20)\d\d)[/_-](?<month>\d{1,2})[/_-](?<day>\d{1,2})(?=[/_.-]|$)/.exec(path) ??
    /(?<=[/_.-])(?<year>20[0-4]\d)(?<month>[01]\d)(?<day>[0-3]\d)(?=[/_.-]|$)/.exec(path) ??
    /(?<=[/_-])(?<year>20[0-4]\d)-(?<month>[01]\d)-(?<day>[0-3]\d)(?=[/_.-]|$)/.exec(path);
  return match === null ? undefined : dayOf((match.groups ?? {}) as Parts, {});
}

function compactDate(text: string): WrittenDate | undefined {
  const match = COMPACT.exec(text);
  if (match?.groups === undefined) return undefined;
  const { time = '', zone = '' } = match.groups;
  const day = dayOf(match.groups as Parts, {});
  if (day === undefined || time === '') return day;
  return withTime(day, ` ${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4) || '00'} ${zone}`);
}

function dayOf(parts: Parts, reading: DateReading): WrittenDate | undefined {
  let year = fullYear(parts.year ?? '');
  // The years of the Thai calendar.
  if (year >= 2500) year -= 543;
  if (parts.name !== undefined) return calendarDay(year, monthOf(parts.name), Number(parts.day));
  if (parts.first === undefined) return calendarDay(year, Number(parts.month), Number(parts.day));
  const first = Number(parts.first);
  const second = Number(parts.second);
  const [month, day] = reading.monthFirst === true ? [first, second] : [second, first];
  return calendarDay(year, month, day) ?? calendarDay(year, day, month);
}

function calendarDay(year: number, month: number, day: number): WrittenDate | undefined {
  const time = timeOf({ year, month, day });
  return time === undefined ? undefined : { time, day: new Date(time).toISOString().slice(0, 10) };
}

function withTime(date: WrittenDate, text: string): WrittenDate {
  const parts = TIME.exec(text)?.groups;
  if (parts === undefined) return date;
  const half = parts.half?.[0].toLowerCase();
  const hour = Number(parts.hour);
  const minute = Number(parts.minute);
  if (hour > 23 || minute > 59) return date;
  const hours = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0);
  const seconds = Math.min(Number(parts.second ?? 0), 59);
  return {
    day: date.day,
    time: date.time + ((hours * 60 + minute) * 60 + seconds) * 1000 - (zoneMinutes(parts.zone ?? '') || 0) * 60_000,
  };
}

function dateAt(time: number): WrittenDate | undefined {
  const year = new Date(time).getUTCFullYear();
  return year >= 1990 && year < 2100 ? { time, day: new Date(time).toISOString().slice(0, 10) } : undefined;
}

/** Digits of other scripts, each counted from its zero. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10];

function asciiDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\uff10-\uff19]/g, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = ZEROS.find((start) => code >= start && code < start + 10) ?? code;
    return String(code - zero);
  });
}
