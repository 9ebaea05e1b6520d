import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { ArchiveLocation } from '../../contracts/archive-location.ts';
import type { ColumnValue } from './binary-array.ts';
import { OwnCopies } from './own-copies.ts';
import { TABLES, type Table } from './tables.ts';
import type { TableChanges } from './working-copy.ts';

const PAGE = TABLES.find(({ name }) => name === 'page') as Table;
const FACTS_AT = PAGE.columns.findIndex(({ name }) => name === 'facts');
/** A whole round that is planned at once changes millions of rows. */
const MOST_WAITING = 5000;

/**
 * Keeps the pages in the archive of a node, and how much of its files is settled, in a file of its folder while the node works: its index
 * reads them there. A page is written once PostgreSQL has it. Ends of files follow when all settlements of a batch have come to theirs: up to there
 * no page is still to come, whatever partition it is of.
 */
export class NodePagesJournal implements Disposable {
  readonly #db: DatabaseSync;
  readonly #page: StatementSync;
  readonly #file: StatementSync;
  readonly #own: OwnCopies;
  #waiting: ColumnValue[][] = [];
  #isBroken = false;

  /** `path`: made by `writeNodePages`. `writers`: of its archive. */
  constructor(path: string, writers: readonly string[]) {
    this.#db = new DatabaseSync(path);
    // Compared with PostgreSQL at the next start: it need not survive a power cut.
    this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA busy_timeout = 5000');
    this.#page = this.#db.prepare(`INSERT OR REPLACE INTO page VALUES (${PAGE.columns.map(() => '?').join(', ')})`);
    this.#file = this.#db.prepare(`INSERT INTO archive_file VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET
      file_end = max(file_end, excluded.file_end), index_end = max(index_end, excluded.index_end)`);
    this.#own = new OwnCopies(writers);
  }

  /** Takes what was committed to a partition. `shiftMs`: what the clock of the store is ahead of that of the node. */
  take(changes: readonly TableChanges[], shiftMs: number): void {
    for (const { table, inserted, updated } of changes) {
      if (table.name !== PAGE.name) continue;
      for (const row of [...inserted, ...updated])
        if (this.#own.has(row[FACTS_AT])) this.#waiting.push(byClockOfNode(row, shiftMs));
    }
    if (this.#waiting.length >= MOST_WAITING) this.settled([]);
  }

  /** All visits that end before these places have been settled, or never will be. */
  settled(places: readonly ArchiveLocation[]): void {
    const rows = this.#waiting;
    this.#waiting = [];
    if (this.#isBroken || rows.length + places.length === 0) return;
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      for (const row of rows) this.#page.run(...row);
      for (const { file, fileEnd, indexEnd } of places) this.#file.run(file, fileEnd, indexEnd);
      this.#db.exec('COMMIT');
    } catch {
      // The crawl goes on without; the index is completed when the node ends, or starts again.
      this.#isBroken = true;
    }
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}

function byClockOfNode(row: readonly ColumnValue[], shiftMs: number): ColumnValue[] {
  return row.map((value, at) =>
    PAGE.columns[at].isTime && typeof value === 'number' && value !== 0 ? value - shiftMs : value,
  );
}
