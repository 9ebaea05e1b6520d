import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Clock } from '../../base/clock.ts';
import type { Claim, CrawlTask, Settlement } from '../../contracts/crawl-task.ts';
import type {
  AddVerdict,
  BegunClaim,
  Frontier,
  FrontierCounts,
  HostPlace,
  JudgedLinks,
  LinkBatch,
  LinkKeys,
  LinkVerdicts,
  RevisitUpdate,
  SettleVerdict,
} from '../../contracts/frontier.ts';
import type { PlaceChange, WaitingPlace } from '../../contracts/place.ts';
import type { Message } from '../../contracts/state/exchange.ts';
import type { FrontierOptions } from '../../contracts/state/frontier-options.ts';
import type { HostKey } from '../../contracts/url.ts';
import { HostLedger } from '../../frontier/host-ledger.ts';
import { HostSchedule } from '../../frontier/host-schedule.ts';
import { HostTable } from '../../frontier/host-table.ts';
import { SeenSet } from '../../frontier/seen-set.ts';
import { Counters } from './counters.ts';
import { Claiming } from './hosts/claiming.ts';
import { HostClocks } from './hosts/host-clocks.ts';
import { HostOutlook } from './hosts/host-outlook.ts';
import { HostRoster } from './hosts/host-roster.ts';
import { HostRows } from './hosts/host-rows.ts';
import { HostTurns } from './hosts/host-turns.ts';
import { IncomingUrls } from './incoming-urls.ts';
import { type Ownership, SOLE_OWNER } from './ownership.ts';
import { fingerprintOf, RejectedUrls } from './rejected-urls.ts';
import { RobotsEffects } from './robots-effects.ts';
import { LeaseRows } from './rows/lease-rows.ts';
import { LinkBatchRows } from './rows/link-batch-rows.ts';
import { PageRows } from './rows/page-rows.ts';
import { SeenRows } from './rows/seen-rows.ts';
import { Transactions } from './transactions.ts';
import type { VisitToPlan } from './visit-plan.ts';
import { VisitSettling } from './visit-settling.ts';
import { WaitingUrls } from './waiting-urls.ts';

/** The frontier on SQLite: hosts and fingerprints in memory, URLs on disk. After a failed change it refuses all work. */
export class SqliteFrontier implements Frontier {
  readonly #db: DatabaseSync;
  readonly #clock: Clock;
  readonly #options: FrontierOptions;
  readonly #hosts = new HostTable();
  readonly #seen = new SeenSet();
  readonly #schedule: HostSchedule;
  readonly #hostRows: HostRows;
  readonly #roster: HostRoster;
  readonly #ledger: HostLedger;
  readonly #leases: LeaseRows;
  readonly #pages: PageRows;
  readonly #counters: Counters;
  readonly #refusals: RejectedUrls;
  readonly #seenRows: SeenRows;
  readonly #robots: RobotsEffects;
  readonly #waiting: WaitingUrls;
  readonly #turns: HostTurns;
  readonly #incoming: IncomingUrls;
  readonly #linkBatches: LinkBatchRows;
  readonly #transactions: Transactions;
  readonly #learnt: StatementSync;
  readonly #clocks: HostClocks;
  readonly #settling: VisitSettling;
  readonly outlook: HostOutlook;
  readonly #claiming: Claiming;

  constructor(
    db: DatabaseSync,
    folder: string,
    clock: Clock,
    random: () => number,
    options: FrontierOptions,
    ownership: Ownership = SOLE_OWNER,
  ) {
    this.#db = db;
    this.#clock = clock;
    this.#options = options;
    this.#schedule = new HostSchedule(this.#hosts, { ...options, choice: options.laneChoice }, random);
    this.#hostRows = new HostRows(db, this.#hosts);
    this.#roster = new HostRoster(this.#hosts, this.#hostRows, this.#schedule, options, clock);
    this.#ledger = new HostLedger(this.#hosts, this.#schedule, options, random, this.#hostRows.holds, (host) =>
      this.#hostRows.touch(host),
    );
    this.#leases = new LeaseRows(db);
    this.outlook = new HostOutlook(this.#hosts, this.#schedule, this.#leases);
    this.#pages = new PageRows(db);
    this.#counters = new Counters(db);
    this.#seenRows = new SeenRows(db);
    this.#refusals = new RejectedUrls(db, this.#counters, options.maxRefusals);
    this.#learnt = db.prepare('INSERT INTO learning (events) VALUES (?)');
    this.#robots = new RobotsEffects(this.#hosts, this.#ledger, this.#pages, clock, ownership.neighbours);
    this.#transactions = new Transactions({
      ...{ db, folder, finish: () => this.#writeSums(), isOwned: () => ownership.isOwned() },
      isGathering: ownership.isGathering === true,
    });
    const parts = { hosts: this.#hosts, hostRows: this.#hostRows, ledger: this.#ledger, counters: this.#counters };
    this.#waiting = new WaitingUrls(db, { ...parts, leases: this.#leases, pages: this.#pages }, options);
    this.#turns = new HostTurns({ ...parts, leases: this.#leases, queue: this.#waiting.queue, random }, options);
    this.#linkBatches = new LinkBatchRows(db);
    this.#incoming = new IncomingUrls({
      ...{ ...parts, clock, seen: this.#seen, seenRows: this.#seenRows, refusals: this.#refusals },
      ...{ roster: this.#roster, waiting: this.#waiting, pages: this.#pages, neighbours: ownership.neighbours },
    });
    this.#clocks = new HostClocks({ ...parts, schedule: this.#schedule, leases: this.#leases, clock }, options);
    this.#settling = new VisitSettling(db, {
      ...{ ...parts, clock, schedule: this.#schedule, roster: this.#roster, leases: this.#leases, pages: this.#pages },
      ...{ refusals: this.#refusals, robots: this.#robots, waiting: this.#waiting, incoming: this.#incoming },
      ...{ linkBatches: this.#linkBatches, clocks: this.#clocks, allowance: options.allowance, turns: this.#turns },
    });
    this.#claiming = new Claiming(
      {
        ...parts,
        schedule: this.#schedule,
        turns: this.#turns,
        leases: this.#leases,
        waiting: this.#waiting,
        pages: this.#pages,
      },
      options,
    );
    this.#transaction(() => this.#load(ownership.stillAskingMs));
    const { places } = this.#waiting;
    if (places?.complete === false) places.rebuild((change) => this.#transaction(change));
  }

  async unknown(pages: readonly LinkKeys[]): Promise<LinkVerdicts[]> {
    return pages.map((keys) => this.#incoming.unknown(keys));
  }

  async add(tasks: readonly CrawlTask[]): Promise<AddVerdict[]> {
    if (this.#transactions.isFenced) return tasks.map(() => 'fenced');
    return this.#transaction(() => this.#incoming.add(tasks));
  }

  /** As `add`, of links that were refused before. Answers how many came in, here or in another partition. */
  async readmit(tasks: readonly CrawlTask[]): Promise<number> {
    return this.#transactions.isFenced ? 0 : this.#transaction(() => this.#incoming.readmit(tasks));
  }

  async accept(messages: readonly Message[]): Promise<boolean> {
    if (this.#transactions.isFenced) return false;
    this.#transaction(() => {
      for (const { body } of messages) {
        if (body.kind === 'links') this.#incoming.addSent(body.tasks);
        else this.#robots.told(body.record);
      }
    });
    return true;
  }

  async claim(max: number): Promise<Claim[]> {
    if (this.#transactions.isFenced) return [];
    const now = this.#clock.now();
    this.#noticeSleep(now);
    const waits = (time: number | undefined): boolean => time === undefined || time > now;
    const noneIsDue = waits(this.#schedule.nextDue()) && waits(this.#waiting.firstReturn(now));
    if (noneIsDue && !this.#leases.anyExpired(now)) return [];
    return this.#transaction(() => {
      this.#returnExpired(now);
      this.#waiting.returnDue(now);
      return this.#claiming.claim(max, now);
    });
  }

  async settle(settlements: readonly Settlement[], learnt?: Uint8Array): Promise<SettleVerdict[]> {
    if (settlements.length === 0 && learnt === undefined) return [];
    if (this.#transactions.isFenced) return settlements.map(() => 'fenced');
    this.#noticeSleep(this.#clock.now());
    return this.#transaction(() => {
      if (learnt !== undefined) this.#learnt.run(learnt);
      return settlements.map((settlement) => this.#settling.settle(settlement));
    });
  }

  async claimAhead(max: number, isWanted: (host: HostKey) => boolean = () => true): Promise<Claim[]> {
    if (this.#transactions.isFenced || max <= 0) return [];
    const now = this.#clock.now();
    const rooms = this.#claiming.hostsAhead(now, isWanted);
    return rooms.size === 0 ? [] : this.#transaction(() => this.#claiming.claimAhead(rooms, max, now));
  }

  async answered(claims: readonly Claim[], begun: readonly BegunClaim[] = []): Promise<void> {
    for (const claim of claims) this.#claiming.answered(claim);
    for (const one of begun) this.#claiming.begun(one);
  }

  async claimAlong(claim: Claim, max: number): Promise<Claim[]> {
    const host = this.#hosts.idOf(claim.task.host);
    if (host === undefined || this.#leases.get(claim.id, host) === undefined) return [];
    const { queue, places } = this.#waiting;
    return queue.newPages(host, this.#leases.of(host), max).map((row) => ({
      ...claim,
      task: { ...queue.task(row, claim.task.host), ...places?.wordsOf(row.url) },
      tries: 0,
      place: { lane: row.lane, ord: row.ord },
    }));
  }

  async nextLinkBatch(): Promise<LinkBatch | undefined> {
    return this.#linkBatches.first();
  }

  async settleLinkBatch(batch: LinkBatch, found: JudgedLinks, learnt?: Uint8Array): Promise<void> {
    this.#transaction(() => {
      if (!this.#linkBatches.remove(batch)) return;
      this.#incoming.addLinks(found.links, found.refusals);
      if (learnt !== undefined) this.#learnt.run(learnt);
    });
  }

  async release(claims: readonly Claim[]): Promise<void> {
    this.#transaction(() => {
      for (const claim of claims) {
        const host = this.#hosts.idOf(claim.task.host);
        const lease = this.#leases.get(claim.id, host);
        if (host === undefined || lease === undefined) continue;
        this.#leases.remove(lease);
        this.#turns.ended(claim.id);
        if (this.#ledger.isConcurrent(host) && lease.stage !== 'ahead') this.#ledger.unbegun(host, lease);
        this.#ledger.promoted(host, lease.lane);
        this.#schedule.release(host, false, lease.stage);
      }
    });
  }

  async stopDiscovery(): Promise<void> {
    this.#ledger.stopDiscovery();
  }

  async holdHosts(keys: readonly HostKey[], until: number, why: string): Promise<void> {
    this.#transaction(() => {
      for (const key of keys) this.#ledger.hold(this.#roster.idOf(key), until, why);
    });
  }

  async parkHosts(keys: readonly HostKey[], isParked: boolean): Promise<void> {
    this.#transaction(() => {
      for (const key of keys) this.#ledger.holdByHand(this.#roster.idOf(key), isParked);
    });
  }

  async unresolvedHosts(max: number): Promise<HostKey[]> {
    return this.#schedule.unresolved(max, this.#clock.now()).map((host) => this.#hosts.keyOf(host));
  }

  async setAddresses(places: readonly HostPlace[]): Promise<void> {
    const place = (): void => {
      for (const { host, address } of places) this.#roster.placed(this.#roster.idOf(host), address);
    };
    if (this.#options.byAddress) this.#transaction(place);
    else place();
  }

  async move(changes: readonly PlaceChange[]): Promise<number> {
    if (changes.length === 0) return 0;
    return this.#transaction(() => changes.filter((change) => this.#waiting.moves?.move(change)).length);
  }

  async updateRevisits(updates: readonly RevisitUpdate[]): Promise<number> {
    if (updates.length === 0) return 0;
    return this.#transaction(() => updates.filter((update) => this.#waiting.moves?.updateRevisit(update)).length);
  }

  *waiting(): Generator<WaitingPlace> {
    for (const { host, why, ...place } of this.#waiting.places?.fresh() ?? []) {
      yield { ...place, host: this.#hosts.keyOf(host), ...(why === null ? {} : { why }) };
    }
  }

  /** Plans visits of pages that are settled and do not stand in a queue; see visit-plan.ts. Answers how many it took. */
  planVisits(visits: readonly VisitToPlan[]): number {
    return this.#transaction(() => visits.filter((visit) => this.#planVisit(visit)).length);
  }

  async nextDue(): Promise<number | undefined> {
    const times = [this.#schedule.nextDue(), this.#waiting.firstReturn(this.#clock.now()), this.#leases.firstEnd()];
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  async counts(): Promise<FrontierCounts> {
    const { later, planned } = this.#counters.values;
    const again = this.#options.revisits === true ? planned : 0;
    return {
      known: this.#seen.size,
      queued: this.#ledger.queued + later + again,
      leased: this.#leases.size,
      hosts: this.#hosts.size,
      parked: this.#ledger.parked,
      ...(this.#options.revisits === true ? { planned, kept: this.#ledger.pages } : {}),
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
  #load(stillAskingMs: number): void {
    const now = this.#clock.now();
    const hosts = this.#hosts;
    const asOf = this.#hostRows.load(this.#db);
    SeenRows.load(this.#db, this.#seen, (host, lane, batch) => {
      if (batch <= asOf[host]) return;
      hosts.lane[host] = hosts.queued[host] === 0 ? lane : Math.min(lane, hosts.lane[host]);
      hosts.queued[host]++;
    });
    this.#waiting.load(now, this.#clocks.restore(now, stillAskingMs));
    for (let host = 0; host < hosts.size; host++) {
      this.#roster.restore(host);
      this.#ledger.restore(host);
    }
  }

  #noticeSleep(now: number): void {
    if (this.#clocks.hasSlept) this.#transaction(() => this.#clocks.wakeUp(now));
  }

  #planVisit({ row, at, why, changes, retry, before }: VisitToPlan): boolean {
    const fp = fingerprintOf(row);
    // One that is held back comes in by itself when the reason has gone.
    if (this.#refusals.holds(fp)) return false;
    this.#waiting.plan(row, at, retry, before);
    this.#pages.plan(fp, at, retry === undefined ? (why ?? 'planned') : undefined, changes);
    return true;
  }

  #returnExpired(now: number): void {
    for (const lease of this.#leases.expired(now)) {
      this.#leases.remove(lease);
      this.#turns.ended(lease.id);
      // Its worker may still be at it, so the host rests as if the request ended just now.
      this.#ledger.restAfter(lease.host, lease.until);
      this.#ledger.promoted(lease.host, lease.lane);
      this.#schedule.release(lease.host, true, lease.stage);
    }
  }

  /** Of a copy that gathers its changes: all of them are in the rows when `take` is called. */
  endChanges<T>(take: () => T): T {
    return this.#transactions.end(take);
  }

  #transaction<T>(change: () => T): T {
    return this.#transactions.run(change);
  }

  /** Hosts and counters are written with every change. */
  #writeSums(): void {
    this.#incoming.writeSeen();
    this.#pages.writeArchive();
    this.#hostRows.write(this.#counters.values.batch);
    this.#counters.values.queued = this.#ledger.queued;
    this.#counters.values.parked = this.#ledger.parked;
    this.#clocks.save();
    this.#counters.write();
  }
}
