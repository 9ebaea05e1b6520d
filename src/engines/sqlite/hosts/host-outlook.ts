import type { HostSchedule } from '../../../frontier/host-schedule.ts';
import type { HostId, HostTable } from '../../../frontier/host-table.ts';
import type { LeaseRows } from '../rows/lease-rows.ts';

/** Which hosts are being asked, and which are likely to be asked next. */
export class HostOutlook {
  readonly #hosts: HostTable;
  readonly #schedule: HostSchedule;
  readonly #leases: LeaseRows;

  constructor(hosts: HostTable, schedule: HostSchedule, leases: LeaseRows) {
    this.#hosts = hosts;
    this.#schedule = schedule;
    this.#leases = leases;
  }

  /** Hosts that are being asked. */
  busyHosts(): HostId[] {
    return this.#leases.hosts();
  }

  /** Those of some hosts that may be asked at a time, as far as their rests and holds go. */
  dueHosts(hosts: readonly HostId[], at: number): HostId[] {
    const { dueAt, holdUntil } = this.#hosts;
    return hosts.filter((host) => dueAt[host] <= at && holdUntil[host] <= at);
  }

  /** Hosts whose turns come first, some of those that are due at a time. */
  nextHosts(at: number, max: number): HostId[] {
    return this.#schedule.upcoming(at, max);
  }
}
