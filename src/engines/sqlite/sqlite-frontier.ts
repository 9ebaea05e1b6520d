import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { Claim, CrawlTask, LinkRefusal, Settlement } from '../../contracts/crawl-task.ts';
import type { AddVerdict, Frontier, FrontierCounts, HostPlace } from '../../contracts/frontier.ts';
import type { HostKey } from '../../contracts/url.ts';
import { HostLedger } from '../../frontier/host-ledger.ts';
import { HostSchedule } from '../../frontier/host-schedule.ts';
import { type HostId, HostTable } from '../../frontier/host-table.ts';
import { SeenSet } from '../../frontier/seen-set.ts';
import { registrableDomain } from '../../url/public-suffix.ts';
import { Counters } from './counters.ts';
import type { FrontierOptions } from './frontier-options.ts';
import { HostRows } from './host-rows.ts';
import { LeaseRows } from './lease-rows.ts';
import { PageRows } from './page-rows.ts';
import { QueueRows, rowOf } from './queue-rows.ts';
import { fingerprintOf, heldBack, RefusalBook } from './refusal-book.ts';
import { SeenRows } from './seen-rows.ts';
import { storageError } from './storage-error.ts';

/** Endings that count against the page budget. */
const PAGE_ENDINGS: ReadonlySet<string> = new Set(['stored', 'duplicate', 'unchanged']);
const ROBOTS_HOLD = 'waits for robots.txt of another host';
/** URLs that return from the calendar in one claim; more wait for the next. */
const RETURN_BATCH = 5000;

/**
 * The frontier on SQLite: hosts and fingerprints in memory, URLs on disk, every change one transaction.
 * Memory is changed inside the transaction; if that fails the frontier refuses all further work, because what it
 * holds in memory may then be ahead of the disk. Opening it again starts from what was committed.
 */
export class SqliteFrontier implements Frontier {
  readonly #db: DatabaseSync;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #options: FrontierOptions;
  readonly #hosts = new HostTable();
  readonly #seen = new SeenSet();
  readonly #schedule: HostSchedule;
  readonly #hostRows: HostRows;
  readonly #ledger: HostLedger;
  readonly #queue: QueueRows;
  readonly #leases: LeaseRows;
  readonly #pages: PageRows;
  readonly #counters: Counters;
  readonly #refusals: RefusalBook;
  readonly #seenRows: SeenRows;
  #fault: OrbweaverError | undefined;

  constructor(db: DatabaseSync, folder: string, clock: Clock, random: () => number, options: FrontierOptions) {
    this.#db = db;
    this.#folder = folder;
    this.#clock = clock;
    this.#random = random;
    this.#options = options;
    this.#schedule = new HostSchedule(this.#hosts, { ...options, choice: options.laneChoice }, random);
    this.#hostRows = new HostRows(db, this.#hosts);
    this.#ledger = new HostLedger(this.#hosts, this.#schedule, options, random, this.#hostRows.holdWhy, (host) =>
      this.#hostRows.touch(host),
    );
    this.#queue = new QueueRows(db);
    this.#leases = new LeaseRows(db);
    this.#pages = new PageRows(db);
    this.#counters = new Counters(db);
    this.#seenRows = new SeenRows(db);
    this.#refusals = new RefusalBook(db, this.#counters, options.maxRefusals);
    this.#transaction(() => this.#load());
  }

  async unknown(fingerprints: BigUint64Array): Promise<number[]> {
    const places: number[] = [];
    for (let place = 0; place < fingerprints.length; place++) {
      const fp = fingerprints[place];
      if (!this.#seen.has(fp) && !this.#refusals.bars(fp)) places.push(place);
    }
    return places;
  }

  async add(tasks: readonly CrawlTask[]): Promise<AddVerdict[]> {
    return this.#transaction(() => this.#addAll(tasks));
  }

  async claim(max: number): Promise<Claim[]> {
    const now = this.#clock.now();
    if (
      !this.#leases.anyExpired(now) &&
      (this.#schedule.nextDue() ?? Number.POSITIVE_INFINITY) > now &&
      !this.#laterDue(now)
    ) {
      return [];
    }
    return this.#transaction(() => {
      this.#returnExpired(now);
      this.#returnPostponed(now);
      const claims: Claim[] = [];
      while (claims.length < max) {
        const host = this.#schedule.take(now);
        if (host < 0) break;
        claims.push(this.#lease(host, now));
      }
      return claims;
    });
  }

  async settle(settlements: readonly Settlement[]): Promise<void> {
    if (settlements.length === 0) return;
    this.#transaction(() => {
      for (const settlement of settlements) this.#settleOne(settlement);
    });
  }

  async release(claims: readonly Claim[]): Promise<void> {
    this.#transaction(() => {
      for (const claim of claims) {
        const host = this.#hosts.idOf(claim.task.host);
        if (host === undefined || this.#leases.get(host)?.id !== claim.id) continue;
        this.#leases.remove(host);
        this.#schedule.release(host, false);
      }
    });
  }

  async holdHost(key: HostKey, until: number, why: string): Promise<void> {
    this.#transaction(() => {
      this.#ledger.hold(this.#hostId(key), until, why);
    });
  }

  async unplaced(max: number): Promise<HostKey[]> {
    return this.#schedule.unplaced(max, this.#clock.now()).map((host) => this.#hosts.keyOf(host));
  }

  async placeHosts(places: readonly HostPlace[]): Promise<void> {
    if (!this.#options.byAddress) {
      for (const { host } of places) this.#schedule.placed(this.#hostId(host));
      return;
    }
    this.#transaction(() => {
      for (const place of places) {
        const host = this.#hostId(place.host);
        this.#hostRows.address.set(host, place.address);
        this.#hostRows.touch(host);
        this.#schedule.join(host, 'address', place.address);
        this.#schedule.placed(host);
      }
    });
  }

  async nextDue(): Promise<number | undefined> {
    const times = [this.#schedule.nextDue(), this.#queue.firstLater(), this.#leases.firstEnd()];
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  async counts(): Promise<FrontierCounts> {
    return {
      known: this.#seen.size,
      queued: this.#ledger.queued + this.#counters.values.later,
      leased: this.#leases.size,
      hosts: this.#hosts.size,
      parked: this.#ledger.parked,
    };
  }

  /** Hosts known so far. */
  get hosts(): number {
    return this.#hosts.size;
  }

  /** Bytes of memory that grow with the number of known URLs. */
  get seenBytes(): number {
    return this.#seen.bytes + this.#refusals.bytes;
  }

  /** Everything that must be right again before the first claim. */
  #load(): void {
    const now = this.#clock.now();
    const hosts = this.#hosts;
    const asOf = this.#hostRows.load(this.#db);
    SeenRows.load(this.#db, this.#seen, (host, lane, batch) => {
      if (batch <= asOf[host]) return;
      hosts.lane[host] = hosts.queued[host] === 0 ? lane : Math.min(lane, hosts.lane[host]);
      hosts.queued[host]++;
    });
    // A lease that outlived its process: that host may have been asked up to the very end of it.
    for (const host of this.#leases.removeAll()) {
      this.#ledger.restAfter(host, now);
    }
    for (let host = 0; host < hosts.size; host++) {
      if (this.#options.byDomain) this.#joinDomain(host);
      const address = this.#hostRows.address.get(host);
      if (this.#options.byAddress && address !== undefined) {
        this.#schedule.join(host, 'address', address);
        this.#schedule.placed(host);
      }
      this.#ledger.restore(host);
    }
  }

  #addAll(tasks: readonly CrawlTask[]): AddVerdict[] {
    const now = this.#clock.now();
    const verdicts = tasks.map((task) => this.#addOne(task, now));
    if (this.#seenRows.pending) this.#seenRows.write(++this.#counters.values.batch);
    return verdicts;
  }

  #addLinks(links: readonly CrawlTask[]): void {
    if (links.length === 0) return;
    const verdicts = this.#addAll(links);
    for (let i = 0; i < links.length; i++) {
      if (verdicts[i] !== 'over-budget') continue;
      this.#refuse({
        task: links[i],
        by: 'budget',
        rule: `the budget of ${links[i].host} is used up or its queue is full`,
      });
    }
  }

  #addOne(task: CrawlTask, now: number): AddVerdict {
    const isPage = task.purpose === 'page';
    const fp = fingerprintOf(task);
    if (isPage && this.#seen.has(fp) && !this.#refusals.holds(fp)) return 'known';
    if (!this.#options.owns(task.host)) return 'foreign';
    const host = this.#hostId(task.host);
    if (isPage) {
      if (!this.#ledger.hasRoom(host)) return 'over-budget';
      this.#seen.add(fp);
      this.#refusals.withdraw(fp);
    }
    const seq = ++this.#counters.values.seq;
    const row = rowOf(task, host, this.#options.order === 'lifo' ? -seq : seq, now, this.#options.lanes);
    this.#queue.insert(row);
    if (isPage) this.#seenRows.add(fp, host, row.lane);
    else this.#hostRows.touch(host);
    this.#ledger.entered(host, row.lane);
    return 'added';
  }

  #lease(host: HostId, now: number): Claim {
    const { lanes, laneChoice, leaseMs } = this.#options;
    const row = this.#queue.head(host, lanes, laneChoice, this.#random);
    if (row === undefined) {
      throw new OrbweaverError('FOLDER_CORRUPT', `The queue of ${this.#hosts.keyOf(host)} is empty against its count.`);
    }
    this.#hosts.lane[host] = laneChoice === 'strict' ? row.lane : Math.min(row.lane, this.#hosts.lane[host]);
    const lease = this.#leases.insert(host, row.lane, row.ord, now + leaseMs);
    const task = this.#queue.task(row, this.#hosts.keyOf(host));
    const claim = {
      id: lease.id,
      task,
      tries: row.tries,
      claimedAt: now,
      dueAt: this.#schedule.readyTime(host),
      expiresAt: lease.until,
    };
    return row.visited === 0 ? claim : { ...claim, validators: this.#pages.validatorsOf(task.url) };
  }

  #settleOne(reported: Settlement): void {
    const settlement = this.#pages.judgeDuplicate(reported);
    const { claim, outcome, use } = settlement;
    const host = this.#hosts.idOf(claim.task.host);
    const lease = host === undefined ? undefined : this.#leases.get(host);
    if (host === undefined || lease === undefined || lease.id !== claim.id) return;
    // It ran out, though nobody has taken it back yet: the URL returns with the next claim.
    if (lease.until <= this.#clock.now()) return;
    const row = this.#queue.at(host, lease.lane, lease.ord);
    if (row === undefined) throw new OrbweaverError('FOLDER_CORRUPT', `${claim.task.url} is leased but not queued.`);
    this.#leases.remove(host);
    const held = heldBack(settlement);
    if (held === undefined) {
      this.#counters.count(settlement);
      this.#pages.write(settlement, row, host, this.#clock.now());
    } else this.#refusals.holdBack(held, this.#clock.now());
    if (settlement.robots !== undefined) this.#robotsKnown(settlement, host);
    if (use !== undefined) {
      const isPage = claim.task.purpose === 'page' && PAGE_ENDINGS.has(outcome.kind);
      this.#ledger.spend(host, use, isPage, settlement.robots?.state !== 'moved');
    }
    if (outcome.kind !== 'deferred') this.#leaveQueue(settlement, row);
    this.#addLinks(settlement.links ?? []);
    for (const refusal of settlement.refusals ?? []) this.#refuse(refusal);
    this.#ledger.parkIfExhausted(host);
    this.#hostRows.touch(host);
    this.#schedule.release(host, use !== undefined);
    if (use?.address !== undefined) this.#moveHost(host, use.address);
  }

  #leaveQueue({ outcome, nextVisit }: Settlement, row: Parameters<QueueRows['postpone']>[0]): void {
    if (nextVisit === undefined) {
      this.#queue.remove(row.host, row.lane, row.ord);
    } else {
      const failed = outcome.kind === 'failed' || outcome.kind === 'refused';
      this.#queue.postpone({ ...row, tries: failed ? row.tries + 1 : 0, visited: 1 }, nextVisit);
      this.#counters.values.later++;
    }
    this.#ledger.left(row.host);
  }

  #moveHost(host: HostId, address: string): void {
    if (this.#hostRows.address.get(host) === address) return;
    this.#hostRows.address.set(host, address);
    this.#hostRows.touch(host);
    if (this.#options.byAddress) this.#schedule.join(host, 'address', address);
  }

  #refuse(refusal: LinkRefusal): void {
    if (!this.#seen.has(fingerprintOf(refusal.task))) this.#refusals.write(refusal, this.#clock.now());
  }

  /** Sets the Crawl-delay of the host the file belongs to; a file that lies elsewhere holds its host until it is read. */
  #robotsKnown({ robots, claim, links }: Settlement, host: HostId): void {
    if (robots === undefined) return;
    const owner = claim.task.purpose === 'robots' ? this.#hostOfOrigin(robots.origin) : host;
    if (owner === undefined) return;
    if (robots.state !== 'moved') {
      this.#ledger.setCrawlDelay(
        owner,
        Math.max(robots.crawlDelayMs ?? 0, this.#pages.sisterCrawlDelay(robots.origin)),
      );
    }
    // On the same host the robots task simply goes first; a hold would keep it from being asked at all.
    if (robots.state === 'moved' && links?.some((link) => link.host !== this.#hosts.keyOf(owner))) {
      this.#ledger.hold(owner, robots.expiresAt, ROBOTS_HOLD);
      return;
    }
    this.#ledger.unhold(owner, ROBOTS_HOLD);
    if (robots.state === 'disallow-all' && owner !== host) {
      this.#ledger.pushBack(owner, this.#clock.now(), { kind: 'unreachable', why: `robots.txt: ${robots.why}` });
    }
  }

  #hostOfOrigin(origin: string): HostId | undefined {
    return this.#hosts.idOf(origin.slice(origin.indexOf('://') + 3) as HostKey);
  }

  #returnExpired(now: number): void {
    for (const lease of this.#leases.expired(now)) {
      this.#leases.remove(lease.host);
      // Its worker may still be at it, so the host rests as if the request ended just now.
      this.#ledger.restAfter(lease.host, lease.until);
      this.#schedule.release(lease.host, true);
    }
  }

  #laterDue(now: number): boolean {
    return this.#counters.values.later > 0 && (this.#queue.firstLater() ?? Number.POSITIVE_INFINITY) <= now;
  }

  #returnPostponed(now: number): void {
    if (!this.#laterDue(now)) return;
    for (const row of this.#queue.takeDue(now, RETURN_BATCH)) {
      this.#counters.values.later--;
      this.#ledger.entered(row.host, row.lane);
      this.#hostRows.touch(row.host);
    }
  }

  #hostId(key: HostKey): HostId {
    const known = this.#hosts.idOf(key);
    if (known !== undefined) return known;
    const host = this.#hostRows.append(key);
    this.#hosts.dueAt[host] = this.#clock.now();
    if (this.#options.byDomain) this.#joinDomain(host);
    return host;
  }

  #joinDomain(host: HostId): void {
    const key = this.#hosts.keyOf(host);
    this.#schedule.join(host, 'domain', registrableDomain(key.replace(/:\d+$/, '')) ?? key);
  }

  /** Runs the change and writes hosts and counters with it; all or nothing on disk. */
  #transaction<T>(change: () => T): T {
    if (this.#fault !== undefined) throw this.#fault;
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      const result = change();
      this.#hostRows.write(this.#counters.values.batch);
      this.#counters.values.queued = this.#ledger.queued;
      this.#counters.values.parked = this.#ledger.parked;
      this.#counters.write();
      this.#db.exec('COMMIT');
      return result;
    } catch (cause) {
      this.#fault = storageError(cause, this.#folder);
      try {
        if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      } catch {
        // The first error tells what is wrong; a rollback that fails too adds nothing.
      }
      throw this.#fault;
    }
  }
}
