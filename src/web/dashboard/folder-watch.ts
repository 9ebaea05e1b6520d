import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../base/clock.ts';
import type { HostRecord } from '../../contracts/page-store.ts';
import { archiveFolder } from '../../crawl/crawl-folder.ts';
import type { LearnedStateSnapshot } from '../../crawl/learning/learned-state.ts';
import { describeHostTrouble, type UnreachableLimits } from '../../crawl/report/describe-host-trouble.ts';
import type { RunRecord } from '../../crawl/report/run-record.ts';
import type { RevisitSchedulerSnapshot } from '../../crawl/revisits/revisit-scheduler.ts';
import {
  type HostRowValues,
  hostRecordOf,
  listHosts,
  queueCounts,
  queueLength,
} from '../../engines/sqlite/hosts/host-listing.ts';
import { readValue } from '../../engines/sqlite/rows/read-value.ts';
import { SqlitePageStore } from '../../engines/sqlite/sqlite-page-store.ts';
import { openStateForReading } from '../../engines/sqlite/state-database.ts';
import type { CrawlLook, CrawlWatch } from './crawl-watch.ts';
import { lastVisits } from './last-visits.ts';

const HOSTS_SHOWN = 10;
const LEARNT_SHOWN = 10;
const VISITS_SHOWN = 15;
/** Several readers share one look; one that was costly is shared for longer. */
const LEAST_AGE_MS = 1000;
const COST_SHARE = 20;
/** What was learnt is written down every ten seconds, and may be large. */
const LEARNT_AGE_MS = 10_000;

type Learnt = Pick<CrawlLook, 'held' | 'mirrors' | 'spamHosts' | 'upkeep'>;

/** Looks at a crawl folder, beside the crawl that runs in it. */
export class FolderWatch implements CrawlWatch, Disposable {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #db: DatabaseSync;
  readonly #pages: SqlitePageStore;
  #last: { readonly look: Promise<CrawlLook>; readonly goodUntil: number } | undefined;
  #learnt: { readonly value: Learnt; readonly at: number } | undefined;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
    this.#db = openStateForReading(folder);
    this.#pages = new SqlitePageStore(this.#db);
  }

  look(): Promise<CrawlLook> {
    const now = this.#clock.now();
    if (this.#last !== undefined && now < this.#last.goodUntil) return this.#last.look;
    const look = this.#lookNow(now).finally(() => {
      this.#last = { look, goodUntil: now + Math.max(LEAST_AGE_MS, (this.#clock.now() - now) * COST_SHARE) };
    });
    this.#last = { look, goodUntil: Number.POSITIVE_INFINITY };
    return look;
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  async #lookNow(at: number): Promise<CrawlLook> {
    const run = readValue<RunRecord>(this.#db, 'run');
    return {
      at,
      ...(run === undefined ? {} : { startedAt: run.startedAt, requestsBefore: run.requestsBefore ?? 0 }),
      ...(run?.endedAt === undefined ? {} : { ended: { at: run.endedAt, why: run.ended ?? 'ended' } }),
      totals: await this.#pages.totals(),
      ...queueCounts(this.#db),
      busiest: listHosts(this.#db, HOSTS_SHOWN).filter(({ queued }) => queued > 0),
      slowest: this.#hosts('WHERE last_fetch > 0 ORDER BY last_fetch DESC'),
      ...this.#hostsInTrouble(at, run?.unreachable),
      ...this.#whatWasLearnt(at),
      visits: lastVisits(archiveFolder(this.#folder), this.#newestFile(), VISITS_SHOWN),
    };
  }

  #hosts(which: string, ...values: readonly number[]): HostRecord[] {
    const rows = this.#db.prepare(`SELECT * FROM host ${which} LIMIT ${HOSTS_SHOWN}`).all(...values);
    return (rows as unknown as HostRowValues[]).map((row) => ({
      ...hostRecordOf(row),
      queued: queueLength(this.#db, Number(row.id)),
    }));
  }

  /** The latest trouble first. */
  #hostsInTrouble(at: number, limits: UnreachableLimits | undefined): Pick<CrawlLook, 'waiting' | 'waitingHosts'> {
    const which = 'WHERE parked > 0 OR hold_until > ?';
    const { count } = this.#db.prepare(`SELECT count(*) AS count FROM host ${which}`).get(at) as { count: number };
    const waiting = this.#hosts(`${which} ORDER BY pushed_at DESC, id`, at);
    return {
      waitingHosts: count,
      waiting: waiting.map((host) => ({ ...host, ...describeHostTrouble(host, at, limits) })),
    };
  }

  #whatWasLearnt(at: number): Learnt {
    if (this.#learnt !== undefined && at - this.#learnt.at < LEARNT_AGE_MS) return this.#learnt.value;
    const lessons = readValue<LearnedStateSnapshot>(this.#db, 'lessons');
    const upkeep = readValue<RevisitSchedulerSnapshot>(this.#db, 'upkeep');
    const held = (lessons?.patterns ?? []).filter(({ state }) => state.startsWith('held'));
    const value: Learnt = {
      held: held.slice(0, LEARNT_SHOWN).map(({ pattern, reason, known, visits }) => ({
        ...{ pattern, known, visits },
        ...(reason === undefined ? {} : { reason }),
      })),
      mirrors: (lessons?.mirrors ?? [])
        .slice(0, LEARNT_SHOWN)
        .map(({ mirror, original, why }) => ({ mirror, original, why })),
      spamHosts: lessons?.spamHosts.length ?? 0,
      ...(upkeep === undefined ? {} : { upkeep: { policy: upkeep.policy, forecast: upkeep.forecast } }),
    };
    this.#learnt = { value, at };
    return value;
  }

  /** With how much of its list of visits is settled. */
  #newestFile(): { readonly name: string; readonly indexEnd: number } | undefined {
    return this.#db.prepare('SELECT name, index_end AS indexEnd FROM archive_file ORDER BY name DESC LIMIT 1').get() as
      | { name: string; indexEnd: number }
      | undefined;
  }
}
