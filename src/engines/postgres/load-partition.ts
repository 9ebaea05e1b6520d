import type { ColumnValue } from './binary-array.ts';
import type { Rows, Step, StepRunner } from './connection.ts';
import { LOAD_ROWS, loadRows } from './statements.ts';
import type { Table } from './tables.ts';

export type FillTable = (table: Table, rows: readonly (readonly ColumnValue[])[]) => void;

/** Loads all rows of tables of a partition. The first slices of all tables come in one round trip. */
export async function loadPartition(
  store: StepRunner,
  partition: number,
  tables: readonly Table[],
  fill: FillTable,
): Promise<void> {
  const slices = await store.run(tables.map((table): Step => [loadRows(table, true), partition]));
  for (const [at, table] of tables.entries()) {
    for (let rows = valuesOf(table, slices[at]); ; ) {
      fill(table, rows);
      if (rows.length < LOAD_ROWS) break;
      const last = rows[rows.length - 1];
      const after = table.keyAt.map((place) => last[place] as string | number | bigint);
      const [next] = await store.run([[loadRows(table, false), partition, ...after]]);
      rows = valuesOf(table, next);
    }
  }
}

/** Rows as the working copy takes them. */
export function valuesOf({ columns }: Table, rows: Rows): ColumnValue[][] {
  return rows.map((row) =>
    columns.map(({ name, type }) => {
      const value = row[name] as ColumnValue;
      // The client gives 64 bits as text.
      return type === 'bigint' && value !== null ? BigInt(value as string) : value;
    }),
  );
}
