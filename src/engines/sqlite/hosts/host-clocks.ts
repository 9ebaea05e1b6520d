import { CLOCK_SLACK_MS, type Clock } from '../../../base/clock.ts';
import type { HostUse } from '../../../contracts/crawl-task.ts';
import type { FrontierOptions } from '../../../contracts/state/frontier-options.ts';
import { clockShift } from '../../../frontier/clock-shift.ts';
import type { HostLedger } from '../../../frontier/host-ledger.ts';
import type { HostSchedule } from '../../../frontier/host-schedule.ts';
import type { HostTable } from '../../../frontier/host-table.ts';
import type { Counters } from '../counters.ts';
import { type LeaseRows, UNKNOWN_END } from '../rows/lease-rows.ts';

export interface HostClocksParts {
  readonly hosts: HostTable;
  readonly ledger: HostLedger;
  readonly schedule: HostSchedule;
  readonly leases: LeaseRows;
  readonly counters: Counters;
  readonly clock: Clock;
}

type ClockOptions = Pick<FrontierOptions, 'leaseMs' | 'maxRequestMs' | 'longestFetchMs'>;

/** Keeps rests, holds and leases right where the system clock was set between two runs, or the machine slept. */
export class HostClocks {
  readonly #parts: HostClocksParts;
  readonly #options: ClockOptions;
  #slept: number;
  #wokeAt = Number.NEGATIVE_INFINITY;

  constructor(parts: HostClocksParts, options: ClockOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#slept = parts.clock.slept?.() ?? 0;
  }

  /** What hosts owe after a restart. Answers whether the clock was set back. Before hosts are scheduled. */
  restore(now: number, stillAskingMs: number): boolean {
    const { hosts, ledger, leases, counters, clock } = this.#parts;
    const { leaseMs, maxRequestMs = leaseMs, longestFetchMs = maxRequestMs } = this.#options;
    const { savedAt, uptime } = counters.values;
    const saved = { at: savedAt, ...(uptime === 0 ? {} : { uptime }) };
    const shift = savedAt === 0 ? undefined : clockShift(saved, now, clock.uptime?.());
    for (let host = 0; host < hosts.size; host++) {
      if (shift !== undefined) ledger.shiftClock(host, shift, saved, now);
      ledger.trustClock(host, now);
    }
    // A lease that outlived its process: that host may have been asked up to the very end of it.
    const end = now + stillAskingMs;
    for (const { host, until } of leases.removeAll()) {
      const since = until === UNKNOWN_END ? now - longestFetchMs : Math.min(until - leaseMs + (shift?.rests ?? 0), now);
      ledger.restAfter(host, end);
      ledger.restAfterLost(host, { since, end: Math.min(end, since + longestFetchMs) });
    }
    return shift !== undefined && shift.rests < -CLOCK_SLACK_MS;
  }

  /** Whether the machine has slept since the last `wakeUp`, as of a clock that was just read: reading it notices. */
  get hasSlept(): boolean {
    return (this.#parts.clock.slept?.() ?? 0) > this.#slept;
  }

  /**
   * A sleep of the machine is noticed a little after its end. A request may have ended in between, at a time that now seems
   * as long ago as the machine slept: no rest that was under way counts the sleep, and no request ended before it was noticed.
   */
  wakeUp(now: number): void {
    const { hosts, ledger, schedule, leases, clock } = this.#parts;
    const slept = (clock.slept?.() ?? 0) - this.#slept;
    this.#slept += slept;
    this.#wokeAt = now;
    leases.prolong(slept);
    for (let host = 0; host < hosts.size; host++) ledger.wokeUp(host, slept, now);
    schedule.clocksChanged();
  }

  /** What a request cost its host, ended not before the machine was seen to be awake. */
  ended(use: HostUse | undefined): HostUse | undefined {
    return use === undefined || use.endedAt >= this.#wokeAt ? use : { ...use, endedAt: this.#wokeAt };
  }

  /** With every transaction: the next run reckons from here. */
  save(): void {
    const { counters, clock } = this.#parts;
    counters.values.savedAt = clock.now();
    counters.values.uptime = clock.uptime?.() ?? 0;
  }
}
