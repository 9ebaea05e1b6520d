import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import { resolveSettings } from '../../../../src/base/settings/resolve-settings.ts';
import type { Claim } from '../../../../src/contracts/crawl-task.ts';
import type { HostPlace } from '../../../../src/contracts/frontier.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';
import type { FinishedWork } from '../../../../src/crawl/visit/page-work.ts';
import { ThreadPool } from '../../../../src/crawl/workers/thread-pool.ts';
import { HandOverPorts } from '../../../../src/search/indexing/handed/hand-over-ports.ts';
import { hostKeyOf } from '../../../../src/url/host-key.ts';

const MODULE = new URL('../hostile-thread.ts', import.meta.url);
const { settings } = resolveSettings({ flags: { hostConcurrency: '2' } });

let lastId = 0;

function claimOf(url: string): Claim {
  const task = {
    ...{ url: url as CanonicalUrl, host: hostKeyOf(url as CanonicalUrl), depth: 0, redirects: 0, lane: 0 },
    discovery: { how: 'link' as const },
    purpose: 'page' as const,
  };
  return { id: ++lastId, task, tries: 0, claimedAt: 0, dueAt: 0, expiresAt: Number.MAX_SAFE_INTEGER };
}

/** A pool with what it has reported; `until` waits for a report. */
function startPool({ folder = '', hungAfter = 1000 } = {}) {
  const works = new Map<string, FinishedWork['work']>();
  const seen = {
    works,
    places: [] as HostPlace[],
    answered: [] as string[],
    begun: [] as string[],
    unbegun: [] as string[],
    replaced: [] as string[],
    faults: [] as unknown[],
    connected: 0,
  };
  const handOver = new HandOverPorts();
  handOver.receive((port) => {
    seen.connected++;
    port.close();
  });
  let woken = Promise.withResolvers<void>();
  const wake = (): void => {
    woken.resolve();
    woken = Promise.withResolvers();
  };
  const pool = new ThreadPool(
    1,
    { data: { folder, settings, version: '0' }, clock: systemClock, handOver, module: MODULE, hungAfter, memoryMb: 64 },
    {
      done: (finished) => {
        for (const { claim, work } of finished) works.set(claim.task.url, work);
        wake();
      },
      answered: (claims, begun) => {
        seen.answered.push(...claims.map(({ task }) => task.url));
        seen.begun.push(...begun.map(({ claim: { task } }) => task.url));
      },
      unbegun: (claims) => {
        seen.unbegun.push(...claims.map(({ task }) => task.url));
        wake();
      },
      placed: (places) => {
        seen.places.push(...places);
        wake();
      },
      replaced: (message) => seen.replaced.push(message),
      fault: (error) => {
        seen.faults.push(error);
        wake();
      },
    },
  );
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await woken.promise;
  };
  return { pool, seen, until };
}

// Each waits for threads of its own.
describe('ThreadCrew', { concurrency: true }, () => {
  for (const [path, why] of [
    ['/hang', /busy for \d+ s without end/],
    ['/exit', /exit code 7/],
    ['/throw', /SyntaxError/],
    ['/memory', /needed more than 64 MB/],
  ] as const) {
    test(`replaces a thread that dies of ${path}, returns its claims, and gives up the page that kills twice`, async () => {
      const opened = startPool(path === '/hang' ? { hungAfter: 8 } : {});
      await using pool = opened.pool;
      const { seen, until } = opened;
      const killer = `http://a.test${path}`;
      const waiting = 'http://b.test/waits';
      const bystanders = [waiting, 'http://c.test/page'];
      pool.start([claimOf(waiting)]);
      pool.lookUp(['slow.test' as HostKey]);
      pool.start([claimOf(killer)]);
      await until(() => seen.works.has(killer) && seen.works.has(waiting));
      for (const url of [killer, waiting]) assert.equal(seen.works.get(url)?.kind, 'lost', url);
      assert.match(seen.replaced[0], why);
      assert.match(seen.replaced[0], /2 URLs return to the queue/);
      const lost = seen.works.get(waiting);
      // The host may have been asked: without a use it would be asked again at once.
      assert.ok(lost?.kind === 'lost' && lost.use.endedAt > 0 && lost.use.unsent === undefined);

      // A thread that throws still tells what it has; who waits for the network has no answer.
      assert.deepEqual(
        seen.answered.filter((url) => url !== killer),
        [],
      );
      if (path === '/throw') assert.deepEqual(seen.answered, [killer]);
      seen.works.clear();
      pool.start([claimOf(waiting), claimOf(killer)]);
      await until(() => seen.works.has(killer));
      const failed = seen.works.get(killer);
      assert.ok(failed?.kind === 'failed' && failed.retryMs === undefined);
      assert.equal(failed.code, 'thread-died');
      assert.match(failed.detail, why);
      // Who only waits for the network is not to blame, however often.
      assert.equal(seen.works.get(waiting)?.kind, 'lost');

      pool.start(bystanders.slice(1).map(claimOf));
      pool.lookUp(['d.test' as HostKey]);
      await until(() => seen.works.has('http://c.test/page') && seen.places.length > 0);
      assert.equal(seen.works.get('http://c.test/page')?.kind, 'awaiting-robots');
      assert.deepEqual(seen.faults, []);
      assert.equal(seen.connected, 1 + seen.replaced.length, 'every thread has its own way to the index');
    });
  }

  test('begins what was claimed ahead in place of what is answered, or when that is granted, and gives back the rest', async () => {
    const opened = startPool();
    await using pool = opened.pool;
    const { seen, until } = opened;
    const [one, two, three, four, other] = ['a', 'a', 'a', 'a', 'b'].map((host, n) =>
      claimOf(`http://${host}.test/${n}`),
    );
    pool.startAhead([two, three, four]);
    pool.start([other]);
    await until(() => seen.works.has(other.task.url));
    assert.equal(seen.works.size, 1, 'they wait');
    pool.grant([three]);
    await until(() => seen.works.has(four.task.url));
    // Each is answered, and makes room for the next in line.
    assert.deepEqual(seen.begun, [two.task.url, four.task.url]);
    pool.startAhead([one]);
    pool.recall();
    await until(() => seen.unbegun.length > 0);
    assert.deepEqual(seen.unbegun, [one.task.url]);
    assert.equal(seen.works.has(one.task.url), false);
  });

  test('ends a thread that is busy when it should close', async () => {
    const { pool, seen } = startPool();
    pool.start([claimOf('http://a.test/busy')]);
    await pool[Symbol.asyncDispose]();
    assert.deepEqual(seen.faults, []);
  });

  test('reports a thread that cannot begin as a fault, instead of replacing it for ever', async () => {
    const { pool, seen, until } = startPool({ folder: 'broken' });
    await until(() => seen.faults.length > 0);
    assert.match(String(seen.faults[0]), /cannot begin/);
    assert.deepEqual(seen.replaced, []);
    await pool[Symbol.asyncDispose]();
  });
});
