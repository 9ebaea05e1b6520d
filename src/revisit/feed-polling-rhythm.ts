const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** How often and when a feed publishes. Plain data; sums that fade. */
export interface FeedRhythm {
  /** Whether the feed was ever seen. */
  readonly begun: boolean;
  /** Time up to which it was watched, ms. */
  readonly at: number;
  /** Publications, faded. */
  readonly events: number;
  /** Time watched, ms, faded alike. */
  readonly watched: number;
  /** Publications by hour of the day and by day of the week (from Sunday), GMT, faded. */
  readonly hours: readonly number[];
  readonly days: readonly number[];
}

/** Without a word from anybody: one publication in three days, believed as much as that one would be. */
const PRIOR_RATE = 1 / (3 * DAY);
const PRIOR_EVENTS = 0.5;
/** Items closer together than this are one publication: one poll finds them all. */
const TOGETHER = 5 * MINUTE;
/** What was before this many publications has faded to a third, within these bounds in time. */
const MEMORY_EVENTS = 40;
const MEMORY_MIN = 3 * DAY;
const MEMORY_MAX = 120 * DAY;
/** Pseudo-counts of each hour and day: the profile counts as much as it was observed. */
const HOUR_PRIOR = 0.5;
const DAY_PRIOR = 2;
/** Older items say nothing of today. */
const MAX_AGE = 365 * DAY;

/** A rhythm of which only is known what the feed says of itself. */
export function newRhythm(at: number, saidRate?: number): FeedRhythm {
  const rate = saidRate === undefined ? PRIOR_RATE : Math.sqrt(saidRate * PRIOR_RATE);
  return {
    begun: false,
    at,
    events: PRIOR_EVENTS,
    watched: PRIOR_EVENTS / rate,
    hours: new Array<number>(24).fill(0),
    days: new Array<number>(7).fill(0),
  };
}

/** What a poll adds. The first brings the feed's past. Dates in the future or older than a year count as none. */
export function observeRhythm(
  rhythm: FeedRhythm,
  seen: { readonly at: number; readonly dates: readonly number[]; readonly undated: number },
): FeedRhythm {
  const first = !rhythm.begun;
  // Some publish with yesterday's date; what is older came from elsewhere.
  const from = first ? seen.at - MAX_AGE : rhythm.at - DAY;
  const events = publications(seen.dates.filter((date) => date > from && date <= seen.at));
  // News that bear no date, or a false one, came at some time since the last poll. Of a first poll they tell nothing.
  const unknown = !first && events.length === 0 && seen.dates.length + seen.undated > 0 ? 1 : 0;
  // The oldest item of a feed is where the watch began; itself it was not waited for.
  const counted = first ? events.slice(1) : events;
  const span = Math.max(0, seen.at - (first ? (events[0] ?? seen.at) : rhythm.at));
  const memory = memoryOf(rhythm);
  const keep = first ? 1 : Math.exp(-span / memory);
  const hours = rhythm.hours.map((count) => count * keep);
  const days = rhythm.days.map((count) => count * keep);
  let added = unknown;
  for (const event of counted) {
    const date = new Date(event);
    const weight = Math.exp((event - seen.at) / memory);
    hours[date.getUTCHours()] += weight;
    days[date.getUTCDay()] += weight;
    added += weight;
  }
  return {
    begun: true,
    at: seen.at,
    events: rhythm.events * keep + added,
    watched: rhythm.watched * keep + memory * (1 - Math.exp(-span / memory)),
    hours,
    days,
  };
}

/** Publications per ms to be expected around a time. */
export function expectedRate(rhythm: FeedRhythm, at: number): number {
  const date = new Date(at);
  const hour = date.getUTCHours();
  const { hours, days } = rhythm;
  // Neighbouring hours count by half: nobody publishes by the clock's strike.
  const around = (hours[(hour + 23) % 24] + 2 * hours[hour] + hours[(hour + 1) % 24]) / 4;
  const byHour = (around + HOUR_PRIOR) / (sum(hours) / 24 + HOUR_PRIOR);
  const byDay = (days[date.getUTCDay()] + DAY_PRIOR) / (sum(days) / 7 + DAY_PRIOR);
  return (rhythm.events / rhythm.watched) * byHour * byDay;
}

/** The time of the next poll, by sqrt(λ / 2c), or when `maxItems` are expected: what has left a feed is never noticed. */
export function timeOfNextPoll(
  rhythm: FeedRhythm,
  from: number,
  limits: { readonly pollWorth: number; readonly ceiling: number; readonly maxItems: number },
): number {
  const end = from + limits.ceiling;
  let interval = 1;
  let items = limits.maxItems;
  for (let time = from; time < end; ) {
    const hourEnd = (Math.floor(time / HOUR) + 1) * HOUR;
    const rate = expectedRate(rhythm, time);
    const speed = Math.sqrt(rate / (2 * limits.pollWorth));
    const wait = Math.min(interval / speed, items / rate);
    if (time + wait <= hourEnd) return Math.min(time + wait, end);
    interval -= (hourEnd - time) * speed;
    items -= (hourEnd - time) * rate;
    time = hourEnd;
  }
  return end;
}

function publications(dates: readonly number[]): number[] {
  const found: number[] = [];
  for (const date of [...dates].sort((a, b) => a - b)) {
    if (found.length === 0 || date - found[found.length - 1] >= TOGETHER) found.push(date);
  }
  return found;
}

function memoryOf(rhythm: FeedRhythm): number {
  const gap = rhythm.watched / rhythm.events;
  return Math.min(Math.max(MEMORY_EVENTS * gap, MEMORY_MIN), MEMORY_MAX);
}

function sum(counts: readonly number[]): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}
