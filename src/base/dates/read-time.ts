import { timeOf } from './calendar.ts';

const DATE = String.raw`(?<year>\d{4})-(?<month>\d\d)(?:-(?<day>\d\d))?`;
const CLOCK = String.raw`(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?)?`;
const ZONE = String.raw`(?<utc>Z|UTC|GMT)|(?<sign>[+-])(?<zoneHours>\d\d)(?::?(?<zoneMinutes>\d\d))?`;
const WRITTEN = new RegExp(`^${DATE}(?:(?:T|\\s+)${CLOCK}\\s*(?:${ZONE})?)?$`, 'i');
const AGO = /^(?<count>\d{1,6}(?:\.\d{1,3})?)(?<unit>[smhdw])$/;
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * A time that somebody has written, in ms: a date, or a date and time with `T` or a space between them, as ISO 8601 has it
 * and as we print it (`2026-11-15 18:01:09 UTC`). Without a zone it is UTC, whatever the zone of the machine. With `now`
 * also how long ago: `7d`, `12h`, `30m`. Undefined where it is no time.
 */
export function readTime(text: string, now?: number): number | undefined {
  const written = text.trim();
  const ago = now === undefined ? undefined : AGO.exec(written)?.groups;
  if (now !== undefined && ago !== undefined) return now - Number(ago.count) * UNITS[ago.unit];
  const parts = WRITTEN.exec(written)?.groups as Readonly<Record<string, string | undefined>> | undefined;
  if (parts === undefined) return undefined;
  const number = (name: string, usual = 0): number => (parts[name] === undefined ? usual : Number(parts[name]));
  const minutes = (number('zoneHours') * 60 + number('zoneMinutes')) * (parts.sign === '-' ? -1 : 1);
  if (number('hour') > 23 || number('second') > 59 || number('zoneHours') > 23 || number('zoneMinutes') > 59)
    return undefined;
  return timeOf({
    year: number('year'),
    month: number('month'),
    day: number('day', 1),
    hour: number('hour'),
    minute: number('minute'),
    second: number('second'),
    millisecond: Number((parts.fraction ?? '').slice(0, 3).padEnd(3, '0')),
    zone: minutes,
  });
}
