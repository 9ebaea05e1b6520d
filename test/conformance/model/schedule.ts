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
  return leasesOf(rows, hosts).filter(({ isAnswered }) => isAnswered !== true).length;
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
  const laneOf = (host: HostRow): number => availableOf(rows, options, host, now)[0].lane;
  return [...rows.hosts.values()]
    .filter((host) => host.parked === '' && readyTime(rows, options, host) <= now)
    .filter((host) => (!options.addressFirst && !options.byAddress) || host.address !== undefined)
    .filter((host) => requests(rows, host) < concurrencyOf(options, host))
    .filter((host) => openLeases(rows, host) - requests(rows, host) < concurrencyOf(options, host))
    .filter((host) =>
      groupsOf(rows, options, host).every((group) => requests(rows, ...group) < concurrencyOf(options, host)),
    )
    .filter((host) => availableOf(rows, options, host, now).length > 0)
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
