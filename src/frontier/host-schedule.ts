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
  leased: 3,
  /** Budget used up, or unreachable: takes no part. */
  parked: 4,
  /** Due, but another host of its address or domain is being asked. */
  blocked: 5,
  /** Its address must be told first (politeness by address). */
  unplaced: 6,
} as const;

export interface SchedulePolicy {
  readonly lanes: number;
  readonly choice: LaneChoice;
  readonly byAddress: boolean;
  readonly byDomain: boolean;
}

/** Hosts taken from the heap ahead of need, so that urgency decides among them; the rest stay ordered by time. */
const READY_AHEAD = 8192;

interface Group {
  dueAt: number;
  leased: boolean;
  readonly blocked: HostId[];
}

/**
 * Which host may be asked now. Holds Mercator's heap and front queues, and the clocks of the groups (address,
 * registrable domain) that politeness may be kept by besides the host.
 *
 * Invariant: `take` gives out a host only when it is due, not held, not leased, and every group of it is due and free.
 */
export class HostSchedule {
  readonly #hosts: HostTable;
  readonly #policy: SchedulePolicy;
  readonly #heap: ReadyHeap;
  readonly #front: FrontQueues;
  readonly #groups: Group[] = [];
  readonly #groupIds = new Map<string, number>();
  readonly #unplaced = new Set<HostId>();

  constructor(hosts: HostTable, policy: SchedulePolicy, random: () => number) {
    this.#hosts = hosts;
    this.#policy = policy;
    this.#heap = new ReadyHeap(hosts);
    this.#front = new FrontQueues(policy.lanes, policy.choice, random);
  }

  /** Sets a host where its numbers say it belongs. A leased host stays where it is. */
  place(host: HostId): void {
    const hosts = this.#hosts;
    const stage = hosts.stage[host];
    if (stage === HostStage.leased) return;
    if (hosts.queued[host] === 0) this.#leave(host, HostStage.idle);
    else if (hosts.parked[host] !== 0) this.#leave(host, HostStage.parked);
    else if (this.#policy.byAddress && hosts.addressGroup[host] === NO_GROUP) {
      this.#unplaced.add(host);
      this.#leave(host, HostStage.unplaced);
    } else if (stage !== HostStage.blocked) {
      hosts.stage[host] = HostStage.waiting;
      this.#heap.put(host, this.readyTime(host));
    }
  }

  /** A more urgent URL came for a host that is due already. */
  promote(host: HostId, lane: number): void {
    if (this.#hosts.stage[host] === HostStage.ready) this.#front.push(host, lane);
  }

  /** A host that may be asked now, leased to the caller; -1 when there is none. */
  take(now: number): HostId {
    const hosts = this.#hosts;
    this.#collectDue(now);
    for (;;) {
      const host = this.#front.shift();
      if (host < 0) return -1;
      if (hosts.stage[host] !== HostStage.ready) continue;
      if (this.readyTime(host) > now) {
        hosts.stage[host] = HostStage.waiting;
        this.#heap.put(host, this.readyTime(host));
        this.#wakeGroups(host);
        continue;
      }
      const busy = this.#busyGroup(host);
      if (busy !== undefined) {
        hosts.stage[host] = HostStage.blocked;
        busy.blocked.push(host);
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
    this.#eachGroup(host, (group) => {
      group.leased = true;
    });
  }

  /** Ends a lease; `asked` when a request was sent, which starts the rest of the host's groups too. */
  release(host: HostId, asked: boolean): void {
    this.#hosts.stage[host] = HostStage.idle;
    this.#eachGroup(host, (group) => {
      group.leased = false;
      if (asked) group.dueAt = Math.max(group.dueAt, this.#hosts.dueAt[host]);
    });
    this.place(host);
    this.#wakeGroups(host);
  }

  /** The numbers of a host that is not leased have changed (hold, budget). */
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
      id = this.#groups.push({ dueAt: 0, leased: false, blocked: [] }) - 1;
      this.#groupIds.set(key, id);
    }
    column[host] = id;
    // After a restart the group's clock is the latest of its hosts' clocks.
    this.#groups[id].dueAt = Math.max(this.#groups[id].dueAt, this.#hosts.dueAt[host]);
    if (this.#unplaced.delete(host)) this.#hosts.stage[host] = HostStage.idle;
    this.place(host);
  }

  unplaced(max: number): HostId[] {
    return [...this.#unplaced.values().take(max)];
  }

  /** When `take` may next give out a host: now while some are ready, else the head of the heap. */
  nextDue(): number | undefined {
    if (this.#front.size > 0) return 0;
    return this.#heap.size > 0 ? this.#heap.firstTime : undefined;
  }

  #collectDue(now: number): void {
    while (this.#front.size < READY_AHEAD) {
      const host = this.#heap.takeDue(now);
      if (host < 0) return;
      this.#hosts.stage[host] = HostStage.ready;
      this.#front.push(host, this.#hosts.lane[host]);
    }
  }

  #leave(host: HostId, stage: number): void {
    this.#heap.remove(host);
    this.#hosts.stage[host] = stage;
    if (stage !== HostStage.unplaced) this.#unplaced.delete(host);
  }

  /** Before this the host may not be asked: its own delay, a hold, or the delay of a group. */
  readyTime(host: HostId): number {
    let time = Math.max(this.#hosts.dueAt[host], this.#hosts.holdUntil[host]);
    this.#eachGroup(host, (group) => {
      time = Math.max(time, group.dueAt);
    });
    return time;
  }

  #busyGroup(host: HostId): Group | undefined {
    let busy: Group | undefined;
    this.#eachGroup(host, (group) => {
      if (group.leased) busy = group;
    });
    return busy;
  }

  /** Lets the next blocked host of each free group try again. */
  #wakeGroups(host: HostId): void {
    this.#eachGroup(host, (group) => {
      if (group.leased) return;
      // One that waits for another group of its own must not keep the rest of this one waiting.
      for (let next = group.blocked.shift(); next !== undefined; next = group.blocked.shift()) {
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
