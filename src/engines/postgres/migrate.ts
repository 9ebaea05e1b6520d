import { OrbweaverError } from '../../base/errors.ts';
import type { StepRunner } from './connection.ts';
import { MIGRATIONS } from './migrations.ts';

/** A number that exists: another process has made the same change at the same time. */
const UNIQUE_VIOLATION = '23505';
/** "IF NOT EXISTS" does not see what another process is just making: a schema, a table, or the type of its rows. */
const EXISTS_ALREADY = [UNIQUE_VIOLATION, '42P06', '42P07', '42710'];

/** Brings the tables to the version of this program. Any number of processes may do so at once. */
export async function migrate(store: StepRunner, schema: string): Promise<void> {
  const plain = (text: string) => [{ name: '', text }] as const;
  await tolerating(() => store.run([plain(`CREATE SCHEMA IF NOT EXISTS ${schema}`)]), EXISTS_ALREADY);
  const table = 'CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY)';
  await tolerating(() => store.run([plain(table)]), EXISTS_ALREADY);
  const [rows] = await store.run([plain('SELECT max(number) AS last FROM migration')]);
  const last = Number(rows[0].last ?? 0);
  if (last > MIGRATIONS.length)
    throw new OrbweaverError(
      'FOLDER_NEWER_VERSION',
      `The tables of this crawl were made by a newer Orbweaver (version ${last}, this one knows up to ${MIGRATIONS.length}).`,
      { remedy: 'Update Orbweaver, or name another database with --store. Nothing was changed.' },
    );
  for (const { number, statements } of MIGRATIONS) {
    if (number <= last) continue;
    // First of all: who comes second waits here, and fails when the first has committed.
    const claim = `INSERT INTO migration (number) VALUES (${number})`;
    await tolerating(() => store.transact([claim, ...statements].map(plain)), [UNIQUE_VIOLATION]);
  }
}

async function tolerating(change: () => Promise<unknown>, codes: readonly string[]): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!codes.includes((error as { code?: string }).code ?? '')) throw error;
  }
}
