import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { measureProcessorTime } from '../../base/processor-time.ts';
import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { HostRecord } from '../../contracts/page-store.ts';
import type {
  HostListPage,
  HostOrder,
  HostPlaceInList,
  HostQuery,
  ListedHost,
} from '../../contracts/state/host-directory.ts';
import { monitorPath, openMonitorForReading } from '../monitor/monitor-database.ts';
import { SqliteMonitorReader } from '../monitor/sqlite-monitor-reader.ts';
import { countedLengths, type HostRowValues, hostRecordOf } from '../sqlite/hosts/host-listing.ts';
import { openStateForReading, statePath } from '../sqlite/state-database.ts';

/** Columns of the copy. None is ever null: places in the list are compared as pairs. */
const COLUMNS: Readonly<Record<HostOrder, string>> = {
  host: 'key',
  queued: 'queued',
  pages: 'pages',
  bytes: 'bytes',
  slow: 'last_fetch',
  next: 'next_at',
  errors: 'errors',
  slack: 'slack',
};

const LEAST_AGE_MS = 5000;
/** A copy that was costly is used for longer: at most a fiftieth of the time goes into making them. */
const COST_SHARE = 50;
/** Hosts that are parked are asked in the next run only, those without URLs perhaps never. */
const NEXT_RUN = 1e300;
const NEVER = 1e301;
/** Of hosts that were asked once no pause is known. */
const NO_PAUSE = 1e300;

/** The hosts of a crawl folder; synchronous, so it lives in a thread of its own. */
export class FolderHostDirectory implements Disposable {
  readonly #folder: string;
  readonly #state: DatabaseSync;
  readonly #host: StatementSync;
  readonly #robots: StatementSync;
  readonly #copy = new DatabaseSync(':memory:');
  #monitor: SqliteMonitorReader | undefined;
  #isMonitored = false;
  #size = 0;
  #madeAt = 0;
  #goodUntil = Number.NEGATIVE_INFINITY;

  constructor(folder: string) {
    this.#folder = folder;
    this.#state = openStateForReading(folder);
    this.#host = this.#state.prepare('SELECT * FROM host WHERE id = ?');
    this.#robots = this.#state.prepare('SELECT record FROM robots WHERE origin IN (?, ?) ORDER BY origin DESC');
    // Whole tables are copied by the engine itself, in a tenth of the time that row by row takes.
    this.#copy.prepare('ATTACH ? AS state').run(statePath(folder));
    this.#copy.exec('PRAGMA busy_timeout = 5000');
  }

  list(query: HostQuery, now = Date.now()): HostListPage {
    if (now >= this.#goodUntil) this.#makeCopy(now);
    const column = COLUMNS[query.order];
    // Made when it is first asked for: each costs as much as the copy itself.
    this.#copy.exec(`CREATE INDEX IF NOT EXISTS main.by_${column} ON host (${column}, id)`);
    const [matches, ...searched] = searchOf(query.search);
    const [beyond, ...place] = beyondOf(query.after, column, query.descending);
    const direction = query.descending ? 'DESC' : 'ASC';
    const found = this.#copy
      .prepare(`SELECT id, ${column} AS value FROM main.host WHERE ${matches} AND ${beyond}
        ORDER BY ${column} ${direction}, id ${direction} LIMIT ?`)
      .all(...searched, ...place, query.limit + 1) as unknown as HostPlaceInList[];
    const shown = found.slice(0, query.limit);
    return {
      hosts: shown.flatMap(({ id }) => this.#row(id) ?? []),
      ...(found.length > shown.length ? { next: shown[shown.length - 1] } : {}),
      matching: searched.length === 0 ? this.#size : this.#count(matches, searched),
      sortedAt: this.#madeAt,
    };
  }

  #count(matches: string, values: readonly string[]): number {
    const row = this.#copy.prepare(`SELECT count(*) AS count FROM main.host WHERE ${matches}`).get(...values);
    return (row as { count: number }).count;
  }

  [Symbol.dispose](): void {
    this.#state.close();
    this.#copy.close();
    this.#monitor?.[Symbol.dispose]();
  }

  #makeCopy(now: number): void {
    const spent = measureProcessorTime();
    this.#monitor ??= openReader(this.#folder);
    this.#attachMonitor();
    const [errors, slack, joined] = this.#isMonitored
      ? [`coalesce(m.failures, 0)`, `coalesce(m.slack, ${NO_PAUSE})`, 'LEFT JOIN monitor.host AS m ON m.key = h.key']
      : ['0', String(NO_PAUSE), ''];
    this.#copy.exec(`DROP TABLE IF EXISTS main.host;
      CREATE TABLE main.host (id INTEGER PRIMARY KEY, key TEXT NOT NULL, queued INTEGER NOT NULL, pages INTEGER NOT NULL,
        bytes REAL NOT NULL, last_fetch REAL NOT NULL, next_at REAL NOT NULL, errors INTEGER NOT NULL, slack REAL NOT NULL);
      INSERT INTO main.host SELECT h.id, h.key, h.queued, h.pages, h.bytes, h.last_fetch,
        CASE WHEN h.parked > 0 THEN ${NEXT_RUN} WHEN h.queued = 0 THEN ${NEVER} ELSE max(h.due_at, h.hold_until) END,
        ${errors}, ${slack} FROM state.host AS h ${joined}`);
    this.#size = (this.#copy.prepare('SELECT count(*) AS count FROM main.host').get() as { count: number }).count;
    this.#madeAt = now;
    this.#goodUntil = now + Math.max(LEAST_AGE_MS, spent() * COST_SHARE);
  }

  /** A crawl that is new has no such file yet. */
  #attachMonitor(): void {
    if (this.#isMonitored || this.#monitor === undefined) return;
    this.#copy.prepare('ATTACH ? AS monitor').run(monitorPath(this.#folder));
    this.#isMonitored = true;
  }

  #row(id: number): ListedHost | undefined {
    const row = this.#host.get(id) as unknown as HostRowValues | undefined;
    if (row === undefined) return undefined;
    const record: HostRecord = { ...hostRecordOf(row), queued: countedLengths(this.#state, id) };
    const tally = this.#monitor?.host(record.host);
    const robots = this.#robotsOf(record.host);
    return { record, ...(tally && { tally }), ...(robots && { robots }) };
  }

  #robotsOf(host: string): ListedHost['robots'] {
    const row = this.#robots.get(`https://${host}`, `http://${host}`) as { record: string } | undefined;
    if (row === undefined) return undefined;
    const { state, why, fetchedAt } = JSON.parse(row.record) as RobotsRecord;
    return { state, why, fetchedAt };
  }
}

function openReader(folder: string): SqliteMonitorReader | undefined {
  const db = openMonitorForReading(folder);
  return db && new SqliteMonitorReader(db);
}

function searchOf(search: string | undefined): [string, ...string[]] {
  if (search === undefined || search === '') return ['1'];
  return ["key LIKE ? ESCAPE '\\'", `%${search.replace(/[\\%_]/g, '\\$&')}%`];
}

/** Rows after a place; found by the index, however far down they are. */
function beyondOf(
  after: HostPlaceInList | undefined,
  column: string,
  descending: boolean,
): [string, ...(string | number)[]] {
  if (after === undefined) return ['1'];
  return [`(${column}, id) ${descending ? '<' : '>'} (?, ?)`, after.value, after.id];
}
