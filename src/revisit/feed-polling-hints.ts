const HOUR = 3_600_000;
const DAY = 86_400_000;

/** What a feed and its answer say of the time of the next poll. Nothing here is believed without bounds. */
export interface FeedHints {
  /** RSS ttl. */
  readonly ttlMinutes?: number;
  /** RSS 1.0 syndication module: sy:updatePeriod divided by sy:updateFrequency. */
  readonly updateSeconds?: number;
  /** Hours of the day (0-23, GMT) at which nobody should ask. */
  readonly skipHours?: readonly number[];
  /** English names of days, GMT. */
  readonly skipDays?: readonly string[];
  /** Cache-Control: max-age, less Age. */
  readonly maxAgeSeconds?: number;
  /** Expires, ms; max-age goes before it. */
  readonly expiresAt?: number;
}

/** Bounds of a belief in what a feed says of itself, ms. */
const MIN_UPDATES = HOUR / 12;
const MAX_UPDATES = 365 * DAY;
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/**
 * The time before which the publisher or a cache says that asking is of no use. sy:update* is not among them: it tells how
 * often the feed is updated, mostly a default of the software ("hourly, 1"), and asks for nothing.
 */
export function restAskedFor(hints: FeedHints, at: number, ceiling: number): number {
  const ttl = positive(hints.ttlMinutes) * 60_000;
  const fresh =
    hints.maxAgeSeconds !== undefined
      ? positive(hints.maxAgeSeconds) * 1000
      : positive(hints.expiresAt === undefined ? 0 : hints.expiresAt - at);
  return at + Math.min(Math.max(ttl, fresh), ceiling);
}

/** Updates per ms that the feed says it has: where a rhythm starts from before anything was seen. */
export function saidUpdatesPerMs(hints: FeedHints): number | undefined {
  const seconds = positive(hints.updateSeconds);
  return seconds === 0 ? undefined : 1 / Math.min(Math.max(seconds * 1000, MIN_UPDATES), MAX_UPDATES);
}

/** The hints alone, of whatever object holds them, and no more of each than can count: they are kept with the schedule. */
export function onlyHints(source: FeedHints): FeedHints {
  const { ttlMinutes, updateSeconds, maxAgeSeconds, expiresAt, skipHours = [], skipDays = [] } = source;
  return {
    ...(ttlMinutes === undefined ? {} : { ttlMinutes }),
    ...(updateSeconds === undefined ? {} : { updateSeconds }),
    ...(maxAgeSeconds === undefined ? {} : { maxAgeSeconds }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(skipHours.length === 0 ? {} : { skipHours: skipHours.slice(0, 24) }),
    ...(skipDays.length === 0 ? {} : { skipDays: skipDays.slice(0, 7) }),
  };
}

/** The first time at or after `at` that lies in no skipped hour or day; `at` itself where every hour is skipped. */
export function outsideSkipped(at: number, hints: FeedHints): number {
  // Some write midnight as 24.
  const hours = new Set((hints.skipHours ?? []).map((hour) => hour % 24));
  const days = new Set((hints.skipDays ?? []).map((day) => DAYS.indexOf(day.trim().toLowerCase())));
  if (hours.size === 0 && days.size === 0) return at;
  let time = at;
  for (let hour = 0; hour <= 7 * 24; hour++) {
    const date = new Date(time);
    if (!hours.has(date.getUTCHours()) && !days.has(date.getUTCDay())) return time;
    time = (Math.floor(time / HOUR) + 1) * HOUR;
  }
  return at;
}

function positive(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : 0;
}
