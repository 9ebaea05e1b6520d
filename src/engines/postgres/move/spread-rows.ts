import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { OrbweaverError } from '../../../base/errors.ts';
import type { CanonicalUrl, HostKey } from '../../../contracts/url.ts';
import { documentNumber, type HostSpread, partitionOf } from '../../../frontier/partition-of.ts';
import { hostKeyOf } from '../../../url/host-key.ts';
import { SEEN_ENTRY_BYTES } from '../../sqlite/rows/seen-rows.ts';
import { TABLES, type Table } from '../tables.ts';
import { spreadCounters } from './spread-counters.ts';

/** Values of the whole crawl that every partition has of its own rows. All others belong to the node. */
export const OF_A_PARTITION: readonly string[] = ['places', 'direction', 'revisits', 'changes fell'];

/** Where each row of a table goes, with what changes in it. What was learnt stays with the node. `old`: the state; `host_map`: the hosts. */
const SPREAD: Readonly<Record<string, { readonly part: string; readonly join?: string; readonly set?: object }>> = {
  host: { part: 'host_map.part', join: 'JOIN host_map ON host_map.old = row.id', set: { id: 'host_map.id' } },
  ...Object.fromEntries(
    ['queue', 'later', 'page', 'revisit', 'place'].map((name) => [
      name,
      { part: 'host_map.part', join: 'JOIN host_map ON host_map.old = row.host', set: { host: 'host_map.id' } },
    ]),
  ),
  // With the URL that it is about: there it is asked for first, wherever it was found.
  refusal: { part: "part_of_host(row.task ->> '$.host')" },
  digest: { part: 'part_of_url(row.url)' },
  robots: { part: 'part_of_url(row.origin)' },
  archive_file: { part: '0' },
  likeness: {
    part: 'document_map.part',
    join: `JOIN document_map ON document_map.old = row.document
      LEFT JOIN document_map AS near ON near.old = row.near_to`,
    set: { document: 'document_map.number', near_to: 'near.number' },
  },
  change: {
    part: 'part_of_url(row.url)',
    set: { number: 'row_number() OVER (PARTITION BY part_of_url(row.url) ORDER BY row.number)' },
  },
  // Links of many hosts: those of other partitions are sent there when they are judged.
  link_batch: { part: '0' },
};

/**
 * The rows of a state by the partitions that they go to, in a file of their own: hosts and documents are numbered as partitions do.
 * The same state is always spread in the same way, so that a move that was cut off finds what it has moved already.
 */
export function spreadRows(statePath: string, path: string, spread: HostSpread): DatabaseSync {
  for (const part of ['', '-journal']) rmSync(path + part, { force: true });
  const db = new DatabaseSync(path);
  try {
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE');
    db.prepare('ATTACH ? AS old').run(statePath);
    const partOfHost = (key: unknown): number => partitionOf(String(key) as HostKey, spread);
    db.function('part_of_host', { deterministic: true }, partOfHost);
    db.function('part_of_url', { deterministic: true }, (url) => partOfHost(hostKeyOf(`${url}/` as CanonicalUrl)));
    db.function('document_number', { deterministic: true }, (place, part) =>
      documentNumber(Number(place), Number(part)),
    );
    db.exec('BEGIN');
    for (const table of TABLES) createTable(db, table);
    mapHosts(db);
    mapDocuments(db);
    for (const table of TABLES) fillTable(db, table);
    spreadSeen(db);
    spreadMeta(db);
    db.exec('COMMIT; DETACH old');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Those of some hosts of the folder that lie in a partition, by their numbers there. */
export function busyIn(db: DatabaseSync, partition: number, hosts: readonly number[]): number[] {
  const find = db.prepare('SELECT id FROM host_map WHERE old = ? AND part = ?');
  return hosts.flatMap((host) => (find.all(host, partition) as { id: number }[]).map(({ id }) => id));
}

function createTable(db: DatabaseSync, { name, columns, key }: Table): void {
  const listed = (some: Table['columns']): string => some.map((column) => column.name).join(', ');
  db.exec(`CREATE TABLE ${name} (part INTEGER, ${listed(columns)}, PRIMARY KEY (part, ${listed(key)})) WITHOUT ROWID`);
}

/** Each partition counts its hosts from 0, in the order in which they were found. */
function mapHosts(db: DatabaseSync): void {
  db.exec(`CREATE TABLE host_map (old INTEGER PRIMARY KEY, part INTEGER NOT NULL, id INTEGER NOT NULL);
    INSERT INTO host_map SELECT id, part, row_number() OVER (PARTITION BY part ORDER BY id) - 1
      FROM (SELECT id, part_of_host(key) AS part FROM old.host)`);
}

/** In the order of their numbers. One that has gone and is still referred to has a number as well. */
function mapDocuments(db: DatabaseSync): void {
  db.exec(`CREATE TABLE document_map (old INTEGER PRIMARY KEY, part INTEGER NOT NULL, number INTEGER NOT NULL);
    INSERT INTO document_map
      SELECT document, part, CAST(document_number(row_number() OVER (ORDER BY document), part) AS INTEGER) FROM (
        SELECT every.document, coalesce(host_map.part, 0) AS part
        FROM (SELECT document FROM old.likeness UNION SELECT near_to FROM old.likeness WHERE near_to IS NOT NULL) AS every
        LEFT JOIN old.likeness AS row ON row.document = every.document
        LEFT JOIN old.page AS page ON page.fp = row.page
        LEFT JOIN host_map ON host_map.old = page.host)`);
}

function fillTable(db: DatabaseSync, { name, columns }: Table): void {
  const how = SPREAD[name];
  if (how === undefined) return;
  const set = (how.set ?? {}) as Readonly<Record<string, string>>;
  const values = columns.map((column) => set[column.name] ?? `row.${column.name}`).join(', ');
  db.exec(`INSERT INTO ${name} SELECT ${how.part}, ${values} FROM old.${name} AS row ${how.join ?? ''}`);
  const countOf = (of: string): number =>
    (db.prepare(`SELECT count(*) AS rows FROM ${of}`).get() as { rows: number }).rows;
  const [spread, all] = [countOf(`main.${name}`), countOf(`old.${name}`)];
  if (spread === all) return;
  throw new OrbweaverError('FOLDER_CORRUPT', `Of ${all} rows of the table ${name} ${all - spread} have no host.`, {
    remedy: 'Repair the folder first: orbweaver check --repair. Nothing was changed.',
  });
}

/** Batches keep their numbers: rows of hosts say up to which one they count. */
function spreadSeen(db: DatabaseSync): void {
  const places = new Map<number, { readonly part: number; readonly id: number }>();
  for (const row of db.prepare('SELECT old, part, id FROM host_map').iterate() as Iterable<unknown>) {
    const { old, ...place } = row as { old: number; part: number; id: number };
    places.set(old, place);
  }
  const insert = db.prepare('INSERT INTO main.seen VALUES (?, ?, ?)');
  const batches = db.prepare('SELECT batch, entries FROM old.seen ORDER BY batch');
  batches.setReadBigInts(true);
  for (const row of batches.iterate() as Iterable<unknown>) {
    const { batch, entries } = row as { batch: bigint; entries: Uint8Array };
    const parts = new Map<number, Buffer[]>();
    const all = Buffer.from(entries);
    for (let at = 0; at + SEEN_ENTRY_BYTES <= all.length; at += SEEN_ENTRY_BYTES) {
      const place = places.get(all.readUInt32LE(at + 8));
      if (place === undefined)
        throw new OrbweaverError('FOLDER_CORRUPT', 'A known URL has a host that is not there.', {
          remedy: 'Repair the folder first: orbweaver check --repair. Nothing was changed.',
        });
      const entry = Buffer.from(all.subarray(at, at + SEEN_ENTRY_BYTES));
      entry.writeUInt32LE(place.id, 8);
      const others = parts.get(place.part);
      if (others === undefined) parts.set(place.part, [entry]);
      else others.push(entry);
    }
    for (const [part, some] of parts) insert.run(part, batch, Buffer.concat(some));
  }
}

/** Only partitions with something in them have sums; the others are as untouched as those of a crawl that begins. */
function spreadMeta(db: DatabaseSync): void {
  const insert = db.prepare('INSERT INTO main.meta VALUES (?, ?, ?)');
  const read = db.prepare('SELECT value FROM old.meta WHERE name = ?');
  const touched = db.prepare('SELECT DISTINCT part FROM host_map').all() as { part: number }[];
  const kept = OF_A_PARTITION.flatMap((name) => {
    const row = read.get(name) as { value: string } | undefined;
    return row === undefined ? [] : [{ name, value: row.value }];
  });
  // What follows from no row is counted in the first.
  const parts = [...new Set([0, ...touched.map(({ part }) => part)])];
  const counters = spreadCounters(db, parts);
  for (const part of parts) {
    for (const { name, value } of kept) insert.run(part, name, value);
    insert.run(part, 'counters', JSON.stringify(counters.get(part)));
  }
}
