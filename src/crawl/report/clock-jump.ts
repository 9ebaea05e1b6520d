import type { ClockJump } from '../../base/clock.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** What the user is told of a jump of the system clock. */
export function formatClockJump({ kind, ms }: ClockJump): string {
  const size = formatSize(Math.abs(ms));
  if (kind === 'slept') return `The machine slept for ${size}. The crawl goes on; no host is asked sooner for that.`;
  return `The system clock was set ${ms < 0 ? 'back' : 'forward'} by ${size}. Delays, holds and limits of this run do not follow it; dates in the archive and in the log of changes do.`;
}

/** The two largest units. */
function formatSize(ms: number): string {
  const first = UNITS.findIndex(([, unit]) => ms >= unit);
  const parts: string[] = [];
  let left = Math.round(ms / 1000) * 1000;
  for (const [name, unit] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(left / unit);
    left -= count * unit;
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' ');
}
