import type { Clock } from '../../../base/clock.ts';
import type { FrontierOptions } from '../../../contracts/state/frontier-options.ts';
import type { HostKey } from '../../../contracts/url.ts';
import type { HostSchedule } from '../../../frontier/host-schedule.ts';
import type { HostId, HostTable } from '../../../frontier/host-table.ts';
import { registrableDomain } from '../../../url/public-suffix.ts';
import type { HostRows } from './host-rows.ts';

/** Numbers hosts as they come, and joins each to the groups that politeness is kept by: address, registrable domain. */
export class HostRoster {
  readonly #hosts: HostTable;
  readonly #rows: HostRows;
  readonly #schedule: HostSchedule;
  readonly #options: FrontierOptions;
  readonly #clock: Clock;

  constructor(hosts: HostTable, rows: HostRows, schedule: HostSchedule, options: FrontierOptions, clock: Clock) {
    this.#hosts = hosts;
    this.#rows = rows;
    this.#schedule = schedule;
    this.#options = options;
    this.#clock = clock;
  }

  /** The number of a host, which is new where it has none. */
  idOf(key: HostKey): HostId {
    const known = this.#hosts.idOf(key);
    if (known !== undefined) return known;
    const host = this.#rows.append(key);
    this.#hosts.dueAt[host] = this.#clock.now();
    this.#takeIn(host);
    return host;
  }

  /** Groups of a host that was read from disk. */
  restore(host: HostId): void {
    this.#takeIn(host);
    const address = this.#rows.address.get(host);
    if (!this.#options.byAddress || address === undefined) return;
    this.#schedule.join(host, 'address', address);
    this.#schedule.placed(host);
  }

  /** Its name was looked up. */
  placed(host: HostId, address: string): void {
    if (this.#options.byAddress) {
      this.#rows.address.set(host, address);
      this.#rows.touch(host);
      this.#schedule.join(host, 'address', address);
    }
    this.#schedule.placed(host);
  }

  /** It answered from an address. */
  answeredFrom(host: HostId, address: string): void {
    if (this.#rows.address.get(host) === address) return;
    this.#rows.address.set(host, address);
    this.#rows.touch(host);
    if (this.#options.byAddress) this.#schedule.join(host, 'address', address);
  }

  #takeIn(host: HostId): void {
    const { hostConcurrency, byDomain } = this.#options;
    const key = this.#hosts.keyOf(host);
    if (hostConcurrency !== undefined) this.#hosts.concurrency[host] = Math.max(1, Math.min(255, hostConcurrency(key)));
    if (!byDomain) return;
    this.#schedule.join(host, 'domain', registrableDomain(key.replace(/:\d+$/, '')) ?? key);
  }
}
