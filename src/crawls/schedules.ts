import type { Clock } from '../base/clock.ts';
import type { CrawlSchedule } from '../contracts/crawl-library.ts';
import { readJson, writeJson } from './json-file.ts';
import { ownFile } from './library-folder.ts';
import { nextTime } from './run-times.ts';

/** When crawls run by themselves. All of it is in one file of the library, and nothing is in memory alone. */
export class Schedules {
  readonly #path: string;
  readonly #clock: Pick<Clock, 'now'>;
  #known: ReadonlyMap<string, CrawlSchedule>;

  constructor(library: string, clock: Pick<Clock, 'now'>) {
    this.#path = ownFile(library, 'schedules.json');
    this.#clock = clock;
    this.#known = new Map(Object.entries(checked(readJson(this.#path))));
  }

  get(name: string): CrawlSchedule | undefined {
    return this.#known.get(name);
  }

  /** Undefined where there is none, or it never comes again. One that was missed is due now. */
  nextRun(name: string): number | undefined {
    const schedule = this.#known.get(name);
    if (schedule === undefined) return undefined;
    const next = nextTime(schedule, schedule.since);
    return next === undefined ? undefined : Math.max(next, this.#clock.now());
  }

  set(name: string, schedule: CrawlSchedule | undefined): void {
    const known = new Map(this.#known);
    if (schedule === undefined) known.delete(name);
    else known.set(name, schedule);
    this.#write(known);
  }

  /**
   * Crawls whose time has come. Each is told once, however many of its times have passed: what was missed while no app ran is made up
   * for by one run. They count as told when this returns, also after a crash.
   */
  takeDue(): string[] {
    const now = this.#clock.now();
    const due = [...this.#known].filter(([, schedule]) => (nextTime(schedule, schedule.since) ?? Infinity) <= now);
    if (due.length > 0) {
      this.#write(
        new Map([...this.#known, ...due.map(([name, schedule]) => [name, { ...schedule, since: now }] as const)]),
      );
    }
    // A clock that was far ahead for a while must not keep crawls from running until it is there again.
    const ahead = [...this.#known].filter(([, { since }]) => since > now + AHEAD_MS);
    if (ahead.length > 0) {
      this.#write(
        new Map([...this.#known, ...ahead.map(([name, schedule]) => [name, { ...schedule, since: now }] as const)]),
      );
    }
    return due.map(([name]) => name);
  }

  #write(known: ReadonlyMap<string, CrawlSchedule>): void {
    writeJson(this.#path, Object.fromEntries(known));
    this.#known = known;
  }
}

const AHEAD_MS = 60_000;

/** Entries that somebody spoilt are left out. */
function checked(value: unknown): Record<string, CrawlSchedule> {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries(
    entries.filter(
      ([, schedule]) =>
        typeof schedule?.cron === 'string' &&
        typeof schedule.timeZone === 'string' &&
        Number.isFinite(schedule.since) &&
        nextTime(schedule, schedule.since) !== undefined,
    ),
  );
}
