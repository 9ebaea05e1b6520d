import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColumnValue } from '../../../../src/engines/postgres/binary-array.ts';
import { GatheredState } from '../../../../src/engines/postgres/gather/gathered-state.ts';
import { TABLES, type Table } from '../../../../src/engines/postgres/tables.ts';
import { readCounters } from '../../../../src/engines/sqlite/counters.ts';
import { SqliteChangeLog } from '../../../../src/engines/sqlite/sqlite-change-log.ts';

const tableOf = (wanted: string): Table => TABLES.find(({ name }) => name === wanted) as Table;
const SHIFT = 1000;

function gathered(
  rows: readonly (readonly [partition: number, table: string, ...row: ColumnValue[]])[],
): GatheredState {
  const firstHost = new Map([
    [0, 0],
    [1, 5],
  ]);
  const state = new GatheredState({ path: ':memory:', firstHost, shiftMs: SHIFT });
  for (const [partition, table, ...row] of rows) state.fill(partition, tableOf(table), [row]);
  state.complete();
  return state;
}

test('changes of all partitions are in the order of their times, numbered without a gap', () => {
  using state = gathered([
    [0, 'change', 1n, 1000 + SHIFT, 'http://a/', 'new', null, null],
    [0, 'change', 2n, 4000 + SHIFT, 'http://a/', 'changed', null, null],
    [1, 'change', 1n, 2000 + SHIFT, 'http://b/', 'new', null, null],
    [1, 'change', 2n, 3000 + SHIFT, 'http://b/', 'gone', '404', null],
  ]);
  const log = new SqliteChangeLog(state.db);
  const told = [...log.changes({})].map(({ number, at, change }) => [number, at, change.kind]);
  assert.deepEqual(told, [
    [1, 1000, 'new'],
    [2, 2000, 'new'],
    [3, 3000, 'gone'],
    [4, 4000, 'changed'],
  ]);
  assert.deepEqual(
    [...log.changes({ since: 2500, limit: 1, last: true })].map(({ number }) => number),
    [4],
  );
});

test('sums add up; a link that two partitions have refused counts once', () => {
  const counters = (pages: number, seq: number): string =>
    JSON.stringify({ seq, pages, outcomes: { stored: pages }, refused: { scope: 2 } });
  using state = gathered([
    [0, 'meta', 'counters', counters(3, 7)],
    [1, 'meta', 'counters', counters(4, 9)],
    ...[0, 1].map((part) => [part, 'refusal', 11n, 'scope', 'host', '{"url":"http://x/"}', 1] as const),
    [0, 'refusal', 12n, 'scope', 'host', '{"url":"http://y/"}', 1],
    [1, 'refusal', 13n, 'scope', 'host', '{"url":"http://z/"}', 1],
  ]);
  const { pages, seq, outcomes, refused } = readCounters(state.db);
  assert.deepEqual(
    { pages, seq, outcomes, refused },
    { pages: 7, seq: 9, outcomes: { stored: 7 }, refused: { scope: 3 } },
  );
});

test('of two rows for one thing the right one stays; hosts and known URLs get new numbers', () => {
  const entry = Buffer.alloc(13);
  entry.writeUInt32LE(2, 8);
  using state = gathered([
    [0, 'digest', 'sha1:A', 'http://late/', 2000, 'raw'],
    [1, 'digest', 'sha1:A', 'http://early/', 1500, 'raw'],
    [0, 'robots', 'http://a', '{"fetchedAt":1}'],
    [1, 'robots', 'http://a', '{"fetchedAt":2}'],
    [0, 'archive_file', 'f', 10n, 5n],
    [1, 'archive_file', 'f', 8n, 6n],
    [0, 'seen', 1n, entry],
    [1, 'seen', 1n, entry],
  ]);
  const all = (sql: string) =>
    state.db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  assert.deepEqual(all('SELECT url FROM digest'), [{ url: 'http://early/' }]);
  assert.deepEqual(all('SELECT record FROM robots'), [{ record: '{"fetchedAt":2}' }]);
  assert.deepEqual(all('SELECT file_end, index_end FROM archive_file'), [{ file_end: 10, index_end: 6 }]);
  const hosts = all('SELECT entries FROM seen ORDER BY batch').map(({ entries }) =>
    Buffer.from(entries as Uint8Array).readUInt32LE(8),
  );
  assert.deepEqual(hosts, [2, 7]);
});
