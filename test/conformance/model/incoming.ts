import { fingerprint } from '../../../src/base/fingerprint.ts';
import type { CrawlTask, LinkRefusal, RefusedBy } from '../../../src/contracts/crawl-task.ts';
import type { AddVerdict } from '../../../src/contracts/frontier.ts';
import type { FrontierOptions } from '../../../src/contracts/state/frontier-options.ts';
import type { HostKey } from '../../../src/contracts/url.ts';
import { exhausted } from './rests.ts';
import type { HostRow, PartitionRows } from './rows.ts';

/** For reasons that the crawl has learnt and may unlearn. */
export function isReversible(by: RefusedBy): boolean {
  return by === 'trap' || by === 'mirror' || by === 'budget';
}

/** Refused by what another link to the same URL cannot change. */
export function isBarred(rows: PartitionRows, fp: bigint): boolean {
  return [...rows.refusals.values()].some(
    ({ task, by }) => fingerprint(task.url) === fp && (by === 'scope' || by === 'url' || isReversible(by)),
  );
}

/** Side requests are never known; one that waits need not be sent twice. */
export function isErrandWaiting(rows: PartitionRows, { url, purpose, forOrigin }: CrawlTask): boolean {
  return (
    purpose !== 'page' &&
    [...rows.waiting.values()].some(
      ({ task }) => task.url === url && task.purpose === purpose && task.forOrigin === forOrigin,
    )
  );
}

export function hostOf(rows: PartitionRows, key: HostKey, now: number): HostRow {
  let host = rows.hosts.get(key);
  if (host === undefined) {
    host = {
      ...{ key, number: rows.hosts.size, dueAt: now, holdUntil: 0, holdWhy: '', crawlDelayMs: 0, lastFetchMs: 0 },
      ...{ pushbacks: 0, unreached: 0, pushedAt: 0, pages: 0, bytes: 0, spentMs: 0, parked: '', address: undefined },
    };
    rows.hosts.set(key, host);
  }
  return host;
}

export function addTask(rows: PartitionRows, options: FrontierOptions, task: CrawlTask, now: number): AddVerdict {
  const fp = task.fingerprint ?? fingerprint(task.url);
  const isPage = task.purpose === 'page';
  const isKnown = isPage && rows.known.has(fp);
  if (isKnown && !rows.refusals.has(task.url)) return 'known';
  const host = hostOf(rows, task.host, now);
  const queued = [...rows.waiting.values()].filter((row) => row.task.host === task.host && row.notBefore <= now).length;
  if (isPage && (queued >= options.budgets.maxQueued || exhausted(options, host) !== '')) return 'over-budget';
  if (isPage) {
    rows.known.add(fp);
    rows.refusals.delete(task.url);
  }
  const number = ++rows.counter;
  rows.waiting.set(number, {
    ...{ number, fingerprint: fp, task, foundAt: now, why: task.why, tries: 0, notBefore: 0, lease: undefined },
    lane: isPage ? Math.min(task.lane, options.lanes - 1) : 0,
    visited: isKnown && rows.pages.has(task.url),
  });
  return 'added';
}

/** Links as far as there is room for them, and those that were refused. */
export function takeIn(
  rows: PartitionRows,
  options: FrontierOptions,
  links: readonly CrawlTask[],
  refusals: readonly LinkRefusal[],
  now: number,
): void {
  for (const task of links) {
    const rule = `the budget of ${task.host} is used up or its queue is full`;
    if (addTask(rows, options, task, now) === 'over-budget') refuse(rows, { task, by: 'budget', rule });
  }
  for (const refusal of refusals) refuse(rows, refusal);
}

function refuse(rows: PartitionRows, refusal: LinkRefusal): void {
  const { task } = refusal;
  if (rows.known.has(fingerprint(task.url)) || rows.refusals.has(task.url)) return;
  rows.refusals.set(task.url, refusal);
}
