import type { FrontierOptions } from '../contracts/state/frontier-options.ts';
import { FrontQueues, type LaneChoice } from './front-queues.ts';
import { type HostId, type HostTable, NO_GROUP } from './host-table.ts';
import { ReadyHeap } from './ready-heap.ts';

/** Where a host stands. Exactly one of these at any time. */
export const HostStage = {
  /** Its back queue is empty. */
  idle: 0,
  /** In the ready heap, until its time comes. */
  waiting: 1,
  /** Due, in a front queue. */
  ready: 2,
  /** Asked for as much as it may be at once, or for all that it has. */
  leased: 3,
  /** Budget used up, or unreachable: takes no part. */
  parked: 4,
  /** Due, but its address or domain is asked for as much as it may be by way of other hosts. */
  blocked: 5,
  /** Its address must be told first. */
  unresolved: 6,
  /** Its address is being looked up. */
  placing: 7,
} as const;

/** How far a lease is: its request may be under way; is answered and not settled; must wait for the end of another. */
export type LeaseStage = 'asking' | 'answered' | 'ahead';

export interface SchedulePolicy extends Pick<FrontierOptions, 'lanes' | 'addressFirst' | 'byAddress' | 'byDomain'> {
  readonly choice: LaneChoice;
}

/** Values of the column `named`: nobody asked for the name yet; looked up, or about to be; a request has used it. */
const UNNAMED = 0;
const NAMED_AHEAD = 1;
const NAMED = 2;

/** Names are looked up for this many hosts ahead of their first request. More would be forgotten again before they are used. */
const NAMES_AHEAD = 4096;

/** Hosts taken from the heap ahead of need, so that urgency decides among them; the rest stay ordered by time. */
const READY_AHEAD = 8192;

interface Group {
  dueAt: number;
  leases: number;
  readonly blocked: HostId[];
}

/**
 * Which host may be asked now. Holds Mercator's heap and front queues, and the clocks of the groups (address,
 * registrable domain) that politeness may be kept by besides the host.
 *
 * Invariant: `take` gives out a host only when it is due, not held, has a lease to spare and a URL that is not leased, and every
 * group of it is due and has a lease to spare.
 */
export class HostSchedule {
  readonly #hosts: HostTable;
  readonly #policy: SchedulePolicy;
  readonly #addressFirst: boolean;
  readonly #heap: ReadyHeap;
  readonly #front: FrontQueues;
  readonly #groups: Group[] = [];
  readonly #groupIds = new Map<string, number>();
  /** Hosts whose address nobody was asked for yet. */
  readonly #newcomers: FrontQueues;
  /** Hosts that are `NAMED_AHEAD`. */
  #ahead = 0;

  constructor(hosts: HostTable, policy: SchedulePolicy, random: () => number) {
    this.#hosts = hosts;
    this.#policy = policy;
    this.#addressFirst = policy.addressFirst || policy.byAddress;
    this.#heap = new ReadyHeap(hosts);
    this.#front = new FrontQueues(policy.lanes, policy.choice, random);
    this.#newcomers = new FrontQueues(policy.lanes, policy.choice, random);
  }

  /** Sets a host where its numbers say it belongs. */
  place(host: HostId): void {
    const hosts = this.#hosts;
    const stage = hosts.stage[host];
    if (this.#isFullyLeased(host)) this.#leave(host, HostStage.leased);
    else if (hosts.queued[host] === 0) this.#leave(host, HostStage.idle);
    else if (hosts.parked[host] !== 0) this.#leave(host, HostStage.parked);
    else if (stage === HostStage.unresolved || stage === HostStage.placing) return;
    else if (stage !== HostStage.blocked) {
      hosts.stage[host] = HostStage.waiting;
      this.#heap.put(host, this.readyTime(host));
    }
  }

  /** A more urgent URL came for a host that is in line already. */
  promote(host: HostId, lane: number): void {
    const stage = this.#hosts.stage[host];
    if (stage === HostStage.ready) this.#front.push(host, lane);
    else if (stage === HostStage.unresolved) this.#newcomers.push(host, lane);
  }

  /** A host that may be asked now, leased to the caller; -1 when there is none. */
  take(now: number): HostId {
    const hosts = this.#hosts;
    this.#collectDue(now);
    for (;;) {
      const host = this.#front.shift();
      if (host < 0) return -1;
      // It was more or less urgent once, and left a place behind.
      if (hosts.stage[host] !== HostStage.ready || this.#front.servedLane !== this.#laneOf(host)) continue;
      // It has lost URLs since it fell due.
      if (this.#isFullyLeased(host)) {
        this.place(host);
        continue;
      }
      if (this.readyTime(host) > now) {
        hosts.stage[host] = HostStage.waiting;
        this.#heap.put(host, this.readyTime(host));
        this.#notSoon(host);
        this.#wakeGroups(host);
        continue;
      }
      const busy = this.#busyGroup(host);
      if (busy !== undefined) {
        hosts.stage[host] = HostStage.blocked;
        busy.blocked.push(host);
        this.#notSoon(host);
        this.#wakeGroups(host);
        continue;
      }
      this.lease(host);
      return host;
    }
  }

  lease(host: HostId): void {
    this.#heap.remove(host);
    this.#hosts.stage[host] = HostStage.leased;
    this.#hosts.leases[host]++;
    if (this.#hosts.named[host] === NAMED_AHEAD) this.#ahead--;
    this.#hosts.named[host] = NAMED;
    this.#eachGroup(host, (group) => {
      group.leases++;
    });
  }

  /** A request to a leased host begins, whose rest counts from now on: it may be asked again before that one has ended. */
  begun(host: HostId): void {
    this.#eachGroup(host, (group) => {
      group.dueAt = Math.max(group.dueAt, this.#hosts.dueAt[host]);
    });
    if (this.#hosts.stage[host] === HostStage.leased) this.#hosts.stage[host] = HostStage.idle;
    this.place(host);
  }

  /** The request of a lease has ended, and its answer waits to be settled: the host may be asked for something else. */
  answered(host: HostId): void {
    this.#hosts.answered[host]++;
    this.release(host, false);
  }

  /** The host has one lease more, whose request waits for the end of others. */
  leasedAhead(host: HostId): void {
    this.#hosts.ahead[host]++;
    this.place(host);
  }

  /** The request of a lease that was given ahead may be under way from now on. Its host is leased for it. */
  beganAhead(host: HostId): void {
    this.#hosts.ahead[host]--;
  }

  /** Ends a lease; `asked` when a request was sent, which starts the rest of the host's groups too. Only one that may be under way counts for groups. */
  release(host: HostId, asked: boolean, stage: LeaseStage = 'asking'): void {
    if (stage === 'answered') this.#hosts.answered[host]--;
    else if (stage === 'ahead') this.#hosts.ahead[host]--;
    else this.#hosts.leases[host]--;
    if (this.#hosts.stage[host] === HostStage.leased) this.#hosts.stage[host] = HostStage.idle;
    this.#eachGroup(host, (group) => {
      if (stage === 'asking') group.leases--;
      if (asked) group.dueAt = Math.max(group.dueAt, this.#hosts.dueAt[host]);
    });
    this.place(host);
    this.#wakeGroups(host);
  }

  /** Gives a lease back whose host has nothing to be asked for until another of its leases ends. */
  awaitLease(host: HostId): void {
    this.release(host, false);
    this.#leave(host, HostStage.leased);
  }

  /** The numbers of a host have changed (hold, budget). */
  reschedule(host: HostId): void {
    if (this.#hosts.stage[host] === HostStage.blocked) {
      this.#eachGroup(host, (group) => {
        const at = group.blocked.indexOf(host);
        if (at >= 0) group.blocked.splice(at, 1);
      });
      this.#hosts.stage[host] = HostStage.idle;
    }
    this.place(host);
    this.#wakeGroups(host);
  }

  /** Joins a host to the group of its address or domain, with that group's clock. */
  join(host: HostId, kind: 'address' | 'domain', name: string): void {
    const column = kind === 'address' ? this.#hosts.addressGroup : this.#hosts.domainGroup;
    // Hosts without an address share no server: each is a group of its own.
    const key = name === '' ? `${kind} of ${this.#hosts.keyOf(host)}` : `${kind} ${name}`;
    let id = this.#groupIds.get(key);
    if (id === undefined) {
      id = this.#groups.push({ dueAt: 0, leases: 0, blocked: [] }) - 1;
      this.#groupIds.set(key, id);
    }
    column[host] = id;
    // After a restart the group's clock is the latest of its hosts' clocks.
    this.#groups[id].dueAt = Math.max(this.#groups[id].dueAt, this.#hosts.dueAt[host]);
  }

  /** The clocks of many hosts have changed at once. */
  clocksChanged(): void {
    const hosts = this.#hosts;
    for (const group of this.#groups) group.dueAt = 0;
    for (let host = 0; host < hosts.size; host++)
      this.#eachGroup(host, (group) => {
        group.dueAt = Math.max(group.dueAt, hosts.dueAt[host]);
      });
    for (let host = 0; host < hosts.size; host++) if (hosts.stage[host] === HostStage.waiting) this.place(host);
  }

  /** Hosts that are due but for their address, most urgent first. Each is given out once; `placed` must follow. */
  unresolved(max: number, now: number): HostId[] {
    this.#collectDue(now);
    const wanted: HostId[] = [];
    while (wanted.length < max && this.#ahead < NAMES_AHEAD) {
      const host = this.#newcomers.shift();
      if (host < 0) break;
      if (this.#hosts.stage[host] !== HostStage.unresolved) continue;
      this.#hosts.stage[host] = HostStage.placing;
      this.#hosts.named[host] = NAMED_AHEAD;
      this.#ahead++;
      wanted.push(host);
    }
    return wanted;
  }

  /** The address of a host is known now. */
  placed(host: HostId): void {
    const { stage, named } = this.#hosts;
    if (named[host] === UNNAMED) named[host] = NAMED;
    if (stage[host] === HostStage.unresolved || stage[host] === HostStage.placing) stage[host] = HostStage.idle;
    this.place(host);
  }

  /** When `take` may next give out a host: now while some are ready, else the head of the heap. */
  nextDue(): number | undefined {
    if (this.#front.size > 0) return 0;
    return this.#heap.size > 0 ? this.#heap.firstTime : undefined;
  }

  /** Hosts that `take` is likely to give out first, of those that are due at a time; in no certain order. */
  upcoming(at: number, max: number): HostId[] {
    const ready = this.#front.first(max);
    return [...ready, ...this.#heap.dueBy(at, max - ready.length)];
  }

  #collectDue(now: number): void {
    while (this.#front.size < READY_AHEAD) {
      const host = this.#heap.takeDue(now);
      if (host < 0) return;
      if (this.#addressFirst && this.#hosts.named[host] === UNNAMED) {
        this.#hosts.stage[host] = HostStage.unresolved;
        this.#newcomers.push(host, this.#hosts.lane[host]);
        continue;
      }
      this.#hosts.stage[host] = HostStage.ready;
      this.#front.push(host, this.#hosts.lane[host]);
    }
  }

  #laneOf(host: HostId): number {
    return Math.min(this.#hosts.lane[host], this.#policy.lanes - 1);
  }

  /** A host that is named but has to wait for others gives its place ahead to the next. */
  #notSoon(host: HostId): void {
    if (this.#hosts.named[host] !== NAMED_AHEAD) return;
    this.#hosts.named[host] = NAMED;
    this.#ahead--;
  }

  #leave(host: HostId, stage: number): void {
    this.#heap.remove(host);
    this.#hosts.stage[host] = stage;
    if (this.#hosts.named[host] !== NAMED_AHEAD) return;
    // Whoever leaves the line is not waited for; its name will be looked up again.
    this.#hosts.named[host] = UNNAMED;
    this.#ahead--;
  }

  /** Before this the host may not be asked: its own delay, a hold, or the delay of a group. */
  readyTime(host: HostId): number {
    let time = Math.max(this.#hosts.dueAt[host], this.#hosts.holdUntil[host]);
    this.#eachGroup(host, (group) => {
      time = Math.max(time, group.dueAt);
    });
    return time;
  }

  #isFullyLeased(host: HostId): boolean {
    const { leases, answered, ahead, concurrency, queued } = this.#hosts;
    const open = leases[host] + answered[host];
    const most = concurrency[host];
    // What was given ahead is what such a host is asked for next.
    const hasNone = ahead[host] === 0 && queued[host] <= open;
    return open + ahead[host] > 0 && (leases[host] >= most || answered[host] >= most || hasNone);
  }

  #busyGroup(host: HostId): Group | undefined {
    let busy: Group | undefined;
    this.#eachGroup(host, (group) => {
      if (group.leases >= this.#hosts.concurrency[host]) busy = group;
    });
    return busy;
  }

  /** Lets the next blocked host of each group that has a lease to spare try again. */
  #wakeGroups(host: HostId): void {
    this.#eachGroup(host, (group) => {
      // One that waits for another group of its own must not keep the rest of this one waiting.
      while (group.blocked.length > 0 && group.leases < this.#hosts.concurrency[group.blocked[0]]) {
        const next = group.blocked.shift() as HostId;
        this.#hosts.stage[next] = HostStage.idle;
        this.place(next);
        if (this.readyTime(next) <= group.dueAt) return;
      }
    });
  }

  #eachGroup(host: HostId, visit: (group: Group) => void): void {
    if (this.#policy.byAddress) {
      const id = this.#hosts.addressGroup[host];
      if (id !== NO_GROUP) visit(this.#groups[id]);
    }
    if (this.#policy.byDomain) {
      const id = this.#hosts.domainGroup[host];
      if (id !== NO_GROUP) visit(this.#groups[id]);
    }
  }
}
