import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import type { HostKey } from '../../../../src/contracts/url.ts';
import { busyIn, spreadRows } from '../../../../src/engines/postgres/move/spread-rows.ts';
import { TABLES } from '../../../../src/engines/postgres/tables.ts';
import { sumOfCounters } from '../../../../src/engines/sqlite/counters.ts';
import { createStateFile } from '../../../../src/engines/sqlite/state-database.ts';
import { documentIn, partitionOf } from '../../../../src/frontier/partition-of.ts';

const SPREAD = { count: 3, by: 'site', byDomain: false } as const;
const HOSTS = Array.from({ length: 12 }, (_, number) => `host-${number}.example` as HostKey);
const COUNTERS = {
  ...sumOfCounters([]),
  ...{ seq: 99, batch: 7, queued: 12, requests: 40, bytes: 1234, later: 12, planned: 12, pages: 12 },
  ...{ distinctDocuments: 12, outcomes: { stored: 12 }, refused: { scope: 20, url: 3 }, revisits: { unchanged: 2 } },
};

const folder = mkdtempSync(join(tmpdir(), 'orbweaver-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** One row of each kind for each of the hosts. */
function makeState(name: string): string {
  const path = join(folder, name);
  using db = createStateFile(path);
  const insert = (table: string, row: Readonly<Record<string, unknown>>): void => {
    const columns = Object.keys(row);
    db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(
      ...(Object.values(row) as (string | number | bigint | Uint8Array | null)[]),
    );
  };
  const seen = Buffer.alloc(13 * HOSTS.length);
  for (const [id, key] of HOSTS.entries()) {
    const url = `https://${key}/`;
    const place = { host: id, lane: 1, ord: id + 1 };
    const queued = { ...place, url, depth: 0, redirects: 0, tries: 0, visited: 0, how: 'seed', found_at: 5 };
    const clocks = { due_at: 1, hold_until: 0, crawl_delay: 0, last_fetch: 0, pushbacks: 0, pushed_at: 0 };
    insert('host', { id, key, ...clocks, queued: 1, lane: 1, pages: 1, bytes: 9, spent: 0, parked: 0, as_of: 7 });
    insert('queue', queued);
    for (const table of ['later', 'revisit']) insert(table, { ...queued, at: 1000.5 + id });
    const outcome = JSON.stringify({ kind: 'stored' });
    const times = { found_at: 5, visited_at: 6, tries: 0, depth: 0 };
    insert('page', { fp: id - 5, url, host: id, how: 'seed', kind: 'stored', outcome, history: '', ...times });
    insert('place', { fp: id - 5, ...place, depth: 0, waits: 0 });
    // Found on a page of another host.
    insert('refusal', { fp: id, by: 'scope', rule: 'r', task: JSON.stringify({ url, host: key }), at: 1 });
    insert('digest', { digest: `sha1:${id}`, url, at: 1, raw: 'x' });
    insert('robots', { origin: `https://${key}`, record: '{}' });
    const sketch = { simhash: id, shingles: 1, sketch: Buffer.of(id) };
    // Near to the one before; the first to one that has gone.
    insert('likeness', { document: 10 + id, page: id - 5, ...sketch, near_to: id === 0 ? 3 : 9 + id, jaccard: 0.9 });
    insert('change', { number: 100 + id, at: id, url, kind: 'new' });
    seen.writeBigUInt64LE(BigInt(id) + 1n, 13 * id);
    seen.writeUInt32LE(id, 13 * id + 8);
    seen[13 * id + 12] = 1;
  }
  insert('seen', { batch: 7, entries: seen });
  insert('archive_file', { name: 'orbweaver-20260102030405-00000-w0.warc.gz', file_end: 10, index_end: 5 });
  insert('link_batch', { number: 4, links: Buffer.of(1) });
  insert('learning', { number: 1, events: Buffer.of(2) });
  for (const [name, value] of Object.entries({ counters: COUNTERS, places: true, direction: 'fifo', run: {} }))
    insert('meta', { name, value: JSON.stringify(value) });
  return path;
}

const all = (db: DatabaseSync, sql: string): Record<string, number & string>[] =>
  db.prepare(sql).all() as Record<string, number & string>[];

describe('the rows of a state, spread over partitions', () => {
  test('every row goes to the partition of its host, under the number that the host has there', () => {
    using db = spreadRows(makeState('hosts.db'), join(folder, 'spread.db'), SPREAD);
    const partOf = (url: string): number => partitionOf(new URL(url).host as HostKey, SPREAD);
    for (const table of ['queue', 'later', 'revisit', 'page']) {
      const rows = all(
        db,
        `SELECT row.part, row.url, host.key FROM ${table} AS row
        LEFT JOIN host ON host.part = row.part AND host.id = row.host`,
      );
      assert.equal(rows.length, HOSTS.length, table);
      for (const { part, url, key } of rows) assert.deepEqual([part, key], [partOf(url), new URL(url).host], table);
    }
    for (const table of ['digest', 'change'])
      for (const { part, url } of all(db, `SELECT part, url FROM ${table}`)) assert.equal(part, partOf(url), table);
    for (const { part, task } of all(db, 'SELECT part, task FROM refusal'))
      assert.equal(part, partOf(JSON.parse(task).url));
    for (const { part, origin } of all(db, 'SELECT part, origin FROM robots')) assert.equal(part, partOf(origin));
    const misplaced = all(
      db,
      `SELECT place.fp FROM place LEFT JOIN page USING (part, fp) LEFT JOIN queue
      ON queue.part = place.part AND queue.host = place.host AND queue.lane = place.lane AND queue.ord = place.ord
      WHERE page.host IS NOT place.host OR queue.url IS NOT page.url`,
    );
    assert.deepEqual(misplaced, []);
    const ids = Map.groupBy(all(db, 'SELECT part, id FROM host ORDER BY part, id'), ({ part }) => part);
    assert.equal(ids.size, 3);
    for (const some of ids.values())
      assert.deepEqual(
        some.map(({ id }) => id),
        [...some.keys()],
      );
    const numbers = Map.groupBy(all(db, 'SELECT part, number FROM change ORDER BY part, number'), ({ part }) => part);
    for (const some of numbers.values())
      assert.deepEqual(
        some.map(({ number }) => number - 1),
        [...some.keys()],
      );
    assert.deepEqual(all(db, 'SELECT part, name FROM archive_file').length, 1);
    assert.deepEqual(all(db, 'SELECT * FROM learning'), [], 'stays with the node');
    const [id] = all(db, `SELECT part, id FROM host WHERE key = '${HOSTS[5]}'`);
    assert.deepEqual(busyIn(db, id.part, [5]), [id.id]);
    assert.deepEqual(busyIn(db, (id.part + 1) % 3, [5]), []);
  });

  test('known URLs are in the batch that they were in; documents have numbers of their partitions, and refer to them', () => {
    using db = spreadRows(makeState('numbers.db'), join(folder, 'spread.db'), SPREAD);
    const known = (db.prepare('SELECT part, batch, entries FROM seen').all() as Record<string, unknown>[]).flatMap(
      ({ part, batch, entries }) => {
        assert.equal(batch, 7);
        const bytes = Buffer.from(entries as Uint8Array);
        return Array.from({ length: bytes.length / 13 }, (_, at) => {
          const host = bytes.readUInt32LE(13 * at + 8);
          const [{ key }] = all(db, `SELECT key FROM host WHERE part = ${part} AND id = ${host}`);
          return [HOSTS.indexOf(key as unknown as HostKey), Number(bytes.readBigUInt64LE(13 * at)) - 1];
        });
      },
    );
    assert.deepEqual(
      known.sort(([a], [b]) => a - b),
      HOSTS.map((_, id) => [id, id]),
    );
    const documents = all(db, 'SELECT part, document, near_to, page FROM likeness ORDER BY page');
    assert.equal(documents.length, HOSTS.length);
    for (const [at, { part, document, near_to: nearTo }] of documents.entries()) {
      assert.equal(documentIn(document), part);
      assert.ok(at === 0 ? nearTo < document : nearTo === documents[at - 1].document);
    }
  });

  test('sums are those of the folder; a partition has the sums of its own rows', () => {
    using db = spreadRows(makeState('sums.db'), join(folder, 'spread.db'), SPREAD);
    const counters = all(db, "SELECT part, value FROM meta WHERE name = 'counters' ORDER BY part");
    const parsed = counters.map(({ value }) => JSON.parse(value));
    const { batch: _, ...sum } = sumOfCounters(parsed);
    const { batch: _batch, ...expected } = COUNTERS;
    assert.deepEqual(sum, expected);
    for (const [at, { part }] of counters.entries()) {
      const [{ pages }] = all(db, `SELECT count(*) AS pages FROM page WHERE part = ${part}`);
      assert.deepEqual([parsed[at].pages, parsed[at].later, parsed[at].batch], [pages, pages, 7]);
    }
    const names = all(db, 'SELECT DISTINCT name FROM meta ORDER BY name').map(({ name }) => name as string);
    assert.deepEqual(names, ['counters', 'direction', 'places']);
  });

  test('the same state is spread in the same way; one that is damaged is refused', () => {
    const state = makeState('same.db');
    const rowsOf = (path: string): unknown => {
      using db = spreadRows(state, join(folder, path), SPREAD);
      return TABLES.map(({ name }) => all(db, `SELECT * FROM ${name}`));
    };
    assert.deepEqual(rowsOf('once.db'), rowsOf('twice.db'));
    {
      using db = createStateFile(join(folder, 'orphan.db'));
      const columns = 'host, lane, ord, url, depth, redirects, tries, visited, how, found_at';
      db.exec(`INSERT INTO queue (${columns}) VALUES (3, 1, 1, 'https://a.example/', 0, 0, 0, 0, 'seed', 1)`);
    }
    const refused = { code: 'FOLDER_CORRUPT', message: /table queue 1 have no host/ };
    assert.throws(() => spreadRows(join(folder, 'orphan.db'), join(folder, 'spread.db'), SPREAD), refused);
  });
});
