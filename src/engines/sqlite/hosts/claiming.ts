import type { Claim } from '../../../contracts/crawl-task.ts';
import type { BegunClaim } from '../../../contracts/frontier.ts';
import type { FrontierOptions } from '../../../contracts/state/frontier-options.ts';
import type { HostKey } from '../../../contracts/url.ts';
import type { HostLedger } from '../../../frontier/host-ledger.ts';
import type { HostSchedule } from '../../../frontier/host-schedule.ts';
import type { HostId, HostTable } from '../../../frontier/host-table.ts';
import type { Lease, LeaseRows } from '../rows/lease-rows.ts';
import type { PageRows } from '../rows/page-rows.ts';
import type { QueueRow } from '../rows/queue-rows.ts';
import { earlierVisit, validatorsOf } from '../stored-page.ts';
import type { WaitingUrls } from '../waiting-urls.ts';
import type { HostTurns } from './host-turns.ts';

export interface ClaimingParts {
  readonly hosts: HostTable;
  readonly ledger: HostLedger;
  readonly schedule: HostSchedule;
  readonly turns: HostTurns;
  readonly leases: LeaseRows;
  readonly waiting: WaitingUrls;
  readonly pages: PageRows;
}

/** Begins leases: of hosts that are due, and ahead of time. To be called within a transaction, but for what only memory holds. */
export class Claiming {
  readonly #parts: ClaimingParts;
  readonly #options: FrontierOptions;
  /** Hosts of several requests at once that have answered: they may have leases ahead. */
  readonly #answering = new Set<HostId>();

  constructor(parts: ClaimingParts, options: FrontierOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  claim(max: number, now: number): Claim[] {
    const { schedule, turns } = this.#parts;
    const claims: Claim[] = [];
    for (let taken = 0; taken < max; ) {
      const host = schedule.take(now);
      if (host < 0) break;
      const given = this.#givenAhead(host);
      if (given !== undefined) {
        taken++;
        claims.push(this.#begin(given, now));
        continue;
      }
      const row = turns.next(host, now);
      if (row !== undefined && row !== 'leased') taken++;
      if (row === undefined || row === 'put-off') schedule.release(host, false);
      else if (row === 'leased') schedule.awaitLease(host);
      else claims.push(this.#lease(host, row, now));
    }
    return claims;
  }

  /** Hosts that may have leases ahead now, and how many: with room for half as many as they may have, so that few transactions give many. */
  hostsAhead(now: number, isWanted: (host: HostKey) => boolean): ReadonlyMap<HostId, number> {
    const { hosts, ledger, leases, schedule } = this.#parts;
    const rooms = new Map<HostId, number>();
    // Hosts of one group take turns.
    if (this.#answering.size === 0 || this.#options.byAddress || this.#options.byDomain) return rooms;
    // Whoever is due comes first: the next request of a host that goes on by itself would take its place.
    if ((schedule.nextDue() ?? Number.POSITIVE_INFINITY) <= now) return rooms;
    for (const host of this.#answering) {
      const room = ledger.roomAhead(host, now);
      if (leases.of(host).length === 0) this.#answering.delete(host);
      else if (room > hosts.ahead[host] && isWanted(hosts.keyOf(host))) rooms.set(host, room);
    }
    return rooms;
  }

  claimAhead(rooms: ReadonlyMap<HostId, number>, max: number, now: number): Claim[] {
    const claims: Claim[] = [];
    for (const [host, room] of rooms) {
      for (let given = 0; given < room && claims.length < max; given++) {
        const row = this.#parts.turns.nextAhead(host);
        if (row === undefined) break;
        claims.push(this.#leaseAhead(host, row, now));
      }
    }
    return claims;
  }

  answered({ id, task }: Claim): void {
    const { hosts, ledger, leases, schedule } = this.#parts;
    const host = hosts.idOf(task.host);
    const lease = leases.get(id, host);
    // The rest of a host that is asked for one thing at a time begins with the settlement.
    if (host === undefined || lease === undefined || !ledger.isConcurrent(host)) return;
    if (lease.stage === 'answered' || lease.stage === 'ahead') return;
    leases.change(lease, { stage: 'answered' });
    schedule.answered(host);
    this.#answering.add(host);
  }

  /** A request that was claimed ahead has begun. */
  begun({ claim, at }: BegunClaim): void {
    const { hosts, leases, schedule } = this.#parts;
    const lease = leases.get(claim.id, hosts.idOf(claim.task.host));
    if (lease?.stage !== 'ahead') return;
    schedule.lease(lease.host);
    this.#begin(lease, at);
  }

  /** The oldest lease that the host was given ahead. */
  #givenAhead(host: HostId): Lease | undefined {
    const { hosts, leases } = this.#parts;
    return hosts.ahead[host] === 0 ? undefined : leases.of(host).find(({ stage }) => stage === 'ahead');
  }

  /** The host is leased for a request that was claimed ahead. */
  #begin(lease: Lease, at: number): Claim {
    const { hosts, ledger, leases, schedule } = this.#parts;
    const dueBefore = hosts.dueAt[lease.host];
    const { claim, ...begun } = leases.change(lease, { stage: 'asking', since: at, dueBefore });
    schedule.beganAhead(lease.host);
    ledger.began(lease.host, begun.since);
    return claim as Claim;
  }

  #lease(host: HostId, row: QueueRow, now: number): Claim {
    const { hosts, ledger, leases, schedule, turns } = this.#parts;
    const dueBefore = hosts.dueAt[host];
    const until = now + this.#options.leaseMs;
    const lease = leases.insert({ host, lane: row.lane, ord: row.ord, row, since: now, until, dueBefore });
    turns.taken(host, row, lease.id);
    const dueAt = schedule.readyTime(host);
    if (ledger.isConcurrent(host)) ledger.began(host, now);
    return this.#claimOf(lease, row, dueAt);
  }

  #leaseAhead(host: HostId, row: QueueRow, now: number): Claim {
    const { leases, schedule, turns } = this.#parts;
    const { lane, ord } = row;
    const until = now + this.#options.leaseMs;
    const lease = leases.insert({ host, lane, ord, row, since: now, until, dueBefore: 0, stage: 'ahead' });
    turns.taken(host, row, lease.id);
    schedule.leasedAhead(host);
    const claim: Claim = { ...this.#claimOf(lease, row, now), ahead: true };
    leases.change(lease, { claim });
    return claim;
  }

  #claimOf({ id, host, since, until }: Lease, row: QueueRow, dueAt: number): Claim {
    const { hosts, waiting, pages } = this.#parts;
    const claim = {
      id,
      task: { ...waiting.queue.task(row, hosts.keyOf(host)), ...waiting.places?.wordsOf(row.url) },
      tries: row.tries,
      claimedAt: since,
      dueAt,
      expiresAt: until,
    };
    if (row.visited === 0) return claim;
    const stored = pages.stored(row.url, row.tries);
    return stored === undefined
      ? { ...claim, validators: {} }
      : { ...claim, validators: validatorsOf(stored), earlier: earlierVisit(stored) };
  }
}
