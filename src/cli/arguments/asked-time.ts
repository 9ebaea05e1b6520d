import { readTime } from '../../base/dates/read-time.ts';
import { OrbweaverError } from '../../base/errors.ts';

/** A time that somebody has typed: a date, a date and time (UTC where it does not say otherwise), or how long ago. */
export function askedTime(flag: string, text: string, now: number): number {
  const at = readTime(text, now);
  if (at !== undefined) return at;
  throw new OrbweaverError('USAGE', `${flag} ${text} is not a time.`, {
    remedy: 'Write it as 2026-11-15 or 2026-11-15T12:00 (UTC), or how long ago: 7d, 12h, 30m.',
  });
}
