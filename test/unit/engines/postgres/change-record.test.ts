import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { ChangeRecord } from '../../../../src/engines/postgres/change-record.ts';
import type { ColumnType, Table } from '../../../../src/engines/postgres/tables.ts';

function tableOf(columns: Readonly<Record<string, ColumnType>>, key: readonly string[]): Table {
  const all = Object.entries(columns).map(([name, type]) => ({ name, type, isTime: false }));
  const keyAt = key.map((wanted) => all.findIndex(({ name }) => name === wanted));
  return { name: 'a', columns: all, key: keyAt.map((at) => all[at]), keyAt };
}

test('every kind of value and of change', () => {
  using db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE a (k TEXT, n INTEGER, r REAL, b BLOB, t TEXT, PRIMARY KEY (n, k)) WITHOUT ROWID');
  db.exec("INSERT INTO a VALUES ('x', 1, 1.5, NULL, 'old'), ('y', 2, 0, NULL, 'gone')");
  ChangeRecord.prepare(db);
  const record = new ChangeRecord(
    db,
    tableOf({ k: 'text', n: 'bigint', r: 'double', b: 'bytes', t: 'text' }, ['n', 'k']),
  );
  const long = 'ä'.repeat(20_000);
  db.prepare("INSERT INTO a VALUES ('new', ?, -0.5, ?, ?)").run(-(2n ** 63n), Uint8Array.of(0, 255), long);
  db.exec("UPDATE a SET t = 'new' WHERE n = 1; DELETE FROM a WHERE n = 2");
  const changes = record.take().sort((a, b) => (a.kind < b.kind ? -1 : 1));
  assert.deepEqual(changes, [
    { kind: 'delete', values: ['y', 2, undefined, undefined, undefined] },
    { kind: 'insert', values: ['new', -(2n ** 63n), -0.5, Uint8Array.of(0, 255), long] },
    { kind: 'update', values: ['x', 1, 1.5, null, 'new'] },
  ]);
  assert.deepEqual(record.take(), []);
});

const PUTS = [
  'INSERT OR REPLACE INTO a VALUES (:k, :v)',
  'INSERT INTO a VALUES (:k, :v) ON CONFLICT (k) DO UPDATE SET v = excluded.v',
  'INSERT OR IGNORE INTO a VALUES (:k, :v)',
  'UPDATE a SET v = :v WHERE k = :k',
  // The key of one row becomes that of another, which goes.
  'UPDATE OR REPLACE a SET k = :v WHERE k = :k',
  'DELETE FROM a WHERE k = :k AND :v >= 0',
];

test('whatever is done to rows, the kinds of changes are those of what was there before and is there now', () => {
  const step = fc.record({
    put: fc.constantFrom(...PUTS),
    k: fc.nat(5),
    v: fc.nat(7),
    isUndone: fc.boolean(),
    isTaken: fc.nat(5).map((n) => n === 0),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      using db = new DatabaseSync(':memory:');
      db.exec('CREATE TABLE a (k INTEGER PRIMARY KEY, v INTEGER)');
      db.exec('INSERT INTO a VALUES (0, 0), (1, 1), (2, 2)');
      const copy = new Map<unknown, unknown>([0, 1, 2].map((n) => [n, n]));
      ChangeRecord.prepare(db);
      const record = new ChangeRecord(db, tableOf({ k: 'bigint', v: 'bigint' }, ['k']));
      const follow = (): void => {
        for (const { kind, values } of record.take()) {
          assert.equal(copy.has(values[0]), kind !== 'insert');
          if (kind === 'delete') copy.delete(values[0]);
          else copy.set(values[0], values[1]);
        }
        const rows = db.prepare('SELECT k, v FROM a').all();
        assert.deepEqual([...copy].sort(), rows.map(({ k, v }) => [k, v]).sort());
      };
      for (const { put, k, v, isUndone, isTaken } of steps) {
        db.exec('BEGIN');
        db.prepare(put).run({ k, v });
        db.exec(isUndone ? 'ROLLBACK' : 'COMMIT');
        if (isTaken) follow();
      }
      follow();
    }),
  );
});
