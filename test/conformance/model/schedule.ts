import type { Claim } from '../../../src/contracts/crawl-task.ts';
import type { FrontierOptions } from '../../../src/contracts/state/frontier-options.ts';
import { registrableDomain } from '../../../src/url/public-suffix.ts';
import { concurrencyOf } from './rests.ts';
import type { HostRow, LeaseRow, PartitionRows, WaitingRow } from './rows.ts';

/** URLs of the host that may be asked for, the first first: side requests, then by lane and age. */
export function availableOf(
  rows: PartitionRows,
  { order }: FrontierOptions,
  { key }: HostRow,
  now: number,
): WaitingRow[] {
  const age = order === 'lifo' ? -1 : 1;
  return [...rows.waiting.values()]
    .filter((row) => row.task.host === key && row.lease === undefined && row.notBefore <= now)
    .sort(
      (a, b) =>
        Number(isPage(a)) - Number(isPage(b)) || a.lane - b.lane || (isPage(a) ? age : 1) * (a.number - b.number),
    );
}

export function openLeases(rows: PartitionRows, ...hosts: readonly HostRow[]): number {
  return leasesOf(rows, hosts).length;
}

/** Those whose requests may be under way. */
function requests(rows: PartitionRows, ...hosts: readonly HostRow[]): number {
  return leasesOf(rows, hosts).filter(({ isAnswered, isAhead }) => isAnswered !== true && isAhead !== true).length;
}

function answers(rows: PartitionRows, host: HostRow): number {
  return leasesOf(rows, [host]).filter(({ isAnswered }) => isAnswered === true).length;
}

/** Whether one more request of the host may be under way. */
export function hasRoom(rows: PartitionRows, options: FrontierOptions, host: HostRow): boolean {
  const most = concurrencyOf(options, host);
  return requests(rows, host) < most && answers(rows, host) < most;
}

/** What the host was given ahead, the oldest first. */
export function aheadOf(rows: PartitionRows, { key }: HostRow): WaitingRow[] {
  return [...rows.waiting.values()]
    .filter(({ task, lease }) => task.host === key && lease?.isAhead === true)
    .sort((a, b) => (a.lease?.id ?? 0) - (b.lease?.id ?? 0));
}

/** How many more requests of a host may be claimed ahead: see the contract. */
export function roomAhead(rows: PartitionRows, options: FrontierOptions, host: HostRow, now: number): number {
  const { politeness, budgets, byAddress, byDomain } = options;
  const most = concurrencyOf(options, host);
  const rests = politeness.minimumDelayMs > 0 || politeness.delayFactor > 0 || host.crawlDelayMs > 0;
  const mayEnd = budgets.maxBytes < Number.POSITIVE_INFINITY || budgets.maxMs < Number.POSITIVE_INFINITY;
  if (most === 1 || rests || mayEnd || byAddress || byDomain) return 0;
  if (host.parked !== '' || host.holdUntil > now || requests(rows, host) < most) return 0;
  const waiting = answers(rows, host) + aheadOf(rows, host).length;
  const pagesLeft = budgets.maxPages - host.pages - openLeases(rows, host);
  return Math.min(most - waiting, availableOf(rows, options, host, now).length, pagesLeft);
}

function leasesOf(rows: PartitionRows, hosts: readonly HostRow[]): LeaseRow[] {
  const keys = new Set(hosts.map(({ key }) => key));
  return [...rows.waiting.values()].flatMap(({ task, lease }) =>
    lease !== undefined && keys.has(task.host) ? [lease] : [],
  );
}

export function leasedRow(rows: PartitionRows, { id, task }: Claim): WaitingRow | undefined {
  return [...rows.waiting.values()].find((row) => row.lease?.id === id && row.task.host === task.host);
}

/** Before this the host may not be asked: its own rest and hold, and the rests of all hosts that it is one with. */
export function readyTime(rows: PartitionRows, options: FrontierOptions, host: HostRow): number {
  const rests = groupsOf(rows, options, host).flatMap((group) => group.map(({ dueAt }) => dueAt));
  return Math.max(host.dueAt, host.holdUntil, ...rests);
}

/** The host whose best URL is the most urgent, of those that may be asked now. */
export function bestHost(rows: PartitionRows, options: FrontierOptions, now: number): HostRow | undefined {
  const next = (host: HostRow): WaitingRow | undefined =>
    aheadOf(rows, host)[0] ?? availableOf(rows, options, host, now)[0];
  const laneOf = (host: HostRow): number => next(host)?.lane ?? 0;
  return [...rows.hosts.values()]
    .filter((host) => host.parked === '' && readyTime(rows, options, host) <= now)
    .filter((host) => (!options.addressFirst && !options.byAddress) || host.address !== undefined)
    .filter((host) => hasRoom(rows, options, host))
    .filter((host) =>
      groupsOf(rows, options, host).every((group) => requests(rows, ...group) < concurrencyOf(options, host)),
    )
    .filter((host) => next(host) !== undefined)
    .sort(
      (a, b) =>
        laneOf(a) - laneOf(b) || readyTime(rows, options, a) - readyTime(rows, options, b) || a.number - b.number,
    )
    .at(0);
}

function groupsOf(rows: PartitionRows, { byAddress, byDomain }: FrontierOptions, host: HostRow): HostRow[][] {
  const hosts = [...rows.hosts.values()];
  const groups: HostRow[][] = [];
  if (byAddress && host.address !== undefined && host.address !== '')
    groups.push(hosts.filter(({ address }) => address === host.address));
  if (byDomain) groups.push(hosts.filter(({ key }) => domainOf(key) === domainOf(host.key)));
  return groups;
}

function domainOf(key: string): string {
  return registrableDomain(key.replace(/:\d+$/, '')) ?? key;
}

function isPage({ task }: WaitingRow): boolean {
  return task.purpose === 'page';
}
