import type { Clock } from '../../../src/base/clock.ts';
import { OrbweaverError } from '../../../src/base/errors.ts';
import type { Claim, CrawlTask, LinkRefusal, Settlement } from '../../../src/contracts/crawl-task.ts';
import type {
  AddVerdict,
  BegunClaim,
  Frontier,
  FrontierCounts,
  HostPlace,
  LinkBatch,
  LinkKeys,
  LinkVerdicts,
  SettleVerdict,
} from '../../../src/contracts/frontier.ts';
import type { PlaceChange, WaitingPlace } from '../../../src/contracts/place.ts';
import type { Message } from '../../../src/contracts/state/exchange.ts';
import type { FrontierOptions } from '../../../src/contracts/state/frontier-options.ts';
import type { PartitionLease } from '../../../src/contracts/state/partitions.ts';
import type { HostKey } from '../../../src/contracts/url.ts';
import { addTask, hostOf, isBarred, isErrandWaiting, takeIn } from './incoming.ts';
import type { ModelPartitions } from './model-partitions.ts';
import type { ModelStore } from './model-store.ts';
import { concurrencyOf, delayOf, restAfter } from './rests.ts';
import type { PartitionRows, WaitingRow } from './rows.ts';
import { aheadOf, availableOf, bestHost, hasRoom, leasedRow, openLeases, readyTime, roomAhead } from './schedule.ts';
import { acceptRobots, type SettlingContext, sendAndTakeIn, settleOne } from './settling.ts';

export interface ModelParts {
  readonly store: ModelStore;
  readonly lease: PartitionLease;
  readonly options: FrontierOptions;
  readonly clock: Clock;
  readonly partitions: ModelPartitions;
}

const HELD_BY_HAND = 'held by hand';

/**
 * The frontier as the contract tells it: nothing in memory, every question a walk through all rows, every change a copy of
 * the partition that replaces it. Times in the rows are those of the store; those of the caller are converted at the door.
 */
export class ModelFrontier implements Frontier {
  readonly #parts: ModelParts;
  /** Hosts whose address is being looked up by this owner. */
  readonly #lookedUp = new Set<HostKey>();

  constructor(parts: ModelParts) {
    this.#parts = parts;
  }

  get hosts(): number {
    return this.#rows.hosts.size;
  }

  async unknown(pages: readonly LinkKeys[]): Promise<LinkVerdicts[]> {
    const rows = this.#rows;
    return pages.map(({ fingerprints, host }) => {
      const places = [...fingerprints.keys()];
      const isOwn = (place: number): boolean => this.#partitionOf(host(place)) === this.#parts.lease.partition;
      return {
        unknown: places.filter(
          (at) => isOwn(at) && !rows.known.has(fingerprints[at]) && !isBarred(rows, fingerprints[at]),
        ),
        foreign: places.filter((at) => !isOwn(at)),
      };
    });
  }

  async add(tasks: readonly CrawlTask[]): Promise<AddVerdict[]> {
    const { options, lease } = this.#parts;
    const added = this.#transact((rows) =>
      tasks.map((task) =>
        this.#partitionOf(task.host) === lease.partition ? addTask(rows, options, task, this.#storeNow) : 'foreign',
      ),
    );
    return added?.result ?? tasks.map(() => 'fenced');
  }

  async accept(messages: readonly Message[]): Promise<boolean> {
    const { options } = this.#parts;
    const accepted = this.#transact((rows) => {
      for (const { body } of messages) {
        if (body.kind === 'links') {
          const tasks = body.tasks.filter((task) => !isErrandWaiting(rows, task));
          takeIn(rows, options, tasks, [], this.#storeNow);
        } else acceptRobots(rows, options, body.record, this.#storeNow);
      }
    });
    return accepted !== undefined;
  }

  async claim(max: number): Promise<Claim[]> {
    const { options, clock, lease, partitions } = this.#parts;
    if (clock.now() >= partitions.deadlineOf(lease)) return [];
    const now = this.#storeNow;
    const claimed = this.#transact((rows) => {
      this.#returnExpired(rows);
      const claims: Claim[] = [];
      while (claims.length < max) {
        const host = bestHost(rows, options, now);
        if (host === undefined) break;
        const dueAt = readyTime(rows, options, host);
        const [given] = aheadOf(rows, host);
        if (given !== undefined) {
          claims.push(this.#claimOf(rows, given, dueAt));
          this.#begin(rows, given, now);
          continue;
        }
        const [row] = availableOf(rows, options, host, now);
        row.lease = { id: ++rows.counter, since: now, until: now + options.leaseMs, dueBefore: host.dueAt };
        if ((options.hostConcurrency?.(host.key) ?? 1) > 1) host.dueAt = now + delayOf(options, host);
        claims.push(this.#claimOf(rows, row, dueAt));
      }
      return claims;
    });
    return claimed?.result ?? [];
  }

  async claimAhead(max: number, isWanted: (host: HostKey) => boolean = () => true): Promise<Claim[]> {
    const { options, clock, lease, partitions } = this.#parts;
    if (clock.now() >= partitions.deadlineOf(lease)) return [];
    const now = this.#storeNow;
    const claimed = this.#transact((rows) => {
      if (bestHost(rows, options, now) !== undefined) return [];
      const claims: Claim[] = [];
      for (const host of rows.hosts.values()) {
        // Those that have answered before have answers that wait, or have given something.
        const hasAnswered = host.bytes > 0 || [...rows.waiting.values()].some((row) => isAnsweredBy(row, host.key));
        while (claims.length < max && isWanted(host.key) && hasAnswered && roomAhead(rows, options, host, now) > 0) {
          const [row] = availableOf(rows, options, host, now);
          const until = now + options.leaseMs;
          row.lease = { id: ++rows.counter, since: now, until, dueBefore: host.dueAt, isAhead: true };
          claims.push(this.#claimOf(rows, row, now));
        }
      }
      return claims;
    });
    return claimed?.result ?? [];
  }

  #begin(rows: PartitionRows, row: WaitingRow, at: number): void {
    const host = hostOf(rows, row.task.host, 0);
    const { isAhead: _, ...lease } = row.lease as NonNullable<WaitingRow['lease']>;
    row.lease = { ...lease, since: at, dueBefore: host.dueAt };
    host.dueAt = Math.max(host.dueAt, at + delayOf(this.#parts.options, host));
  }

  async claimAlong(claim: Claim, max: number): Promise<Claim[]> {
    const rows = this.#rows;
    const own = leasedRow(rows, claim);
    if (own === undefined) return [];
    const host = hostOf(rows, claim.task.host, 0);
    return availableOf(rows, this.#parts.options, host, this.#storeNow)
      .filter(({ task, visited, tries }) => task.purpose === 'page' && !visited && tries === 0)
      .slice(0, max)
      .map((row) => ({ ...claim, task: this.#taskOf(row), tries: 0, place: { lane: row.lane, ord: row.number } }));
  }

  async settle(settlements: readonly Settlement[], learnt?: Uint8Array): Promise<SettleVerdict[]> {
    const settled = this.#transact((rows) => {
      if (learnt !== undefined) rows.learnt.push(learnt);
      return settlements.map((settlement) => settleOne(this.#inStoreTime(settlement), this.#context(rows)));
    });
    return settled?.result ?? settlements.map(() => 'fenced');
  }

  async nextLinkBatch(): Promise<LinkBatch | undefined> {
    const { linkBatches } = this.#rows;
    const [first] = linkBatches;
    return first === undefined ? undefined : { number: first[0], links: first[1], waiting: linkBatches.size };
  }

  async settleLinkBatch(
    batch: LinkBatch,
    found: { readonly links: readonly CrawlTask[]; readonly refusals: readonly LinkRefusal[] },
  ): Promise<void> {
    this.#mustTransact((rows) => {
      if (rows.linkBatches.delete(batch.number)) sendAndTakeIn(found, this.#context(rows));
    });
  }

  async answered(claims: readonly Claim[], begun: readonly BegunClaim[] = []): Promise<void> {
    this.#transact((rows) => {
      for (const claim of claims) {
        const row = leasedRow(rows, claim);
        if (row?.lease === undefined || row.lease.isAhead === true) continue;
        const isConcurrent = concurrencyOf(this.#parts.options, hostOf(rows, row.task.host, 0)) > 1;
        if (isConcurrent) row.lease = { ...row.lease, isAnswered: true };
      }
      for (const { claim, at } of begun) {
        const row = leasedRow(rows, claim);
        if (row?.lease?.isAhead === true) this.#begin(rows, row, this.#toStore(at));
      }
    });
  }

  async release(claims: readonly Claim[]): Promise<void> {
    this.#mustTransact((rows) => {
      for (const claim of claims) {
        const row = leasedRow(rows, claim);
        if (row?.lease === undefined) continue;
        const host = hostOf(rows, row.task.host, 0);
        const { since, dueBefore, isAhead } = row.lease;
        if (isAhead !== true && host.dueAt === since + delayOf(this.#parts.options, host)) host.dueAt = dueBefore;
        row.lease = undefined;
      }
    });
  }

  async holdHosts(hosts: readonly HostKey[], until: number, why: string): Promise<void> {
    this.#mustTransact((rows) => {
      for (const key of hosts) {
        const host = hostOf(rows, key, this.#storeNow);
        if (this.#toStore(until) <= host.holdUntil) continue;
        host.holdUntil = this.#toStore(until);
        host.holdWhy = why;
      }
    });
  }

  async parkHosts(hosts: readonly HostKey[], isParked: boolean): Promise<void> {
    this.#mustTransact((rows) => {
      for (const key of hosts) {
        const host = hostOf(rows, key, this.#storeNow);
        if (isParked) host.parked = HELD_BY_HAND;
        else if (host.parked === HELD_BY_HAND) host.parked = '';
      }
    });
  }

  async unresolvedHosts(max: number): Promise<HostKey[]> {
    const { options } = this.#parts;
    if (!options.addressFirst && !options.byAddress) return [];
    const rows = this.#rows;
    const wanted = [...rows.hosts.values()]
      .filter((host) => host.address === undefined && !this.#lookedUp.has(host.key) && host.parked === '')
      .filter((host) => availableOf(rows, options, host, this.#storeNow).length > 0)
      .slice(0, max)
      .map(({ key }) => key);
    for (const key of wanted) this.#lookedUp.add(key);
    return wanted;
  }

  async setAddresses(places: readonly HostPlace[]): Promise<void> {
    this.#mustTransact((rows) => {
      for (const { host, address } of places) hostOf(rows, host, this.#storeNow).address = address;
    });
  }

  async move(changes: readonly PlaceChange[]): Promise<number> {
    if (this.#parts.options.movable !== true) return 0;
    const { lanes } = this.#parts.options;
    return this.#mustTransact((rows) => changes.filter((change) => moveOne(rows, change, lanes)).length);
  }

  async stopDiscovery(): Promise<void> {}

  async updateRevisits(): Promise<number> {
    return 0;
  }

  *waiting(): Generator<WaitingPlace> {
    if (this.#parts.options.movable !== true) return;
    for (const { task, visited, fingerprint: fp, lane, why, foundAt } of this.#rows.waiting.values()) {
      if (visited || task.purpose !== 'page') continue;
      const { url, host, depth, discovery } = task;
      const place = { fingerprint: fp, url, host, depth, lane, inFeed: discovery.how === 'feed', foundAt };
      yield { ...place, ...(why === undefined ? {} : { why }) };
    }
  }

  async nextDue(): Promise<number | undefined> {
    const rows = this.#rows;
    const { options } = this.#parts;
    const times: number[] = [];
    for (const row of rows.waiting.values()) {
      if (row.lease !== undefined) times.push(row.lease.until);
      else if (row.notBefore > this.#storeNow) times.push(row.notBefore);
    }
    for (const host of rows.hosts.values()) {
      const isFree = host.parked === '' && openLeases(rows, host) < (options.hostConcurrency?.(host.key) ?? 1);
      const isGranted = host.parked === '' && aheadOf(rows, host).length > 0 && hasRoom(rows, options, host);
      if (isGranted) times.push(readyTime(rows, options, host));
      if (isFree && availableOf(rows, options, host, this.#storeNow).length > 0)
        times.push(readyTime(rows, options, host));
    }
    return times.length === 0 ? undefined : this.#toNode(Math.min(...times));
  }

  async counts(): Promise<FrontierCounts> {
    const rows = this.#rows;
    const waiting = [...rows.waiting.values()];
    return {
      known: rows.known.size,
      queued: waiting.length,
      leased: waiting.filter(({ lease }) => lease !== undefined).length,
      hosts: rows.hosts.size,
      parked: waiting.filter(
        ({ task, notBefore }) => rows.hosts.get(task.host)?.parked !== '' && notBefore <= this.#storeNow,
      ).length,
    };
  }

  get #rows(): PartitionRows {
    return this.#parts.store.read(this.#parts.lease);
  }

  get #storeNow(): number {
    return this.#parts.store.clock.now();
  }

  #toStore(time: number): number {
    return time - this.#parts.clock.now() + this.#storeNow;
  }

  #toNode(time: number): number {
    return time - this.#storeNow + this.#parts.clock.now();
  }

  #context(rows: PartitionRows): SettlingContext {
    const { options, lease } = this.#parts;
    const partitionOf = (host: HostKey): number => this.#partitionOf(host);
    return { rows, options, now: this.#storeNow, partition: lease.partition, partitionOf };
  }

  #partitionOf(host: HostKey): number {
    return this.#parts.partitions.partitionOf(host);
  }

  #transact<T>(change: (rows: PartitionRows) => T): { readonly result: T } | undefined {
    return this.#parts.store.transact(this.#parts.lease, change);
  }

  #mustTransact<T>(change: (rows: PartitionRows) => T): T {
    const done = this.#transact(change);
    if (done === undefined) throw new OrbweaverError('PARTITION_LOST', 'The partition has another owner by now.');
    return done.result;
  }

  #returnExpired(rows: PartitionRows): void {
    for (const row of rows.waiting.values()) {
      if (row.lease === undefined || row.lease.until > this.#storeNow) continue;
      restAfter(this.#parts.options, hostOf(rows, row.task.host, 0), row.lease.until);
      row.lease = undefined;
    }
  }

  #inStoreTime(settlement: Settlement): Settlement {
    const { use, nextVisit } = settlement;
    return {
      ...settlement,
      ...(use === undefined ? {} : { use: { ...use, endedAt: this.#toStore(use.endedAt) } }),
      ...(nextVisit === undefined ? {} : { nextVisit: this.#toStore(nextVisit) }),
    };
  }

  #taskOf({ task, lane, why }: WaitingRow): CrawlTask {
    const { why: _, offTopic, ...plain } = task;
    if (this.#parts.options.movable !== true) return { ...plain, lane };
    return {
      ...plain,
      lane,
      ...(why === undefined ? {} : { why }),
      ...(offTopic === undefined ? {} : { offTopic }),
    };
  }

  #claimOf(rows: PartitionRows, row: WaitingRow, dueAt: number): Claim {
    const lease = row.lease as NonNullable<WaitingRow['lease']>;
    const before = rows.pages.get(row.task.url);
    return {
      ...{ id: lease.id, task: this.#taskOf(row), tries: row.tries },
      ...(lease.isAhead === true ? { ahead: true as const } : {}),
      ...{ claimedAt: this.#toNode(lease.since), dueAt: this.#toNode(dueAt), expiresAt: this.#toNode(lease.until) },
      ...(row.visited && before !== undefined
        ? { validators: {}, earlier: { at: this.#toNode(before.visitedAt), outcome: before.outcome } }
        : {}),
    };
  }
}

function isAnsweredBy({ task, lease }: WaitingRow, host: HostKey): boolean {
  return task.host === host && lease?.isAnswered === true;
}

function moveOne(rows: PartitionRows, { fingerprint: fp, lane, why }: PlaceChange, lanes: number): boolean {
  const row = [...rows.waiting.values()].find((one) => one.fingerprint === fp && one.task.purpose === 'page');
  if (row === undefined || row.lease !== undefined) return false;
  const before = row.lane;
  row.lane = Math.min(lane, lanes - 1);
  row.why = why;
  return row.lane !== before;
}
