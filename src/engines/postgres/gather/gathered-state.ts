import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { fingerprint, toSigned } from '../../../base/fingerprint.ts';
import type { CanonicalUrl } from '../../../contracts/url.ts';
import { type Counted, readCounters, sumOfCounters } from '../../sqlite/counters.ts';
import { SEEN_ENTRY_BYTES } from '../../sqlite/rows/seen-rows.ts';
import { writeValue } from '../../sqlite/rows/write-value.ts';
import { createStateFile } from '../../sqlite/state-database.ts';
import type { ColumnValue } from '../binary-array.ts';
import type { Table } from '../tables.ts';

export interface GatheredParts {
  readonly path: string;
  /** What is added to the numbers of a partition's hosts: each partition counts its own. */
  readonly firstHost: ReadonlyMap<number, number>;
  /** What the clock of the store is ahead of that of this machine. */
  readonly shiftMs: number;
}

type Row = readonly ColumnValue[];

/** Tables whose rows are numbered within their partition, and nothing else refers to the number. */
const NUMBERED: ReadonlySet<string> = new Set(['change', 'learning', 'link_batch', 'seen']);

/** Of two rows of different partitions with the same key, which one stays. */
const ON_CONFLICT: Readonly<Record<string, string>> = {
  // The first page that has it is the original.
  digest: 'DO UPDATE SET url = excluded.url, at = excluded.at, raw = excluded.raw WHERE excluded.at < at',
  // One that binds hosts elsewhere is kept there as well.
  robots: `DO UPDATE SET record = excluded.record WHERE excluded.record ->> '$.fetchedAt' > record ->> '$.fetchedAt'`,
  archive_file:
    'DO UPDATE SET file_end = max(file_end, excluded.file_end), index_end = max(index_end, excluded.index_end)',
  // Who refused a link keeps it, wherever its host lies.
  refusal: 'DO NOTHING',
};

/**
 * The partitions of a crawl as one state of SQLite, for those who read or move it. What partitions number for themselves is
 * numbered again; where two have a row for the same thing, one stays.
 */
export class GatheredState implements Disposable {
  readonly db: DatabaseSync;
  readonly #parts: GatheredParts;
  readonly #counters: Counted[] = [];
  readonly #inserts = new Map<string, StatementSync>();
  readonly #numbers = new Map<string, number>();
  /** Refused links that several partitions know of; each counts once. */
  readonly #doubles: Record<string, number> = {};
  /** Partitions that know where each URL waits. */
  #placed = 0;

  constructor(parts: GatheredParts) {
    this.#parts = parts;
    this.db = createStateFile(parts.path);
    this.db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; BEGIN');
  }

  /** Takes in rows of one partition, as PostgreSQL has them. */
  fill(partition: number, table: Table, rows: readonly Row[]): void {
    const hostAt = table.columns.findIndex(({ name }) => name === (table.name === 'host' ? 'id' : 'host'));
    const firstHost = this.#parts.firstHost.get(partition) ?? 0;
    for (const row of rows) {
      const values = table.columns.map((column, at): ColumnValue => {
        const value = row[at];
        if (at === hostAt) return Number(value) + firstHost;
        return column.isTime && typeof value === 'number' && value !== 0 ? value - this.#parts.shiftMs : value;
      });
      if (NUMBERED.has(table.name) && !this.#isAlone) values[0] = this.#nextNumber(table.name);
      if (table.name === 'seen') values[1] = withHosts(values[1] as Uint8Array, firstHost);
      if (table.name === 'meta' && values[0] === 'places') this.#placed++;
      if (table.name === 'meta' && values[0] === 'counters') this.#counters.push(JSON.parse(String(values[1])));
      else this.#insert(table, values);
    }
  }

  /** All rows are in it that will be. */
  complete(): void {
    const sums = sumOfCounters(this.#counters);
    for (const [by, count] of Object.entries(this.#doubles)) sums.refused[by] = (sums.refused[by] ?? 0) - count;
    if (!this.#isAlone) {
      sums.batch = this.#numbers.get('seen') ?? 0;
      // Each partition has numbered its changes as it noticed them.
      this.db.exec(`CREATE TEMP TABLE noticed AS SELECT at, url, kind, detail, title FROM change ORDER BY at, number;
        DELETE FROM change; INSERT INTO change (at, url, kind, detail, title) SELECT * FROM noticed ORDER BY rowid;
        DROP TABLE noticed; DELETE FROM meta WHERE name = 'changes fell'`);
    }
    writeValue(this.db, 'counters', sums);
    // Known of all URLs or of none.
    if (this.#placed < this.#counters.length) this.db.exec("DELETE FROM meta WHERE name = 'places'; DELETE FROM place");
    this.db.exec('COMMIT');
  }

  get #isAlone(): boolean {
    return this.#parts.firstHost.size < 2;
  }

  /** Fingerprints of the pages on which a URL was found, as far as it is in it. */
  foundOn(url: CanonicalUrl): bigint[] {
    const rows = this.db
      .prepare('SELECT via FROM page WHERE fp = ? UNION SELECT via FROM queue WHERE url = ?')
      .all(toSigned(fingerprint(url)), url) as { via: Uint8Array | null }[];
    return rows.flatMap(({ via }) => (via === null ? [] : [Buffer.from(via).readBigInt64LE()]));
  }

  /** URLs of pages that another state has, and this one has not. */
  missingOf(path: string): string[] {
    this.db.prepare('ATTACH ? AS other').run(path);
    const rows = this.db.prepare('SELECT url FROM other.page WHERE fp NOT IN (SELECT fp FROM main.page)').all();
    this.db.exec('DETACH other');
    return (rows as { url: string }[]).map(({ url }) => url);
  }

  /** Less of an archive file is settled by this state than by another. */
  isBehind(path: string): boolean {
    this.db.prepare('ATTACH ? AS other').run(path);
    const row = this.db
      .prepare(`SELECT 1 FROM other.archive_file AS before LEFT JOIN main.archive_file AS now USING (name)
        WHERE before.file_end > coalesce(now.file_end, 0)`)
      .get();
    this.db.exec('DETACH other');
    return row !== undefined;
  }

  /** How many URLs wait for a host, where its queue is not in it. */
  setQueueLength(partition: number, host: number, length: number): void {
    const id = host + (this.#parts.firstHost.get(partition) ?? 0);
    this.db.prepare('UPDATE host SET queued = ? WHERE id = ?').run(length, id);
  }

  /** The queues are in it whole: hosts say how long theirs are. */
  countQueues(): void {
    this.db
      .prepare(`UPDATE host SET as_of = ?, queued = (SELECT count(*) FROM queue WHERE host = host.id),
        lane = coalesce((SELECT min(lane) FROM queue WHERE host = host.id), 0)`)
      .run(readCounters(this.db).batch);
  }

  /** Hosts that may be asked just now: they rest when the state is opened. */
  markBusy(partition: number, hosts: readonly number[]): void {
    const insert = this.db.prepare('INSERT INTO lease VALUES (?, 0, 0, 0)');
    for (const host of hosts) insert.run(host + (this.#parts.firstHost.get(partition) ?? 0));
  }

  count(table: string): number {
    return (this.db.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number }).rows;
  }

  [Symbol.dispose](): void {
    this.db.close();
  }

  #insert(table: Table, values: Row): void {
    const { name, key } = table;
    let insert = this.#inserts.get(name);
    if (insert === undefined) {
      const keys = key.map((column) => column.name).join(', ');
      const places = table.columns.map(() => '?').join(', ');
      const conflict = ON_CONFLICT[name] ?? 'DO NOTHING';
      insert = this.db.prepare(`INSERT INTO ${name} VALUES (${places}) ON CONFLICT (${keys}) ${conflict}`);
      this.#inserts.set(name, insert);
    }
    const { changes } = insert.run(...values);
    if (name !== 'refusal' || changes > 0) return;
    const by = String(values[1]);
    this.#doubles[by] = (this.#doubles[by] ?? 0) + 1;
  }

  #nextNumber(table: string): number {
    const number = (this.#numbers.get(table) ?? 0) + 1;
    this.#numbers.set(table, number);
    return number;
  }
}

/** Entries of the log of known URLs, with the numbers that their hosts have here. */
function withHosts(entries: Uint8Array, firstHost: number): Uint8Array {
  const copied = Buffer.from(entries);
  for (let at = 8; at + 4 <= copied.length; at += SEEN_ENTRY_BYTES)
    copied.writeUInt32LE(copied.readUInt32LE(at) + firstHost, at);
  return copied;
}
