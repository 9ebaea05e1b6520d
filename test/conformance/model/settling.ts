import type { RobotsRecord } from '../../../src/contracts/content/robots.ts';
import type { CrawlTask, Settlement } from '../../../src/contracts/crawl-task.ts';
import type { SettleVerdict } from '../../../src/contracts/frontier.ts';
import type { MessageBody } from '../../../src/contracts/state/exchange.ts';
import type { FrontierOptions } from '../../../src/contracts/state/frontier-options.ts';
import type { HostKey } from '../../../src/contracts/url.ts';
import { hostOf, isReversible, takeIn } from './incoming.ts';
import { delayOf, parkIfExhausted, pushBack, setCrawlDelay, spend } from './rests.ts';
import type { HostRow, PartitionRows, WaitingRow } from './rows.ts';
import { leasedRow } from './schedule.ts';

const AWAITS_ROBOTS = 'waits for robots.txt of another host';

export interface SettlingContext {
  readonly rows: PartitionRows;
  readonly options: FrontierOptions;
  /** By the store; as all times of the settlement. */
  readonly now: number;
  readonly partition: number;
  readonly partitionOf: (host: HostKey) => number;
}

/** Ends a lease, with everything that follows. */
export function settleOne(settlement: Settlement, context: SettlingContext): SettleVerdict {
  const { rows, options, now } = context;
  const { claim, outcome, use } = settlement;
  const leased = leasedRow(rows, claim);
  if (leased?.lease === undefined || leased.lease.until <= now) return 'expired';
  const row = claim.place === undefined ? leased : rows.waiting.get(claim.place.ord);
  if (row === undefined || row.task.url !== claim.task.url) return 'expired';
  if (claim.place !== undefined) {
    if (row.lease !== undefined || use !== undefined) return 'expired';
    record(settlement, row, context);
    rows.waiting.delete(row.number);
    sendAndTakeIn(settlement, context);
    return 'applied';
  }
  const { since, dueBefore, isAhead } = leased.lease;
  const host = hostOf(rows, row.task.host, now);
  row.lease = undefined;
  const isHeldBack = outcome.kind === 'refused' && use === undefined && isReversible(outcome.by);
  const isNewPage = !isHeldBack && record(settlement, row, context);
  if (isHeldBack) rows.refusals.set(row.task.url, { task: row.task, by: outcome.by, rule: outcome.rule });
  robotsKnown(settlement, host, context);
  if (use !== undefined) spend(options, host, use, since, isNewPage);
  else if (isAhead !== true && host.dueAt === since + delayOf(options, host)) host.dueAt = dueBefore;
  if (outcome.kind !== 'deferred') leave(settlement, row, rows);
  sendAndTakeIn(settlement, context);
  for (const batch of settlement.linkBatches ?? []) rows.linkBatches.set(++rows.counter, batch);
  for (const { fingerprint: fp, lane, why } of options.movable === true ? (settlement.moves ?? []) : []) {
    const moved = [...rows.waiting.values()].find((one) => one.fingerprint === fp && one.lease === undefined);
    if (moved !== undefined) Object.assign(moved, { lane: Math.min(lane, options.lanes - 1), why });
  }
  parkIfExhausted(options, host);
  return 'applied';
}

/** Whether a new page is held by it. */
function record({ claim, outcome }: Settlement, row: WaitingRow, { rows, now }: SettlingContext): boolean {
  if (claim.task.purpose !== 'page' || outcome.kind === 'deferred') return false;
  const before = rows.pages.get(row.task.url)?.outcome.kind;
  rows.pages.set(row.task.url, { task: row.task, foundAt: row.foundAt, outcome, tries: row.tries, visitedAt: now });
  return outcome.kind === 'stored' && before !== 'stored';
}

/** Failures that may pass are tried again; whatever else has a next visit waits for a crawl that visits again, which this is not. */
function leave({ outcome, nextVisit, planned }: Settlement, row: WaitingRow, rows: PartitionRows): void {
  const failed = planned !== true && (outcome.kind === 'failed' || outcome.kind === 'refused');
  if (nextVisit === undefined || !failed) {
    rows.waiting.delete(row.number);
    return;
  }
  row.notBefore = nextVisit;
  row.tries++;
  row.visited = true;
}

function robotsKnown({ robots, claim, links }: Settlement, host: HostRow, context: SettlingContext): void {
  if (robots === undefined) return;
  const { rows, options, now, partition, partitionOf } = context;
  const key = claim.task.purpose === 'robots' ? hostOfOrigin(robots.origin) : host.key;
  if (partitionOf(key) !== partition) {
    send(context, partitionOf(key), { kind: 'robots', record: robots });
    return;
  }
  rows.robots.set(robots.origin, robots);
  const owner = rows.hosts.get(key);
  if (owner === undefined) return;
  if (robots.state === 'moved') {
    if (links?.some((link) => link.host !== key)) hold(owner, robots.expiresAt);
    return;
  }
  applyRobots(rows, options, owner, robots);
  if (robots.state === 'disallow-all' && owner !== host)
    pushBack(options, owner, now, { kind: 'unreachable', why: `robots.txt: ${robots.why}` }, now);
}

/** A file that was read in another partition: the later one counts. */
export function acceptRobots(rows: PartitionRows, options: FrontierOptions, record: RobotsRecord, now: number): void {
  const owner = rows.hosts.get(hostOfOrigin(record.origin));
  const before = rows.robots.get(record.origin);
  if (owner === undefined || (before !== undefined && before.fetchedAt >= record.fetchedAt)) return;
  rows.robots.set(record.origin, record);
  if (record.state === 'moved') return;
  applyRobots(rows, options, owner, record);
  if (record.state === 'disallow-all')
    pushBack(options, owner, now, { kind: 'unreachable', why: `robots.txt: ${record.why}` }, now);
}

function applyRobots(rows: PartitionRows, options: FrontierOptions, owner: HostRow, record: RobotsRecord): void {
  const { origin, crawlDelayMs = 0 } = record;
  const sister = origin.startsWith('https:') ? `http:${origin.slice(6)}` : `https:${origin.slice(5)}`;
  setCrawlDelay(options, owner, Math.max(crawlDelayMs, rows.robots.get(sister)?.crawlDelayMs ?? 0));
  if (owner.holdWhy === AWAITS_ROBOTS) Object.assign(owner, { holdUntil: 0, holdWhy: '' });
}

function hold(host: HostRow, until: number): void {
  if (until > host.holdUntil) Object.assign(host, { holdUntil: until, holdWhy: AWAITS_ROBOTS });
}

/** Links to hosts of other partitions leave as messages, one for each of these. */
export function sendAndTakeIn(
  { links = [], refusals = [] }: Pick<Settlement, 'links' | 'refusals'>,
  context: SettlingContext,
): void {
  const { rows, options, now, partition, partitionOf } = context;
  const byPartition = Map.groupBy(links, ({ host }) => partitionOf(host));
  for (const [to, tasks] of byPartition) if (to !== partition) send(context, to, { kind: 'links', tasks });
  takeIn(rows, options, byPartition.get(partition) ?? ([] as CrawlTask[]), refusals, now);
}

function send({ rows }: SettlingContext, to: number, body: MessageBody): void {
  const number = ++rows.counter;
  rows.outbox.set(number, { to, number, body });
}

function hostOfOrigin(origin: string): HostKey {
  return origin.slice(origin.indexOf('://') + 3) as HostKey;
}
