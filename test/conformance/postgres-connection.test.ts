import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isTransient, PostgresConnection, type Step } from '../../src/engines/postgres/connection.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../postgres-server.ts';

const programs = findPostgres();
const named = (name: string, text: string, ...values: (string | number | null)[]): Step => [{ name, text }, ...values];

describe('one connection to PostgreSQL', { skip: typeof programs === 'string' ? programs : false }, () => {
  const opened = new AsyncDisposableStack();
  let server: PostgresServer;
  before(async () => {
    if (typeof programs === 'string') return;
    server = opened.use(await startPostgres(programs));
    await using connection = new PostgresConnection({ url: server.url, schema: 'public' });
    await connection.transact([named('', 'CREATE TABLE t (id integer PRIMARY KEY, word text)')]);
  });
  after(() => opened.disposeAsync());

  const insert = (id: number, word: string | null): Step =>
    named('insert', 'INSERT INTO t VALUES ($1::integer, $2::text)', id, word);
  const removed = (id: number): Step => named('removed', 'DELETE FROM t WHERE id = $1::integer RETURNING id, word', id);
  const all = (): Step => named('all', 'SELECT id, word FROM t ORDER BY id');

  test('a transaction answers the rows of each statement, in their order', async () => {
    await using connection = new PostgresConnection({ url: server.url, schema: 'public' });
    const rows = await connection.transact([insert(1, 'one'), insert(2, null), all(), removed(1), all(), removed(2)]);
    assert.deepEqual(rows, [
      [],
      [],
      [
        { id: 1, word: 'one' },
        { id: 2, word: null },
      ],
      [{ id: 1, word: 'one' }],
      [{ id: 2, word: null }],
      [{ id: 2, word: null }],
    ]);
    assert.deepEqual(await connection.transact([]), []);
  });

  test('one that fails changes nothing, and those behind it on the connection go on', async () => {
    await using connection = new PostgresConnection({ url: server.url, schema: 'public' });
    await connection.transact([insert(10, 'kept')]);
    // The second is sent before the first has failed.
    const [failed, next, read] = await Promise.allSettled([
      connection.transact([insert(11, 'lost'), insert(10, 'twice'), insert(12, 'never')]),
      connection.transact([insert(13, 'behind')]),
      connection.run([all()]),
    ]);
    assert.equal(failed.status, 'rejected');
    assert.equal((failed as PromiseRejectedResult).reason.code, '23505');
    assert.equal(next.status, 'fulfilled');
    assert.deepEqual((read as PromiseFulfilledResult<unknown>).value, [
      [
        { id: 10, word: 'kept' },
        { id: 13, word: 'behind' },
      ],
    ]);
  });

  test('statements that a failed transaction was to prepare are prepared by whoever needs them next', async () => {
    await using connection = new PostgresConnection({ url: server.url, schema: 'public' });
    const late = named('late', 'SELECT 7 AS late');
    // It is prepared and then fails; "late" is passed over.
    await assert.rejects(connection.transact([named('divide', 'SELECT 1 / $1::integer AS n', 0), late]), {
      code: '22012',
    });
    assert.deepEqual(await connection.run([named('divide', 'SELECT 1 / $1::integer AS n', 1), late]), [
      [{ n: 1 }],
      [{ late: 7 }],
    ]);
    assert.deepEqual(await connection.transact([late, named('divide', 'SELECT 1 / $1::integer AS n', 1)]), [
      [{ late: 7 }],
      [{ n: 1 }],
    ]);
    // One that does not stand up to being prepared at all.
    await assert.rejects(connection.transact([named('wrong', 'SELECT nothing FROM nowhere'), insert(20, 'no')]), {
      code: '42P01',
    });
    await connection.transact([insert(20, 'yes')]);
    assert.deepEqual(await connection.transact([removed(20)]), [[{ id: 20, word: 'yes' }]]);
  });

  test('a statement that the server has dropped, or has already, fails once, and is prepared by whoever sends it again', async () => {
    await using connection = new PostgresConnection({ url: server.url, schema: 'public' });
    const [one, two] = [named('one', 'SELECT 1 AS one'), named('two', 'SELECT 2 AS two')];
    const both = [[{ one: 1 }], [{ two: 2 }]];
    for (const send of [
      (...steps: Step[]) => connection.transact(steps),
      (...steps: Step[]) => connection.run(steps),
    ]) {
      assert.deepEqual(await send(one, two), both);
      // As a pooler between does it.
      await connection.run([named('', 'DEALLOCATE ALL')]);
      await assert.rejects(send(one, two), (error) => isTransient(error));
      assert.deepEqual(await send(two, one), both.toReversed());
    }
    await connection.run([named('', 'PREPARE taken AS SELECT 3')]);
    const taken = named('taken', 'SELECT 4 AS taken');
    await assert.rejects(connection.transact([one, taken]), (error) => isTransient(error));
    assert.deepEqual(await connection.transact([one, taken]), [[{ one: 1 }], [{ taken: 4 }]]);
  });

  test('notices, many statements and large values within a transaction', async () => {
    await using connection = new PostgresConnection({ url: server.url, schema: 'public' });
    const large = 'x'.repeat(8_000_000);
    const notice = named('', "DO $$ BEGIN RAISE NOTICE 'seen'; RAISE WARNING 'heard'; END $$");
    const many = Array.from({ length: 3000 }, (_, at) => insert(1000 + at, `word ${at}`));
    const echo = named('echo', 'SELECT length($1::text) AS n, $1::text AS said', large);
    const rows = await connection.transact([notice, ...many, echo, notice, all()]);
    assert.equal(rows.length, many.length + 4);
    assert.deepEqual(rows[many.length + 1], [{ n: large.length, said: large }]);
    assert.equal(rows.at(-1)?.length, (await connection.run([all()]))[0].length);
    await connection.transact([named('', 'DELETE FROM t WHERE id >= 1000')]);
  });

  test('a transaction whose connection ends fails, and the next one has another', async () => {
    await using connection = new PostgresConnection({ url: server.url, schema: 'public' });
    await using other = new PostgresConnection({ url: server.url, schema: 'public' });
    const [[{ pid }]] = await connection.run([named('', 'SELECT pg_backend_pid() AS pid')]);
    const slow = connection.transact([insert(30, 'gone'), named('', 'SELECT pg_sleep(60)')]);
    const ended = assert.rejects(slow);
    await other.run([named('', 'SELECT pg_terminate_backend($1::integer)', Number(pid))]);
    await ended;
    await connection.transact([insert(30, 'there')]);
    assert.deepEqual(await connection.transact([removed(30)]), [[{ id: 30, word: 'there' }]]);
  });
});
