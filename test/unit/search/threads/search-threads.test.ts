import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { createAnalyzer } from '../../../../src/index/analysis/analyzer.ts';
import { openSegmentIndex } from '../../../../src/index/segment-index.ts';
import { openSearcher } from '../../../../src/search/open-searcher.ts';
import { openSearchThreads, SearchThreads } from '../../../../src/search/threads/search-threads.ts';
import type { SearchedPlaces } from '../../../../src/search/threads/searched-indexes.ts';
import { onlyLong } from '../../../property-runs.ts';

const FACTS = { mediaType: 'text/html', language: 'en', date: 0, fetchedAt: 0, cluster: 0, spam: 0, rank: 0 };

async function addPages(folder: string, from: number, to: number): Promise<void> {
  await using index = await openSegmentIndex({ folder: join(folder, 'index'), analyze: createAnalyzer().analyze });
  for (let at = from; at < to; at++) {
    const host = `host${at % 5}.example`;
    const body = `An owl and the number ${at}. ${at % 2 === 0 ? 'It hunts mice.' : 'It sleeps.'}`;
    const text = { id: `https://${host}/${at}`, title: `Owl ${at}`, headings: '', body, description: '', anchors: [] };
    index.add({ ...text, facts: { ...FACTS, host } });
  }
  await index.commit();
}

/** Answers by its own number; dies, or never ends, where the query says so. */
const STUBBORN = new URL('./stubborn-thread.ts', import.meta.url);

describe('SearchThreads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'search-threads-'));
  before(() => addPages(folder, 0, 200));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('answers as the searcher itself does, and counts the documents without opening the index', async () => {
    await using threads = await openSearchThreads(folder, { threads: 2 });
    await using searcher = await openSearcher(folder);
    assert.equal(threads.documents, 200);
    const requests = ['owl', 'owl mice', '"hunts mice"', 'owl site:host2.example', 'nothing', 'owk'].map((query) => ({
      query,
      facets: true,
    }));
    const answers = await Promise.all(requests.map((request) => threads.search(request)));
    for (const [at, { ms: _, ...answer }] of answers.entries()) {
      const { ms: __, ...expected } = await searcher.search(requests[at]);
      assert.deepEqual(answer, expected);
    }
    assert.deepEqual(await threads.complete('hun', 3), await searcher.complete('hun', 3));
    const id = 'https://host0.example/0';
    assert.deepEqual(await threads.explainScore('owl', id), await searcher.explainScore('owl', id));
  });

  it('gives the same answer again until something is committed', async () => {
    const own = mkdtempSync(join(tmpdir(), 'search-threads-'));
    try {
      await addPages(own, 0, 10);
      await using threads = await openSearchThreads(own, { threads: 1 });
      const first = await threads.search({ query: 'owl' });
      // No thread is asked for somebody who has gone.
      const gone = AbortSignal.abort();
      assert.deepEqual(await threads.search({ query: 'owl' }, gone), first);
      await assert.rejects(threads.search({ query: 'owl', page: 2 }, gone), { name: 'AbortError' });
      await addPages(own, 10, 20);
      assert.equal((await threads.search({ query: 'owl' })).total, 20);
      assert.equal(threads.documents, 20);
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  });

  it('refuses a query at once where as many wait as may', async () => {
    // No thread is started before the first query, and starting one takes turns of the event loop: these four wait.
    await using threads = new SearchThreads(folder, { threads: 1, mostWaiting: 3 });
    const waiting = ['a', 'b', 'c'].map((word) => threads.search({ query: `owl ${word}` }));
    await assert.rejects(threads.search({ query: 'owl d' }), { code: 'SEARCH_BUSY' });
    assert.equal((await Promise.all(waiting)).length, 3);
    assert.equal((await threads.search({ query: 'owl d' })).total, 200);
  });

  it('lets a query leave the queue with the client who asked', async () => {
    await using threads = new SearchThreads(folder, { threads: 1, mostWaiting: 2 });
    const gone = new AbortController();
    const left = assert.rejects(threads.search({ query: 'owl' }, gone.signal), { name: 'AbortError' });
    const stays = threads.search({ query: 'owl mice' });
    gone.abort();
    await left;
    // There is room in the queue again.
    const next = threads.search({ query: 'owl sleeps' });
    assert.equal((await stays).total, 100);
    assert.equal((await next).total, 100);
    await assert.rejects(threads.search({ query: 'owl' }, gone.signal), { name: 'AbortError' });
  });

  it('stops the thread that works for a client who has gone', async () => {
    await using threads = new SearchThreads(folder, { threads: 1, body: STUBBORN });
    await threads.complete('', 0);
    const gone = new AbortController();
    const left = assert.rejects(threads.search({ query: 'endless' }, gone.signal), { name: 'AbortError' });
    gone.abort();
    await left;
    // The only thread is free again: otherwise this would wait for ever.
    assert.deepEqual(await threads.complete('anything', 1), ['anything']);
  });

  it('replaces a thread that dies, and fails only the query that it was at', async () => {
    await using threads = new SearchThreads(folder, { threads: 1, body: STUBBORN });
    const fatal = assert.rejects(threads.search({ query: 'die' }), { code: 'INTERNAL' });
    const waiting = threads.complete('after', 1);
    await fatal;
    assert.deepEqual(await waiting, ['after']);
    await assert.rejects(threads.search({ query: 'throw' }), { code: 'INTERNAL', message: /out of order/ });
    assert.deepEqual(await threads.complete('again', 1), ['again']);
  });

  it('tells those who wait when it is closed', async () => {
    const threads = new SearchThreads(folder, { threads: 1 });
    const waiting = assert.rejects(threads.search({ query: 'owl' }), { code: 'INTERNAL' });
    await threads[Symbol.asyncDispose]();
    await waiting;
    await assert.rejects(threads.search({ query: 'owl' }), { code: 'INTERNAL' });
  });

  it('tells why where the index cannot be opened, and tries again when asked again', async () => {
    const own = mkdtempSync(join(tmpdir(), 'search-threads-'));
    try {
      await assert.rejects(openSearchThreads(own), { code: 'INDEX_MISSING' });
      await using threads = new SearchThreads(own, { threads: 2 });
      await assert.rejects(threads.search({ query: 'owl' }), { code: 'INDEX_MISSING' });
      await addPages(own, 0, 3);
      assert.equal((await threads.search({ query: 'owl' })).total, 3);
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  });

  it('moves to other places: a query under way ends where it began, later ones are answered from there', async () => {
    const own = mkdtempSync(join(tmpdir(), 'search-threads-'));
    try {
      await addPages(own, 200, 230);
      await using threads = await openSearchThreads(folder, { threads: 1 });
      const total = async (): Promise<number> => (await threads.search({ query: 'owl' })).total;
      assert.equal(await total(), 200);
      // Given to the thread of the former places before another is started.
      const underWay = threads.search({ query: 'owl sleeps', unfolded: true });
      const moved = threads.moveTo({ folder, also: [own] });
      assert.equal(
        (await underWay).hits.some(({ id }) => id.endsWith('/229')),
        false,
      );
      await moved;
      assert.deepEqual([await total(), threads.documents], [230, 230]);
      await threads.moveTo({ folder: own });
      assert.deepEqual([await total(), threads.documents], [30, 30]);
      await threads.moveTo({ folder });
      assert.deepEqual([await total(), threads.documents], [200, 200]);
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  });

  it('stays where it is where the other places cannot be opened', async () => {
    const own = mkdtempSync(join(tmpdir(), 'search-threads-'));
    try {
      await using threads = await openSearchThreads(folder, { threads: 1 });
      await assert.rejects(threads.moveTo({ folder: own }), { code: 'INDEX_MISSING' });
      assert.equal((await threads.search({ query: 'owl' })).total, 200);
      assert.equal(threads.documents, 200);
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  });

  it('ends while it moves, and with a thread that is still at a query of the former places', async () => {
    const threads = new SearchThreads(folder, { threads: 1, body: STUBBORN });
    await threads.complete('', 0);
    const underWay = threads.search({ query: 'never ends' });
    underWay.catch(() => {});
    await threads.moveTo({ folder });
    // The thread of the new places answers beside it.
    assert.deepEqual(await threads.complete('x', 1), ['x']);
    const moved = threads.moveTo({ folder }).catch(() => {});
    await threads[Symbol.asyncDispose]();
    await moved;
    await assert.rejects(underWay);
  });

  it('has moved where the shards cannot be counted for all the queries that wait', async () => {
    await using threads = new SearchThreads(folder, { threads: 1, mostWaiting: 0, body: STUBBORN });
    const remote = { shards: [], key: '', version: '' } as unknown as NonNullable<SearchedPlaces['remote']>;
    await threads.moveTo({ folder, remote });
    await assert.rejects(threads.complete('x', 1), { code: 'SEARCH_BUSY' });
  });

  it(
    'answers every query through many moves, some of which fail, and leaves no thread behind',
    onlyLong(),
    async () => {
      const own = mkdtempSync(join(tmpdir(), 'search-threads-'));
      const none = mkdtempSync(join(tmpdir(), 'search-threads-'));
      const alive = new Set<Worker>();
      let started = 0;
      const count = (worker: Worker): void => {
        started++;
        alive.add(worker.once('exit', () => alive.delete(worker)));
      };
      process.on('worker', count);
      try {
        await addPages(own, 200, 230);
        const asked: Promise<number | string>[] = [];
        {
          await using threads = await openSearchThreads(folder, { threads: 2 });
          let isMoving = true;
          const ask = async (): Promise<void> => {
            for (let at = 0; isMoving; at++) {
              const gone = new AbortController();
              const answer = threads.search({ query: `owl ${at % 7}`, page: 1 + (at % 3) }, gone.signal);
              if (at % 5 === 0) setImmediate(() => gone.abort());
              asked.push(
                answer.then(
                  ({ total }) => total,
                  (error: Error) => error.name,
                ),
              );
              await asked.at(-1);
              await nextTurn();
            }
          };
          const asking = Promise.all([ask(), ask(), ask(), ask()]);
          const moves = 12;
          for (let move = 0; move < moves; move++) {
            if (move % 4 === 3) await assert.rejects(threads.moveTo({ folder: none }), { code: 'INDEX_MISSING' });
            else await threads.moveTo(move % 2 === 0 ? { folder: own } : { folder, also: [own] });
          }
          isMoving = false;
          await asking;
          assert.ok(asked.length > moves && started >= moves);
        }
        for (const outcome of new Set(await Promise.all(asked)))
          assert.ok(typeof outcome === 'number' || outcome === 'AbortError', String(outcome));
        assert.equal(alive.size, 0);
      } finally {
        process.off('worker', count);
        for (const path of [own, none]) rmSync(path, { recursive: true, force: true });
      }
    },
  );
});
