import type { DatabaseSync } from 'node:sqlite';
import { fingerprint, toSigned } from '../../base/fingerprint.ts';
import type { PageFacts } from '../../contracts/content/page-facts.ts';
import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { CrawlTask, Discovery, Outcome, RefusedBy } from '../../contracts/crawl-task.ts';
import type { Original } from '../../contracts/duplicate-index.ts';
import type { CrawlTotals, HostRecord, LastVisit, PageRecord } from '../../contracts/page-store.ts';
import type { ChangeHistory } from '../../contracts/revisit.ts';
import type { PageReader } from '../../contracts/state/state-reader.ts';
import type { CanonicalUrl, HostKey, Origin } from '../../contracts/url.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { readCounters, totalsOf } from './counters.ts';
import { countedLengths, type HostRowValues, hostRecordOf, type QueueLengths } from './hosts/host-listing.ts';
import { parseHistory } from './rows/parse-history.ts';
import { discoveryOf, type QueueRow, QueueRows } from './rows/queue-rows.ts';
import { hasTable } from './state-database.ts';

export interface PageRow {
  url: CanonicalUrl;
  depth: number;
  how: Discovery['how'];
  via: Uint8Array | null;
  anchor: string | null;
  found_at: number;
  outcome: string;
  tries: number;
  visited_at: number;
  next_visit: number | null;
  facts: string | null;
  history: string;
  /** Folders of earlier versions do not have these. */
  next_why?: string | null;
  changes?: string | null;
}

type VisitRow = Pick<PageRow, 'url' | 'outcome' | 'visited_at' | 'facts'>;

/** Endings that do not tell where a URL leads. */
const UNTOLD: ReadonlySet<Outcome['kind']> = new Set(['failed', 'refused', 'deferred']);

/** Reads the state, also beside a running crawl: every call sees the last committed transaction. */
export class SqlitePageStore implements PageReader {
  readonly #db: DatabaseSync;
  readonly #lengthOf: QueueLengths;
  readonly #queue: QueueRows;
  readonly #page;
  readonly #place;
  readonly #refusal;
  readonly #host;
  readonly #queued;
  readonly #leased;
  readonly #robots;
  readonly #digest;
  readonly #facts;
  readonly #lastVisit;
  readonly #lastVisits;
  readonly #history;
  readonly #changes;
  /** True of a page whose copy is held, however its last visit ended. */
  readonly #holdsCopy: string;
  readonly #copy;

  constructor(db: DatabaseSync, lengthOf: QueueLengths = countedLengths) {
    this.#db = db;
    this.#lengthOf = lengthOf;
    this.#queue = new QueueRows(db);
    const since3 = hasTable(db, 'place') ? ', next_why, changes' : '';
    this.#page =
      db.prepare(`SELECT url, depth, how, via, anchor, found_at, outcome, tries, visited_at, next_visit, facts,
      history ${since3} FROM page WHERE fp = ?`);
    this.#place = hasTable(db, 'place') ? db.prepare('SELECT lane, why FROM place WHERE fp = ?') : undefined;
    this.#changes = hasTable(db, 'place') ? db.prepare('SELECT url, changes FROM page WHERE fp = ?') : undefined;
    this.#refusal = db.prepare('SELECT by, rule, task, at FROM refusal WHERE fp = ?');
    this.#host = db.prepare('SELECT * FROM host WHERE key = ?');
    this.#queued = db.prepare('SELECT * FROM queue WHERE host = ? AND url = ?');
    this.#leased = db.prepare('SELECT 1 FROM lease WHERE host = ? AND lane = ? AND ord = ?');
    this.#robots = db.prepare('SELECT record FROM robots WHERE origin = ?');
    this.#history = db.prepare('SELECT history FROM page WHERE fp = ?');
    // Folders of earlier versions do not have the column until a crawl runs in them.
    const isHeld = db.prepare("SELECT 1 FROM pragma_table_info('page') WHERE name = 'held'").get() !== undefined;
    this.#holdsCopy = `(kind IN ('stored', 'duplicate', 'unchanged')${isHeld ? ' OR held IS NOT NULL' : ''})`;
    this.#copy = db.prepare(
      `SELECT url, ${this.#holdsCopy} AS held, iif(instr(facts, '"noarchive"') > 0, facts ->> '$.noarchive', 0) AS noarchive FROM page WHERE fp = ?`,
    );
    this.#facts = db.prepare('SELECT url, facts FROM page WHERE fp IN (SELECT value FROM json_each(?))');
    const lastVisit = 'SELECT url, outcome, visited_at, facts FROM page WHERE fp';
    this.#lastVisit = db.prepare(`${lastVisit} = ?`);
    this.#lastVisits = db.prepare(`${lastVisit} IN (SELECT value FROM json_each(?))`);
    this.#digest = db.prepare('SELECT url, at, raw AS rawDigest FROM digest WHERE digest = ?');
  }

  async page(url: CanonicalUrl): Promise<PageRecord | undefined> {
    return this.#record(url);
  }

  async pages(urls: readonly CanonicalUrl[]): Promise<(PageRecord | undefined)[]> {
    return urls.map((url) => this.#record(url));
  }

  async host(key: HostKey): Promise<HostRecord | undefined> {
    const row = this.#host.get(key) as unknown as HostRowValues | undefined;
    return row === undefined ? undefined : { ...hostRecordOf(row), queued: this.#lengthOf(this.#db, Number(row.id)) };
  }

  lastVisit(url: CanonicalUrl): LastVisit | undefined {
    const row = this.#lastVisit.get(toSigned(fingerprint(url))) as VisitRow | undefined;
    return row === undefined || row.url !== url ? undefined : lastVisitOf(row);
  }

  lastVisits(urls: readonly CanonicalUrl[]): Map<CanonicalUrl, LastVisit> {
    const wanted = new Set(urls);
    const found = new Map<CanonicalUrl, LastVisit>();
    for (const row of this.#lastVisits.all(fingerprintList(urls)) as unknown as VisitRow[])
      if (wanted.has(row.url)) found.set(row.url, lastVisitOf(row));
    return found;
  }

  /** Where a URL redirects to, by the last visit that says so or otherwise. */
  redirectOf(url: CanonicalUrl): CanonicalUrl | undefined {
    const row = this.#history.get(toSigned(fingerprint(url))) as { history: string } | undefined;
    const last = parseHistory(row?.history ?? '').findLast(({ kind }) => !UNTOLD.has(kind));
    return last?.kind === 'redirected' ? (last.to as CanonicalUrl) : undefined;
  }

  /** Whether a copy of any page is held, however its last visit ended. Goes through all pages where there is none. */
  holdsCopies(): boolean {
    return this.#db.prepare(`SELECT 1 FROM page WHERE ${this.#holdsCopy} LIMIT 1`).get() !== undefined;
  }

  /** What the last visits tell of those of the pages that have facts; nothing else of them is read. */
  factsOf(urls: readonly CanonicalUrl[]): Map<CanonicalUrl, PageFacts> {
    const wanted = new Set(urls);
    const found = new Map<CanonicalUrl, PageFacts>();
    const rows = this.#facts.all(fingerprintList(urls));
    for (const { url, facts } of rows as { url: CanonicalUrl; facts: string | null }[])
      if (facts !== null && wanted.has(url)) found.set(url, JSON.parse(facts));
    return found;
  }

  changesOf(url: CanonicalUrl): ChangeHistory | undefined {
    const row = this.#changes?.get(toSigned(fingerprint(url))) as { url: string; changes: string | null } | undefined;
    return row?.url !== url || row.changes === null ? undefined : JSON.parse(row.changes);
  }

  /** Whether a copy of a page is held, and whether the page asks that nobody is shown it. Reads one row: for who asks about many. */
  copyOf(url: CanonicalUrl): { readonly held: boolean; readonly noarchive: boolean } | undefined {
    const row = this.#copy.get(toSigned(fingerprint(url))) as
      | { url: string; held: number; noarchive: number | null }
      | undefined;
    return row?.url === url ? { held: row.held === 1, noarchive: row.noarchive === 1 } : undefined;
  }

  async robots(origin: Origin): Promise<RobotsRecord | undefined> {
    const row = this.#robots.get(origin) as { record: string } | undefined;
    return row === undefined ? undefined : JSON.parse(row.record);
  }

  async byDigest(digest: string): Promise<Original | undefined> {
    return this.#digest.get(digest) as Original | undefined;
  }

  *digests(): Generator<string> {
    for (const row of this.#db.prepare('SELECT digest FROM digest').iterate()) yield (row as { digest: string }).digest;
  }

  async totals(): Promise<CrawlTotals> {
    return totalsOf(readCounters(this.#db));
  }

  #record(url: CanonicalUrl): PageRecord | undefined {
    return this.#visited(url) ?? this.#waiting(url) ?? this.#refusedLink(url);
  }

  #visited(url: CanonicalUrl): PageRecord | undefined {
    const row = this.#page.get(toSigned(fingerprint(url))) as PageRow | undefined;
    if (row === undefined || row.url !== url) return undefined;
    const outcome: Outcome = JSON.parse(row.outcome);
    const again = outcome.kind === 'deferred' || row.next_visit !== null;
    return {
      url,
      host: hostKeyOf(url),
      depth: row.depth,
      discovery: discoveryOf(row.how, this.#queue.viaUrl(row.via), row.anchor),
      discoveredAt: row.found_at,
      state: again ? 'queued' : 'done',
      outcome,
      tries: row.tries,
      visitedAt: row.visited_at,
      ...(row.next_visit === null ? {} : { nextVisit: row.next_visit }),
      ...(typeof row.next_why === 'string' ? { nextVisitWhy: row.next_why } : {}),
      ...this.#placeOf(url),
      ...(typeof row.changes === 'string' ? { changes: JSON.parse(row.changes) } : {}),
      ...(row.facts === null ? {} : { facts: JSON.parse(row.facts) }),
      history: parseHistory(row.history),
    };
  }

  /** Looks through the host's back queue: a question people ask, not the crawl. */
  #waiting(url: CanonicalUrl): PageRecord | undefined {
    const key = hostKeyOf(url);
    const host = this.#host.get(key) as { id: number } | undefined;
    const row = host && (this.#queued.get(host.id, url) as unknown as QueueRow | undefined);
    if (row === undefined) return undefined;
    return {
      url,
      host: key,
      depth: row.depth,
      discovery: discoveryOf(row.how, this.#queue.viaUrl(row.via), row.anchor),
      discoveredAt: row.found_at,
      state: this.#leased.get(row.host, row.lane, row.ord) === undefined ? 'queued' : 'leased',
      tries: row.tries,
      ...this.#placeOf(url),
      history: [],
    };
  }

  #placeOf(url: CanonicalUrl): Pick<PageRecord, 'place'> {
    const row = this.#place?.get(toSigned(fingerprint(url))) as { lane: number; why: string | null } | undefined;
    if (row === undefined) return {};
    return { place: { lane: row.lane, ...(row.why === null ? {} : { why: row.why }) } };
  }

  #refusedLink(url: CanonicalUrl): PageRecord | undefined {
    const row = this.#refusal.get(toSigned(fingerprint(url))) as
      | { by: RefusedBy; rule: string; task: string; at: number }
      | undefined;
    if (row === undefined) return undefined;
    const task: CrawlTask = JSON.parse(row.task);
    const outcome: Outcome = { kind: 'refused', by: row.by, rule: row.rule };
    return {
      url,
      host: task.host,
      depth: task.depth,
      discovery: task.discovery,
      discoveredAt: row.at,
      state: 'refused-link',
      outcome,
      tries: 0,
      history: [{ at: row.at, ...outcome }],
    };
  }
}

/** The oldest line may have been cut in the middle; it is left out then. */

function lastVisitOf({ url, outcome, visited_at: visitedAt, facts }: VisitRow): LastVisit {
  return {
    ...{ url, host: hostKeyOf(url), outcome: JSON.parse(outcome), visitedAt },
    ...(facts === null ? {} : { facts: JSON.parse(facts) }),
  };
}

/** As a value of SQL, for `json_each`. */
function fingerprintList(urls: readonly CanonicalUrl[]): string {
  return `[${urls.map((url) => toSigned(fingerprint(url))).join()}]`;
}
