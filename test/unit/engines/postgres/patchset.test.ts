import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { arrayLiteral } from '../../../../src/engines/postgres/array-literal.ts';
import { readPatchset } from '../../../../src/engines/postgres/patchset.ts';

test('every kind of value and of change', () => {
  using db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE a (k TEXT, n INTEGER, r REAL, b BLOB, t TEXT, PRIMARY KEY (n, k)) WITHOUT ROWID');
  db.exec("INSERT INTO a VALUES ('x', 1, 1.5, NULL, 'old'), ('y', 2, 0, NULL, 'gone')");
  const session = db.createSession();
  const long = 'ä'.repeat(20_000);
  db.prepare("INSERT INTO a VALUES ('new', ?, -0.5, ?, ?)").run(-(2n ** 63n), Uint8Array.of(0, 255), long);
  db.exec("UPDATE a SET t = 'new' WHERE n = 1; DELETE FROM a WHERE n = 2");
  const changes = [...readPatchset(session.patchset())].sort((a, b) => (a.kind < b.kind ? -1 : 1));
  assert.deepEqual(changes, [
    { table: 'a', kind: 'delete', values: ['y', 2, undefined, undefined, undefined] },
    { table: 'a', kind: 'insert', values: ['new', -(2n ** 63n), -0.5, Uint8Array.of(0, 255), long] },
    { table: 'a', kind: 'update', values: ['x', 1, undefined, undefined, 'new'] },
  ]);
});

test('a row that comes and goes within one record leaves nothing that matters', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(5), fc.nat(9)), { maxLength: 60 }), (steps) => {
      using db = new DatabaseSync(':memory:');
      db.exec('CREATE TABLE a (k INTEGER PRIMARY KEY, v INTEGER)');
      db.exec('INSERT INTO a VALUES (0, 0), (1, 1), (2, 2)');
      const copy = new Map<unknown, unknown>([0, 1, 2].map((n) => [n, n]));
      const session = db.createSession();
      for (const [isPut, k, v] of steps) {
        if (isPut) db.prepare('INSERT OR REPLACE INTO a VALUES (?, ?)').run(k, v);
        else db.prepare('DELETE FROM a WHERE k = ?').run(k);
      }
      for (const { kind, values } of readPatchset(session.patchset())) {
        if (kind === 'delete') copy.delete(values[0]);
        else copy.set(values[0], values[1]);
      }
      const rows = db.prepare('SELECT k, v FROM a').all();
      assert.deepEqual([...copy].sort(), rows.map(({ k, v }) => [k, v]).sort());
    }),
  );
});

test('arrays as PostgreSQL reads them', () => {
  const values = ['a"b\\c', '', 'NULL', '{,}', 'nul\0'];
  assert.equal(arrayLiteral(values), '{"a\\"b\\\\c","","NULL","{,}","nul\ufffd"}');
  assert.equal(
    arrayLiteral([1, -(2n ** 63n), null, Number.POSITIVE_INFINITY]),
    '{1,-9223372036854775808,NULL,Infinity}',
  );
  assert.equal(arrayLiteral([Uint8Array.of(0, 255)]), '{"\\\\x00ff"}');
});
