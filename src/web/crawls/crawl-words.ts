import type { CrawlCondition, LibraryCrawl } from '../../contracts/crawl-library.ts';
import { describeSchedule } from '../../crawls/run-times.ts';
import { type Html, html } from '../frame/html.ts';
import { formatDuration, formatSize } from '../frame/written-amount.ts';
import { isoTime } from '../frame/written-date.ts';

const NAMES: Readonly<Record<CrawlCondition, string>> = {
  new: 'Not started',
  waiting: 'Waiting',
  running: 'Running',
  stopping: 'Stopping',
  stopped: 'Stopped',
  finished: 'Finished',
  failed: 'Failed',
  interrupted: 'Interrupted',
  imported: 'Documents',
  broken: 'Damaged',
  foreign: 'No crawl',
};

/** The condition as a sign that can be read without colours. */
export function conditionBadge({ condition, facts }: LibraryCrawl): Html {
  const isPaused = condition === 'running' && facts?.pausedAt !== undefined;
  return html`<span class="condition ${condition}${isPaused && ' paused'}">${isPaused ? 'Paused' : NAMES[condition]}</span>`;
}

export function ago(time: number, now: number): Html {
  const ms = now - time;
  return html`<time datetime="${isoTime(time)}">${ms < 60_000 ? 'just now' : `${formatDuration(ms)} ago`}</time>`;
}

export function freshness({ facts, condition }: LibraryCrawl, now: number): Html {
  if (facts === undefined || facts.lastVisit === undefined) return html`–`;
  const share = facts.freshness === undefined ? '' : `${Math.round(facts.freshness * 100)} % fresh, `;
  return html`${share}${condition === 'running' && facts.pausedAt === undefined ? 'now' : ago(facts.lastVisit, now)}`;
}

export function writtenSize({ size }: LibraryCrawl): string {
  if (size === undefined) return '…';
  return `${size.atLeast ? 'more than ' : ''}${formatSize(size.bytes)}`;
}

export function nextRun(crawl: LibraryCrawl, now: number): Html {
  const { nextRun: next, schedule, continuous } = crawl;
  if (schedule !== undefined && next !== undefined) {
    const when = next <= now ? 'now' : `in ${formatDuration(next - now)}`;
    return html`<time datetime="${isoTime(next)}">${when}</time> <small>${describeSchedule(schedule)}</small>`;
  }
  return continuous ? html`continuous` : html`–`;
}

export function isBusy({ condition }: LibraryCrawl): boolean {
  return condition === 'running' || condition === 'stopping' || condition === 'waiting';
}

/** The way to the pages of a crawl. */
export function crawlLink(name: string): string {
  return `/crawls/${encodeURIComponent(name)}/`;
}

export function manageLink(name: string): string {
  return `/manage/${encodeURIComponent(name)}`;
}
