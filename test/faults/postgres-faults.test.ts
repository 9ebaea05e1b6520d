import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { VirtualClock } from '../../src/base/virtual-clock.ts';
import {
  isTransient,
  PostgresConnection,
  type Rows,
  type Step,
  type StepRunner,
} from '../../src/engines/postgres/connection.ts';
import { migrate } from '../../src/engines/postgres/migrate.ts';
import type { PostgresPartition } from '../../src/engines/postgres/postgres-partition.ts';
import { PostgresState } from '../../src/engines/postgres/postgres-state.ts';
import { FENCE, FENCED_CONSTRAINT, STEPS } from '../../src/engines/postgres/statements.ts';
import { TABLES } from '../../src/engines/postgres/tables.ts';
import { settled, task } from '../conformance/opened-frontier.ts';
import { frontierOptionsOf } from '../conformance/opened-state.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../postgres-server.ts';
import { killedCrawl } from './killed-crawl.ts';

const programs = findPostgres();
const LEASE = 30_000;
const GATHER = 1001;

function lostConnection(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
}

/** A way to the database on which transactions fail as told, before they arrive or before their answer does; and so do so many single statements. */
class BadLine implements StepRunner, AsyncDisposable {
  readonly #connection: StepRunner;
  fails: ('before' | 'after')[] = [];
  failingRuns = 0;
  transactions = 0;

  constructor(connection: StepRunner) {
    this.#connection = connection;
  }

  async run(steps: readonly Step[]): Promise<Rows[]> {
    if (this.failingRuns > 0) {
      this.failingRuns--;
      throw lostConnection();
    }
    return await this.#connection.run(steps);
  }

  async transact(steps: readonly Step[], isForgettable?: boolean): Promise<Rows[]> {
    const fault = this.fails.shift();
    if (fault === 'before') throw lostConnection();
    this.transactions++;
    const rows = await this.#connection.transact(steps, isForgettable);
    if (fault === 'after') throw lostConnection();
    return rows;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

describe('faults of PostgreSQL', { skip: typeof programs === 'string' ? programs : false }, () => {
  let server: PostgresServer;
  before(async () => {
    if (typeof programs !== 'string') server = await startPostgres(programs);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const withPartition = async (
    schema: string,
    body: (opened: {
      readonly owned: PostgresPartition;
      readonly line: BadLine;
      readonly connection: PostgresConnection;
      readonly clock: VirtualClock;
      readonly open: () => Promise<PostgresPartition>;
      readonly state: PostgresState;
      readonly node: (
        name: string,
        storeTime?: () => Promise<number>,
        copyPath?: (partition: number) => string,
      ) => Promise<PostgresState>;
    }) => Promise<void>,
    { url } = server,
  ): Promise<void> => {
    await using connection = new PostgresConnection({ url, schema });
    await migrate(connection, schema);
    const line = new BadLine(connection);
    const clock = new VirtualClock();
    // The waits between tries are real ones. What is gathered leaves when it is told to.
    const sleep = (ms: number): Promise<void> => (ms === GATHER ? new Promise(() => {}) : systemClock.sleep(ms));
    const sleeping = Object.assign(Object.create(clock), { now: () => clock.now(), sleep });
    const node = (
      name: string,
      storeTime = async () => clock.now(),
      copyPath = (_partition: number) => ':memory:',
    ): Promise<PostgresState> =>
      PostgresState.open({
        ...{ store: line, clock: sleeping, node: name, random: Math.random, leaseMs: LEASE, partitions: 1 },
        ...{
          options: frontierOptionsOf({ maxRequestMs: 2000 }),
          storeTime,
          copyPath,
          gatherMs: GATHER,
        },
      });
    const state = await node('a');
    const open = async (): Promise<PostgresPartition> => await state.open((await state.partitions.acquire(1))[0]);
    await body({ owned: await open(), line, connection, clock, open, state, node });
  };

  test('a process that is stopped within a transaction does not hold up the others', async () => {
    const options = { url: server.url, schema: 'stopped', silentMs: 100 };
    await using stopped = new PostgresConnection(options);
    await using other = new PostgresConnection(options);
    await migrate(other, 'stopped');
    const claim: Step = [{ name: '', text: 'INSERT INTO migration (number) VALUES (77)' }];
    await stopped.run([[STEPS.begin], claim]);
    await other.run([claim]);
    // Its own is gone, and it goes on with a new connection.
    const [[{ count }]] = await stopped.run([[{ name: '', text: 'SELECT count(*) FROM migration WHERE number = 77' }]]);
    assert.equal(Number(count), 1);
  });

  test('the tables are those that the engine writes, and two processes may make them at once', async () => {
    const schema = 'made_twice';
    await using a = new PostgresConnection({ url: server.url, schema });
    await using b = new PostgresConnection({ url: server.url, schema });
    await Promise.all([migrate(a, schema), migrate(b, schema)]);
    await migrate(a, schema);
    const text = `SELECT table_name, column_name, data_type FROM information_schema.columns
      WHERE table_schema = '${schema}' AND column_name <> 'part'`;
    const [rows] = await a.run([[{ name: '', text }]]);
    const types = { integer: 'integer', bigint: 'bigint', double: 'double precision', text: 'text', bytes: 'bytea' };
    for (const { name, columns } of TABLES) {
      const found = rows.filter((row) => row.table_name === name).map((row) => `${row.column_name} ${row.data_type}`);
      const wanted = columns.map((column) => `${column.name} ${types[column.type]}`);
      assert.deepEqual(found.sort(), wanted.sort(), name);
    }
    await a.run([[{ name: '', text: 'INSERT INTO migration (number) VALUES (99)' }]]);
    await assert.rejects(migrate(b, schema), { code: 'FOLDER_NEWER_VERSION' });
  });

  test('a transaction that did not arrive is sent again; one whose answer was lost is not done twice', () =>
    withPartition('resent', async ({ owned, line, clock, connection }) => {
      line.fails = ['before', 'after'];
      const sent = line.transactions;
      assert.deepEqual(await owned.frontier.add([task('http://a.test/1'), task('http://a.test/2')]), [
        'added',
        'added',
      ]);
      assert.equal(line.transactions - sent, 2, 'one that was committed, and one that met the fence');
      const [claim] = await owned.frontier.claim(1);
      line.fails = ['after'];
      assert.deepEqual(await owned.frontier.settle([settled(claim, clock)]), ['applied']);
      assert.deepEqual(await owned.frontier.settle([settled(claim, clock)]), ['expired']);
      const [[owner]] = await connection.run([[{ name: '', text: 'SELECT commits FROM owner' }]]);
      assert.equal(Number(owner.commits), 5, 'opened, added, claimed, settled twice');
      assert.equal((await owned.pages.page(claim.task.url))?.outcome?.kind, 'stored');
    }));

  test('a host is asked beyond what is not committed yet; whoever comes after a kill asks for both again, after its rest', () =>
    withPartition('gathered', async ({ owned, line, clock, node }) => {
      await owned.frontier.add([task('http://a.test/1'), task('http://a.test/2'), task('http://a.test/3')]);
      const [first] = await owned.frontier.claim(1);
      const sent = line.transactions;
      const begun = await owned.frontier.beginSettling([settled(first, clock)]);
      clock.advance(1000);
      const [second] = await owned.frontier.claim(1);
      assert.equal(second.task.url, 'http://a.test/2');
      assert.equal(line.transactions, sent, 'the row of the owner names the host already');
      begun.hurry();
      assert.deepEqual(await begun.settled, ['applied']);
      const lost = await owned.frontier.beginSettling([settled(second, clock)]);
      clock.advance(1000);
      assert.equal((await owned.frontier.claim(1))[0].task.url, 'http://a.test/3');
      // Whoever is killed here has committed the first alone.
      clock.advance(LEASE);
      const other = await node('b');
      const next = await other.open((await other.partitions.acquire(1))[0]);
      assert.deepEqual(await next.frontier.claim(1), [], 'the host rests');
      clock.advance(10_000);
      assert.equal((await next.frontier.claim(1))[0].task.url, 'http://a.test/2');
      lost.hurry();
      assert.deepEqual(await lost.settled, ['fenced']);
    }));

  test('a partition that comes back to its node is opened in the file of the copy before, whatever that one had not written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-copies-'));
    using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
    const copyPath = (partition: number) => join(folder, `${partition}.db`);
    await withPartition('back', async ({ clock, state: former, node }) => {
      await former.partitions.releaseAll();
      const own = await node('c', undefined, copyPath);
      const owned = await own.open((await own.partitions.acquire(1))[0]);
      await owned.frontier.add([task('http://a.test/1')]);
      const [claim] = await owned.frontier.claim(1);
      const begun = await owned.frontier.beginSettling([settled(claim, clock)]);
      clock.advance(LEASE);
      const other = await node('b');
      await other.partitions.release(await other.partitions.acquire(1));
      await own.partitions.renewAll();
      const back = await own.open((await own.partitions.acquire(1))[0]);
      begun.hurry();
      assert.deepEqual(await begun.settled, ['fenced']);
      clock.advance(10_000);
      assert.equal((await back.frontier.claim(1))[0].task.url, claim.task.url);
      assert.equal((await back.pages.page(claim.task.url))?.outcome, undefined);
      await own[Symbol.asyncDispose]();
    });
  });

  test('kill -9 of the crawl: complete, nothing twice, no host asked too early, valid archive', async () => {
    const delayMs = 60;
    const report = await killedCrawl({
      web: {
        ...{ seed: 11, hosts: 4, pagesPerHost: 10, pageBytes: [1_000, 8_000], crawlDelaySeconds: 0 },
        ...{ retryAfterSeconds: 0, slowRobotsMs: 20, robots: { broken: 0 } },
      },
      ...{ delayMs, kills: 1, killAfter: { requests: [5, 15] }, random: () => 0.5 },
      flags: ['--workers', '1', '--store', `${server.url}&schema=killed`],
    });
    const { kills, missed, unexpected, storedTwice, notArchived, damage, smallestGapMs } = report;
    assert.equal(kills, 1);
    assert.deepEqual([missed, unexpected, storedTwice, notArchived, damage], [[], [], [], [], []]);
    assert.ok(smallestGapMs >= delayMs, `a host was asked after ${smallestGapMs} ms`);
  });

  test('a server that dies and comes back within the lease is waited for', () =>
    withPartition('restarted', async ({ owned, clock }) => {
      await owned.frontier.add([task('http://a.test/1')]);
      const [claim] = await owned.frontier.claim(1);
      const restarted = server.crash();
      assert.deepEqual(await owned.frontier.settle([settled(claim, clock)]), ['applied']);
      await restarted;
      assert.equal((await owned.frontier.counts()).queued, 0);
    }));

  test('a server that comes back and goes again before it has said what it committed is asked again', () =>
    withPartition('asked_again', async ({ owned, line }) => {
      // Committed without an answer; met by the fence; then the line is lost once more.
      line.fails = ['after'];
      line.failingRuns = 1;
      assert.deepEqual(await owned.frontier.add([task('http://a.test/1')]), ['added']);
      assert.equal(line.failingRuns, 0);
    }));

  test('a line that is lost is told as such by leases and messages: their node goes on', () =>
    withPartition('told', async ({ owned, line, state }) => {
      const calls = [
        () => state.partitions.renew([owned.lease]),
        () => state.partitions.acquire(1),
        () => state.exchange.pending(),
        () => state.nodes.view(),
        () => state.notes.read('a', 'b'),
      ];
      for (const call of calls) {
        line.failingRuns = 1;
        await assert.rejects(call(), { code: 'STORE_UNREACHABLE' }, String(call));
      }
    }));

  test('a transaction that follows one which was refused, on the same connection, may be sent again', () =>
    withPartition('refused', async ({ connection }) => {
      const fence: Step = [FENCE, 0, -7, -7, '{}'];
      const note: Step = [STEPS.readNote, 0, 'a', 'b'];
      const [refused, next] = await Promise.allSettled([
        connection.transact([fence, note]),
        connection.transact([note]),
      ]);
      assert.equal(refused.status === 'rejected' && refused.reason.constraint, FENCED_CONSTRAINT);
      assert.ok(next.status === 'fulfilled' || isTransient(next.reason), String((next as { reason?: Error }).reason));
      assert.deepEqual(await connection.transact([note]), [[]]);
    }));

  test('a partition that could not be opened is not held', () =>
    withPartition('unopened', async ({ line, node, clock }) => {
      clock.advance(2 * LEASE);
      const b = await node('b', async () => {
        await line.run([[STEPS.time]]);
        return clock.now();
      });
      const leases = await b.partitions.acquire(1);
      assert.equal(leases.length, 1);
      line.failingRuns = 1;
      await assert.rejects(b.open(leases[0]), { code: 'STORE_UNREACHABLE' });
      assert.deepEqual(b.nodes.held, []);
    }));

  test('who has nothing to write notices with the next renewal that commits were forgotten', () =>
    withPartition('idle', async ({ owned, connection, state }) => {
      await owned.frontier.add([task('http://a.test/1')]);
      assert.equal((await state.partitions.renew([owned.lease])).length, 1);
      await connection.run([[{ name: '', text: 'UPDATE owner SET commits = commits - 1' }]]);
      assert.deepEqual(await state.partitions.renew([owned.lease]), []);
      await assert.rejects(owned.frontier.nextDue(), { code: 'PARTITION_LOST' });
    }));

  test('the epoch of an owner whom the database forgot is not given to another', () =>
    withPartition('epochs', async ({ owned, connection, clock, node }) => {
      // As after a failover to a copy that was behind: nobody ever took the partition.
      await connection.run([[{ name: '', text: 'UPDATE owner SET epoch = 0, writer = 0, commits = 0, node = NULL' }]]);
      clock.advance(1);
      const b = await node('b');
      const next = await b.open((await b.partitions.acquire(1))[0]);
      assert.equal(next.frontier.hosts, 0);
      assert.notEqual(next.lease.epoch, owned.lease.epoch);
      assert.deepEqual(await owned.frontier.add([task('http://a.test/1')]), ['fenced']);
    }));

  test('kill -9 of a server with synchronous_commit off: leases and claims are there, settlements may be forgotten, and their hosts rest', async () => {
    if (typeof programs === 'string') return;
    // Nothing reaches the log by itself: its writer sleeps for as long as it may.
    await using forgetful = await startPostgres(programs, ['synchronous_commit=off', 'wal_writer_delay=10s']);
    await withPartition(
      'forgotten',
      async ({ owned, clock, connection, open }) => {
        await owned.frontier.add([task('http://a.test/1'), task('http://b.test/1')]);
        const claims = await owned.frontier.claim(2);
        assert.equal(claims.length, 2);
        clock.advance(5000);
        assert.deepEqual(await owned.frontier.settle([settled(claims[0], clock)]), ['applied']);
        await forgetful.crash();
        const [[owner]] = await connection.run([[{ name: '', text: 'SELECT commits, busy FROM owner' }]]);
        assert.equal(Number(owner.commits), 3, 'opened, added, claimed; the settlement is forgotten');
        assert.equal((owner.busy as number[]).length, 2);
        assert.deepEqual(await owned.frontier.settle([settled(claims[1], clock)]), ['fenced']);
        const again = await open();
        assert.deepEqual(await again.frontier.claim(2), [], 'both hosts rest');
        clock.advance(20_000);
        assert.equal((await again.frontier.claim(2)).length, 2);
      },
      forgetful,
    );
  });

  test('a database that forgot commits which it had acknowledged is not written to: the partition is loaded again', () =>
    withPartition('forgetful', async ({ owned, clock, open, connection }) => {
      await owned.frontier.add([task('http://a.test/1'), task('http://a.test/2')]);
      const [claim] = await owned.frontier.claim(1);
      await owned.frontier.settle([settled(claim, clock)]);
      // As after a crash without synchronous_commit: the settlement never was.
      const text = (sql: string): Step => [{ name: '', text: sql }];
      await connection.transact([
        text('UPDATE owner SET commits = commits - 1'),
        text('DELETE FROM page'),
        text(`INSERT INTO queue SELECT part, host, lane, ord - 1, '${claim.task.url}', depth, redirects, tries, visited, how, via,
          anchor, found_at, for_origin FROM queue`),
      ]);
      assert.deepEqual(await owned.frontier.add([task('http://b.test/1')]), ['fenced']);
      assert.deepEqual(await owned.frontier.claim(9), []);
      await assert.rejects(owned.frontier.nextDue(), { code: 'PARTITION_LOST' });
      assert.throws(() => owned.write('run', 1), { code: 'PARTITION_LOST' });
      const again = await open();
      // Its host was asked a moment ago, and rests.
      assert.deepEqual(await again.frontier.claim(9), []);
      clock.advance(((await again.frontier.nextDue()) ?? 0) - clock.now());
      const [repeated] = await again.frontier.claim(9);
      assert.equal(repeated.task.url, claim.task.url);
      assert.deepEqual(await again.frontier.settle([settled(repeated, clock)]), ['applied']);
      assert.deepEqual(await owned.frontier.settle([settled(claim, clock)]), ['fenced']);
    }));
});
