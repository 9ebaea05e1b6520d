import type { ChangeHistory, ChangeSignal } from '../contracts/revisit.ts';

/** "9.3 days", "5.1 hours", "3 years": as precise as a reader wants it. */
export function formatDays(days: number): string {
  if (!Number.isFinite(days)) return 'ages';
  if (days < 1.5 / 1440) return amount(days * 86_400, 'second');
  if (days < 1.5 / 24) return amount(days * 1440, 'minute');
  if (days < 1.5) return amount(days * 24, 'hour');
  if (days < 730) return amount(days, 'day');
  return amount(days / 365.25, 'year');
}

/** What is known of the page's changes. */
function formatHabit(history: ChangeHistory): string {
  const looks = history.visits - 1;
  if (looks <= 0) return `new: taken to change about every ${formatDays(1 / history.rate)} like pages at large`;
  const found = `${history.changes} of ${looks} ${looks === 1 ? 'look' : 'looks'} found a change`;
  return `changes about every ${formatDays(1 / history.rate)} (${found})`;
}

export type PaceReason =
  | 'even'
  | 'in proportion'
  | 'worth it'
  | 'hopeless'
  | 'rare look'
  | 'as often as allowed'
  | 'spread';

const reasons: Readonly<Record<PaceReason, (interval: string) => string>> = {
  even: (interval) => `every page has its turn once in ${interval}`,
  'in proportion': (interval) => `one visit in ${interval} is its share by how often it changes`,
  'worth it': (interval) => `one visit in ${interval} is worth its price`,
  hopeless: (interval) => `too fast to be kept fresh at this price; it has what others leave, one look in ${interval}`,
  'rare look': (interval) => `not worth more than one look in ${interval}`,
  'as often as allowed': (interval) => `visited as often as allowed, once in ${interval}`,
  spread: (interval) => `one visit in ${interval}; the first is moved so that visits spread evenly`,
};

export function formatPace(history: ChangeHistory, reason: PaceReason, days: number): string {
  return `${formatHabit(history)}; ${reasons[reason](formatDays(days))}`;
}

const sources: Readonly<Record<Exclude<ChangeSignal['from'], 'neighbour' | 'changefreq' | 'user'>, string>> = {
  sitemap: 'a sitemap',
  feed: 'a feed',
  push: 'a push',
};

export const PUSHED_BY_USER = 'you pushed it: visited at once';

export function formatSignal(signal: ChangeSignal, verdict: 'hurry' | 'old news' | 'not worth it'): string {
  if (signal.from === 'user') return PUSHED_BY_USER;
  const trust = `${Math.round(signal.trust * 100)} % believed`;
  const said = formatSource(signal, trust);
  if (verdict === 'hurry') return `${said}; looking sooner is worth its price`;
  if (verdict === 'old news') return `${said}, but it was visited since`;
  return `${said}; the planned visit is soon enough`;
}

function formatSource({ from, changefreq }: ChangeSignal, trust: string): string {
  if (from === 'neighbour') return `a page beside it has changed, and so may it (${trust})`;
  if (from === 'changefreq') return `a sitemap gives its changefreq as ${changefreq ?? 'often'} (${trust})`;
  return `${sources[from as keyof typeof sources]} says that it has changed (${trust})`;
}

function amount(value: number, unit: string): string {
  const rounded = value < 9.95 ? Math.round(value * 10) / 10 : Math.round(value);
  return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`;
}
