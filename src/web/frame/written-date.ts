import { type Html, html } from './html.ts';

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });
const MONTHS = Array.from({ length: 12 }, (_, month) => MONTH.format(Date.UTC(2000, month)));
const MINUTE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** The farthest time that a date can tell. */
const MAX_TIME = 8.64e15;

/** A day to be read, and for programs; nothing where the time is not known. */
export function writtenDay(time: number): Html | undefined {
  if (!isTime(time)) return undefined;
  const date = new Date(time);
  // A page of results has ten of them, and a formatter takes four times as long.
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  return html`<time datetime="${date.toISOString().slice(0, 10)}">${day}</time>`;
}

export function writtenMinute(time: number): Html {
  if (!isTime(time)) return html`unknown time`;
  return html`<time datetime="${isoTime(time)}">${MINUTE.format(time)} UTC</time>`;
}

/** The time of a day, and the day where it is another one than that of `now`. */
export function writtenSecond(time: number, now = Date.now()): Html {
  if (!isTime(time)) return html`unknown time`;
  const iso = isoTime(time);
  const text =
    iso.slice(0, 10) === isoTime(now).slice(0, 10) ? iso.slice(11, 19) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
  return html`<time datetime="${iso}">${text} UTC</time>`;
}

export function isoTime(time: number): string {
  return new Date(isTime(time) || time === 0 ? time : 0).toISOString();
}

export function isTime(time: number): boolean {
  return Number.isFinite(time) && time !== 0 && Math.abs(time) <= MAX_TIME;
}
