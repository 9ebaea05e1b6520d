import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ColumnValue } from './binary-array.ts';
import type { Table } from './tables.ts';

/** A row that is not as it was. */
export interface RowChange {
  readonly kind: 'insert' | 'update' | 'delete';
  /** As it is now, by column; of a deletion undefined but for the key. */
  readonly values: readonly (ColumnValue | undefined)[];
}

/** What a key was when it was first touched. */
const WAS_ABSENT = 0;
const WAS_PRESENT = 1;

/**
 * Which rows of a table have changed, recorded by triggers of this connection alone: the keys that were touched, and whether there was a row. A
 * session of SQLite records the same, but looks at every table anew for each transaction, which takes longer than a transaction of one page.
 */
export class ChangeRecord {
  readonly #table: Table;
  readonly #touched: StatementSync;
  readonly #forget: StatementSync;

  constructor(db: DatabaseSync, table: Table) {
    const { name, key } = table;
    const record = recordOf(name);
    const keys = key.map((column) => column.name);
    const listOf = (prefix: string): string => keys.map((column) => `${prefix}.${column}`).join(', ');
    // The words of the statement that a trigger follows count in it as well: OR REPLACE would make OR IGNORE nothing.
    const note = (row: 'OLD' | 'NEW', was: number): string => {
      const same = keys.map((column) => `${column} = ${row}.${column}`).join(' AND ');
      return `INSERT INTO ${record} SELECT ${listOf(row)}, ${was} WHERE NOT EXISTS (SELECT 1 FROM ${record} WHERE ${same})`;
    };
    const trigger = (event: string, ...notes: readonly string[]): string =>
      `CREATE TEMP TRIGGER ${record}_${event} AFTER ${event} ON main.${name} BEGIN ${notes.join('; ')}; END;`;
    db.exec(
      `CREATE TEMP TABLE ${record} (${keys.join(', ')}, was, PRIMARY KEY (${keys.join(', ')})) WITHOUT ROWID;
      ${trigger('INSERT', note('NEW', WAS_ABSENT))}
      ${trigger('UPDATE', note('OLD', WAS_PRESENT), note('NEW', WAS_ABSENT))}
      ${trigger('DELETE', note('OLD', WAS_PRESENT))}`,
    );
    const same = keys.map((column) => `rows.${column} = touched.${column}`).join(' AND ');
    this.#table = table;
    this.#touched = db.prepare(
      `SELECT touched.was, rows.${keys[0]} IS NOT NULL, ${listOf('touched')}, rows.* FROM temp.${record} AS touched
        LEFT JOIN main.${name} AS rows ON ${same}`,
    );
    this.#touched.setReadBigInts(true);
    this.#touched.setReturnArrays(true);
    this.#forget = db.prepare(`DELETE FROM temp.${record}`);
  }

  /** Before the first record of a database: rows that others replace count as deleted first. */
  static prepare(db: DatabaseSync): void {
    db.exec('PRAGMA recursive_triggers = ON');
  }

  /** One question for all tables: those of which a row has changed since its last call, by their places. Most transactions change a few. */
  static changedAmong(db: DatabaseSync, tables: readonly Table[]): () => number[] {
    const marks = tables.map(({ name }) => `EXISTS (SELECT 1 FROM temp.${recordOf(name)})`);
    const ask = db.prepare(`SELECT ${marks.join(', ')}`);
    ask.setReturnArrays(true);
    return () => {
      const found = ask.get() as unknown as readonly number[];
      return [...found.keys()].filter((at) => found[at] === 1);
    };
  }

  /** What has changed since the last call. */
  take(): RowChange[] {
    const { columns, keyAt } = this.#table;
    const found = this.#touched.all() as unknown as readonly (readonly ColumnValue[])[];
    if (found.length === 0) return [];
    this.#forget.run();
    const keysAt = 2;
    const valuesAt = keysAt + keyAt.length;
    const changes: RowChange[] = [];
    for (const row of found) {
      const wasPresent = Number(row[0]) === WAS_PRESENT;
      if (Number(row[1]) === 1)
        changes.push({ kind: wasPresent ? 'update' : 'insert', values: row.slice(valuesAt).map(narrow) });
      else if (wasPresent) {
        const place = new Map(keyAt.map((column, at) => [column, narrow(row[keysAt + at])]));
        changes.push({ kind: 'delete', values: columns.map((_, at) => place.get(at)) });
      }
    }
    return changes;
  }
}

function recordOf(table: string): string {
  return `changed_${table}`;
}

function narrow(value: ColumnValue): ColumnValue {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
