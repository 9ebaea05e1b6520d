import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import type { Claim } from '../../../../src/contracts/crawl-task.ts';
import type { PageStore } from '../../../../src/contracts/page-store.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import type { PageWork } from '../../../../src/crawl/visit/page-work.ts';
import { RobotsGate } from '../../../../src/crawl/visit/robots-gate.ts';
import { RobotsTurn } from '../../../../src/crawl/visit/robots-turn.ts';
import { whileLeased } from '../../../../src/crawl/workers/leased-fetcher.ts';
import type { OpenedPageWorker } from '../../../../src/crawl/workers/open-page-worker.ts';
import { InlineWorkers } from '../../../../src/crawl/workers/worker-pool.ts';
import { task } from '../../../conformance/opened-frontier.ts';
import { serveRaw, testFetcher } from '../../fetch/loopback.ts';

describe('requests of a node end with its lease', () => {
  test('robots.txt that was cut off by it counts as lost, not as a try in vain', async () => {
    let isHeld = true;
    await using server = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nUser-agent: *\r\n');
      isHeld = false;
    });
    await using site = testFetcher();
    const fetcher = whileLeased(site.fetcher, () => isHeld, systemClock);
    // Nothing is known of the host.
    const pages = { robots: async () => undefined } as unknown as PageStore;
    const gate = new RobotsGate(fetcher, pages, systemClock, { agent: 'a', maxAgeMs: 1e6, tdmrep: false });
    const robots = new RobotsTurn({
      ...{ gate, clock: systemClock, sitemapsOf: () => [] },
      archive: {} as unknown as ConstructorParameters<typeof RobotsTurn>[0]['archive'],
    });
    const url = `http://site.test:${server.port}/page` as CanonicalUrl;
    const claim = { id: 1, task: task(url), tries: 0, expiresAt: Number.POSITIVE_INFINITY } as Claim;
    const works: PageWork[] = [];
    const visit = async (): Promise<void> => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const opened = { stages: { memory: { room: () => ({ [Symbol.dispose]() {} }) }, robots } };
      const workers = new InlineWorkers(
        () => opened as unknown as OpenedPageWorker,
        {
          done: (finished) => resolve(void works.push(...finished.map(({ work }) => work))),
          ...{ answered: () => {}, unbegun: () => {}, placed: () => {}, fault: reject, replaced: () => {} },
        },
        { atOnce: () => 1, longestRequestMs: 1000, clock: systemClock },
      );
      workers.start([claim]);
      await promise;
    };
    await visit();
    assert.equal(server.requests.length, 1, 'asked, and cut off');
    await visit();
    assert.equal(server.requests.length, 1, 'nobody is asked without a lease');
    const why = 'the lease of its partition ended first';
    for (const work of works) assert.partialDeepStrictEqual(work, { kind: 'lost', why });
    assert.equal(works.length, 2);
    const [cut = 0, unasked = 1] = works.map((work) => ('use' in work ? work.use?.fetchMs : undefined));
    assert.ok(cut >= 1000, 'the server may notice late that nobody waits, and rests from then on');
    assert.equal(unasked, 0);
    assert.equal(gate.asked(new URL(url).origin as Parameters<typeof gate.asked>[0]), undefined);
  });
});
