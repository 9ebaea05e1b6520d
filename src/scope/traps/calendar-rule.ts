import type { Clock } from '../../base/clock.ts';
import { ADMIT, type Rule, refuse } from '../rule.ts';

export interface CalendarWindow {
  readonly yearsAhead: number;
  readonly yearsBack: number;
}

/** A number of four digits beyond the window is mostly no year; calendars are left page by page, through here. */
const BAND = 100;
const MONTHS = 12;
const DAYS = 31;
const ZERO = 0x30;
const MINUS = 0x2d;
const SLASH = 0x2f;
const QUESTION = 0x3f;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const NONE = -1;

/**
 * Pages of a calendar outside a window around today. What counts as one: /2031/05 (the month with its zero), /2031/5/17, a segment
 * or value 2031-05 or 2031-05-17, and parameters that are named year and month.
 */
export function createCalendarRule({ yearsAhead, yearsBack }: CalendarWindow, clock: Clock): Rule {
  return {
    name: 'trap-years',
    judge({ url }) {
      const date = dateIn(url);
      if (date === NONE) return ADMIT;
      const now = new Date(clock.now());
      const months = date - (now.getUTCFullYear() * MONTHS + now.getUTCMonth());
      const ahead = months - yearsAhead * MONTHS;
      const behind = -months - yearsBack * MONTHS;
      if (ahead > 0 && ahead <= BAND * MONTHS) {
        return refuse('trap', `trap-years-ahead ${yearsAhead}: a calendar page of ${spoken(date)}`);
      }
      if (behind > 0 && behind <= BAND * MONTHS) {
        return refuse('trap', `trap-years-back ${yearsBack}: a calendar page of ${spoken(date)}`);
      }
      return ADMIT;
    },
  };
}

function spoken(date: number): string {
  return `${Math.floor(date / MONTHS)}-${String((date % MONTHS) + 1).padStart(2, '0')}`;
}

/** Months since the year 0, or NONE. */
function dateIn(url: string): number {
  let start = url.indexOf('/', 8) + 1;
  let year = NONE;
  let month = NONE;
  for (let i = start; i <= url.length; i++) {
    const code = i === url.length ? QUESTION : url.charCodeAt(i);
    if (code !== SLASH && code !== QUESTION) continue;
    const written = isoDate(url, start, i);
    if (written !== NONE) return written;
    const value = digitsOf(url, start, i);
    if (month !== NONE && value >= 1 && value <= DAYS) return year * MONTHS + month - 1;
    month = year !== NONE && value >= 1 && value <= MONTHS ? value : NONE;
    // A number of one digit, or one from 10 to 12, may as well be that of a page.
    if (month !== NONE && i - start === 2 && value < 10) return year * MONTHS + month - 1;
    if (month === NONE) year = i - start === 4 && value >= 1000 ? value : NONE;
    start = i + 1;
    if (code === QUESTION) break;
  }
  return start <= url.length ? dateInQuery(url, start) : NONE;
}

function dateInQuery(url: string, from: number): number {
  let year = NONE;
  let month = NONE;
  let nameStart = from;
  let equals = NONE;
  for (let i = from; i <= url.length; i++) {
    const code = i === url.length ? AMPERSAND : url.charCodeAt(i);
    if (code === EQUALS && equals === NONE) equals = i;
    if (code !== AMPERSAND) continue;
    if (equals !== NONE) {
      const written = isoDate(url, equals + 1, i);
      if (written !== NONE) return written;
      const value = digitsOf(url, equals + 1, i);
      if (i - equals === 5 && ends(url, equals, 'year', nameStart)) year = value;
      else if (value >= 1 && value <= MONTHS && ends(url, equals, 'month', nameStart)) month = value;
    }
    nameStart = i + 1;
    equals = NONE;
  }
  return year === NONE || month === NONE ? NONE : year * MONTHS + month - 1;
}

/** 2031-05, 2031-05-17. */
function isoDate(url: string, start: number, end: number): number {
  const length = end - start;
  if ((length !== 7 && length !== 10) || url.charCodeAt(start + 4) !== MINUS) return NONE;
  if (length === 10 && (url.charCodeAt(start + 7) !== MINUS || digitsOf(url, start + 8, end) > DAYS)) return NONE;
  const year = digitsOf(url, start, start + 4);
  const month = digitsOf(url, start + 5, start + 7);
  return year === NONE || month < 1 || month > MONTHS ? NONE : year * MONTHS + month - 1;
}

/** The value of a few digits, or NONE. */
function digitsOf(url: string, start: number, end: number): number {
  if (end <= start || end - start > 4) return NONE;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = url.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return NONE;
    value = value * 10 + digit;
  }
  return value;
}

function ends(url: string, end: number, word: string, from: number): boolean {
  return end - word.length >= from && url.slice(end - word.length, end).toLowerCase() === word;
}
