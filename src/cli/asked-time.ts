import { OrbweaverError } from '../base/errors.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A time that somebody has typed: a date, a date and time (UTC where it does not say otherwise), or how long ago. */
export function askedTime(flag: string, text: string, now: number): number {
  const ago = /^(\d{1,6}(?:\.\d{1,3})?)([smhdw])$/.exec(text.trim());
  if (ago !== null) return now - Number(ago[1]) * UNITS[ago[2]];
  const written = text.trim();
  const at = /^\d{4}-\d\d/.test(written)
    ? Date.parse(/Z|[+-]\d\d:?\d\d$/.test(written) || !written.includes('T') ? written : `${written}Z`)
    : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new OrbweaverError('USAGE', `${flag} ${text} is not a time.`, {
    remedy: 'Write it as 2026-11-15 or 2026-11-15T12:00 (UTC), or how long ago: 7d, 12h, 30m.',
  });
}
