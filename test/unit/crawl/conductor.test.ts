import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { Claim, Settlement } from '../../../src/contracts/crawl-task.ts';
import type { CrawlEvents } from '../../../src/contracts/events.ts';
import type { Frontier, SettleVerdict } from '../../../src/contracts/frontier.ts';
import type { CanonicalUrl, HostKey } from '../../../src/contracts/url.ts';
import type { Conductor } from '../../../src/crawl/conductor.ts';
import { LearningJournal } from '../../../src/crawl/learning/learning-journal.ts';
import { PageClassifier } from '../../../src/crawl/learning/page-classifier.ts';
import { openConductor, type RunParts } from '../../../src/crawl/open-conductor.ts';
import { EventHub } from '../../../src/crawl/report/event-hub.ts';
import { neverAgain } from '../../../src/crawl/revisits/revisit-rule.ts';
import type { PageWork } from '../../../src/crawl/visit/page-work.ts';
import { packLinks } from '../../../src/crawl/workers/packed-links.ts';
import type { WorkerPool, WorkerReports } from '../../../src/crawl/workers/worker-pool.ts';
import { breadthFirst } from '../../../src/rank/orders/plain-orders.ts';
import { rememberDomains } from '../../../src/url/domain-of-host.ts';

const CLAIM: Claim = {
  id: 1,
  task: {
    ...{ url: 'http://a.test/' as CanonicalUrl, host: 'a.test' as HostKey, depth: 0, redirects: 0, lane: 0 },
    discovery: { how: 'seed' },
    purpose: 'page',
  },
  ...{ tries: 0, claimedAt: 0, dueAt: 0, expiresAt: Number.MAX_SAFE_INTEGER },
};

/** Of workers who are given nothing ahead, and hold nothing. */
const NO_AHEAD = {
  startAhead: () => {},
  grant: () => {},
  recall: () => {},
  settled: () => {},
  [Symbol.asyncDispose]: async () => {},
};

function claimOf(id: number): Claim {
  return { ...CLAIM, id, task: { ...CLAIM.task, host: `h${id}.test` as HostKey } };
}

/** A frontier that gives these claims, and whatever else the test says. */
function frontierOf(claims: Claim[], own: Partial<Frontier> = {}): Frontier {
  return {
    unknown: async (pages) => pages.map(() => ({ unknown: [], foreign: [] })),
    accept: async () => true,
    add: async () => [],
    claim: async () => claims.splice(0),
    claimAhead: async () => [],
    claimAlong: async () => [],
    answered: async () => {},
    settle: async (batch) => batch.map(() => 'applied'),
    nextLinkBatch: async () => undefined,
    settleLinkBatch: async () => {},
    release: async () => {},
    stopDiscovery: async () => {},
    holdHosts: async () => {},
    parkHosts: async () => {},
    unresolvedHosts: async () => [],
    setAddresses: async () => {},
    move: async () => 0,
    updateRevisits: async () => 0,
    waiting: () => [],
    nextDue: async () => undefined,
    counts: async () => ({ known: 2, queued: 1, leased: 0, hosts: 2, parked: 0 }),
    ...own,
  };
}

function conductorOf(
  frontier: Frontier,
  startWorkers: (reports: WorkerReports) => WorkerPool,
  clock: Clock = systemClock,
  maxDurationMs = Number.POSITIVE_INFINITY,
  atOnce = 1000,
  events = new EventHub<CrawlEvents>(),
): Conductor {
  return openConductor({
    ...{ frontier, startWorkers, clock, events, concurrency: () => atOnce },
    rules: { order: breadthFirst(1), revisit: neverAgain } as RunParts['rules'],
    classifier: new PageClassifier({
      journal: new LearningJournal(systemClock),
      domainOf: rememberDomains(),
      random: Math.random,
    }),
    holds: () => undefined,
    maintain: async () => false,
    limits: {
      maxPages: Number.POSITIVE_INFINITY,
      maxBytes: Number.POSITIVE_INFINITY,
      maxDurationMs,
      maxWaitMs: Number.POSITIVE_INFINITY,
    },
    before: { pages: 0, bytes: 0 },
  });
}

test('a name that is found while the crawl stops does not keep the event loop from the work under way', async () => {
  const names = ['b.test' as HostKey];
  const frontier = frontierOf([CLAIM], { unresolvedHosts: async () => names.splice(0) });
  const conductor = conductorOf(frontier, (reports) => ({
    start: ([claim]: readonly Claim[]) => {
      setTimeout(() => reports.done([{ claim, work: { kind: 'awaiting-robots' } }]), 30);
    },
    lookUp: ([host]: readonly HostKey[]) => {
      conductor.stop();
      setTimeout(() => reports.placed([{ host, address: '' }]), 5);
    },
    ...NO_AHEAD,
  }));
  assert.equal(await conductor.run(), 'stopped');
});

test('a request that is answered makes room for the next before its page is done, and only so many wait', async () => {
  const waiting = [1, 2, 3, 4].map(claimOf);
  const told: number[] = [];
  const started: number[] = [];
  const frontier = frontierOf([], {
    claim: async (max) => waiting.splice(0, max),
    answered: async (claims) => void told.push(...claims.map(({ id }) => id)),
    counts: async () => ({ known: 4, queued: waiting.length, leased: 0, hosts: 4, parked: waiting.length }),
  });
  const done = (reports: WorkerReports, claim: Claim): void =>
    reports.done([{ claim, work: { kind: 'awaiting-robots' } }]);
  const open: Claim[] = [];
  const conductor = conductorOf(
    frontier,
    (reports) => ({
      start: (claims) => {
        started.push(...claims.map(({ id }) => id));
        open.push(...claims);
        setTimeout(() => reports.answered(claims, []), 1);
        // The first two are read only when both have been answered.
        if (started.length === 2)
          setTimeout(() => {
            assert.deepEqual(started, [1, 2], 'one waits to be read, one is under way or waits too');
            for (const claim of open.splice(0)) done(reports, claim);
          }, 40);
        else if (started.length > 2) setTimeout(() => claims.forEach((claim) => void done(reports, claim)), 5);
      },
      lookUp: () => {},
      ...NO_AHEAD,
    }),
    systemClock,
    Number.POSITIVE_INFINITY,
    1,
  );
  assert.equal(await conductor.run(), 'finished');
  assert.deepEqual(started, [1, 2, 3, 4]);
  assert.deepEqual(told, [1, 2, 3, 4]);
});

test('claims ahead begin when workers say so or the frontier grants them; what a stop finds waiting goes back', async () => {
  const own = (id: number): Claim => ({ ...claimOf(id), task: CLAIM.task });
  const ahead = [3, 4, 5].map((id): Claim => ({ ...own(id), ahead: true }));
  const told: [number[], number[]][] = [];
  const log: string[] = [];
  const claimed = [[own(1), own(2)], [], [ahead[1]]];
  const given = [[], ahead];
  const frontier = frontierOf([], {
    claim: async () => claimed.shift() ?? [],
    claimAhead: async () => given.shift() ?? [],
    answered: async (claims, begun = []) =>
      void told.push([claims.map(({ id }) => id), begun.map(({ claim }) => claim.id)]),
    release: async (claims) => void log.push(`released ${claims.map(({ id }) => id)}`),
    settle: async (batch) => {
      log.push(`settled ${batch.map(({ claim }) => claim.id)}`);
      return batch.map(() => 'applied');
    },
  });
  const work = { kind: 'awaiting-robots' } as const;
  const conductor = conductorOf(frontier, (reports) => ({
    start: (claims) => {
      log.push(`started ${claims.map(({ id }) => id)}`);
      setTimeout(() => reports.placed([]), 1);
    },
    startAhead: (claims) => {
      log.push(`ahead ${claims.map(({ id }) => id)}`);
      setTimeout(() => {
        reports.answered([own(1)], [{ claim: ahead[0], at: 1 }]);
        reports.done([{ claim: own(1), work, holdsHost: true }]);
      }, 1);
    },
    settled: (claims) => void log.push(`told of ${claims.map(({ id }) => id)}`),
    grant: (claims) => {
      log.push(`granted ${claims.map(({ id }) => id)}`);
      setTimeout(() => conductor.stop(), 1);
    },
    recall: () => {
      log.push('recalled');
      setTimeout(() => {
        reports.unbegun([ahead[2]]);
        reports.done([own(2), ahead[0], ahead[1]].map((claim) => ({ claim, work })));
      }, 1);
    },
    lookUp: () => {},
    [Symbol.asyncDispose]: async () => {},
  }));
  assert.equal(await conductor.run(), 'stopped');
  assert.deepEqual(told, [[[1], [3]]]);
  assert.deepEqual(log, [
    ...['started 1,2', 'ahead 3,4,5', 'settled 1', 'told of 1', 'granted 4', 'recalled'],
    ...['settled 2,3,4', 'released 5'],
  ]);
});

test('claims ahead whose host has nothing under way, and that nobody grants, go back', async () => {
  const ahead: Claim = { ...claimOf(2), ahead: true };
  const claims = [claimOf(1)];
  const given = [[ahead]];
  const released: number[] = [];
  const frontier = frontierOf(claims, {
    claimAhead: async () => given.shift() ?? [],
    release: async (some) => void released.push(...some.map(({ id }) => id)),
    counts: async () => ({ known: 2, queued: 1, leased: 0, hosts: 2, parked: 1 }),
  });
  const conductor = conductorOf(frontier, (reports) => ({
    ...NO_AHEAD,
    start: ([claim]) => void setTimeout(() => reports.done([{ claim, work: { kind: 'awaiting-robots' } }]), 1),
    recall: () => void setTimeout(() => reports.unbegun([ahead]), 1),
    lookUp: () => {},
  }));
  assert.equal(await conductor.run(), 'parked');
  assert.deepEqual(released, [2]);
});

test('claims ahead go back where other settings count, while the rest goes on', async () => {
  const ahead: Claim = { ...claimOf(2), ahead: true };
  const claims = [claimOf(1)];
  const given = [[ahead]];
  const log: string[] = [];
  const frontier = frontierOf(claims, {
    claimAhead: async () => given.shift() ?? [],
    release: async (some) => void log.push(`released ${some.map(({ id }) => id)}`),
    counts: async () => ({ known: 2, queued: 1, leased: 0, hosts: 2, parked: 1 }),
  });
  let finish = (): void => {};
  const conductor = conductorOf(frontier, (reports) => ({
    ...NO_AHEAD,
    start: ([claim]) => {
      finish = () => reports.done([{ claim, work: { kind: 'awaiting-robots' } }]);
    },
    startAhead: () => void setTimeout(() => conductor.recall(), 1),
    recall: () => {
      log.push('recalled');
      setTimeout(() => reports.unbegun([ahead]), 1);
      setTimeout(() => finish(), 5);
    },
    lookUp: () => {},
  }));
  assert.equal(await conductor.run(), 'parked');
  assert.deepEqual(log, ['recalled', 'released 2']);
});

/** A clock that goes only when it is told to, and that nobody waits for. */
function handClock(): Clock & { at: number } {
  const clock = {
    at: 1_000_000,
    now: () => clock.at,
    // Sleepers pass the time themselves.
    sleep: async (ms: number) => {
      clock.at += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
  return clock;
}

for (const end of ['stop', 'max-duration'] as const) {
  test(`pages that never end do not hold up a ${end}; their URLs return to the queue and their hosts rest`, async () => {
    const settled: Settlement[] = [];
    const frontier = frontierOf([claimOf(1), claimOf(2)], {
      settle: async (batch) => {
        settled.push(...batch);
        return batch.map(() => 'applied');
      },
    });
    const clock = handClock();
    const conductor = conductorOf(
      frontier,
      () => ({
        start: () => {
          if (end === 'stop') conductor.stop();
        },
        lookUp: () => {},
        ...NO_AHEAD,
      }),
      clock,
      end === 'stop' ? undefined : 5300,
    );
    const startedAt = clock.at;
    assert.equal(await conductor.run(), end === 'stop' ? 'stopped' : 'limit: max-duration');
    assert.deepEqual(
      settled.map(({ claim, outcome, use }) => [claim.id, outcome.kind, use?.endedAt === clock.at]),
      [1, 2].map((id) => [id, 'deferred', true]),
    );
    // A limit is noticed when it is reached, and what is under way then has a second.
    assert.equal(clock.at - startedAt, end === 'stop' ? 1000 : 6300);
  });
}

test('pages of many links are settled in batches, and a stop is heeded in between', async () => {
  const link = { kind: 'a', text: '', rel: '', nofollow: false, ugc: false, sponsored: false } as const;
  const links = packLinks(
    Array.from({ length: 15_000 }, (_, at) => ({ ...link, url: `http://a.test/${at}` })),
    100,
  );
  const work = {
    ...{ kind: 'refused', by: 'directive', rule: 'noindex', links },
    use: { fetchMs: 1, bytes: 1, endedAt: 1 },
  } satisfies PageWork;
  const batches: (readonly Settlement[])[] = [];
  const clock = handClock();
  const claims = Array.from({ length: 100 }, (_, at) => claimOf(at + 1));
  const frontier = frontierOf(claims, {
    settle: async (batch) => {
      batches.push(batch);
      // Judging them has taken its time.
      if (batches.length === 2) conductor.stop();
      if (batches.length >= 2) clock.at += 700;
      return batch.map(() => 'applied');
    },
  });
  const conductor = conductorOf(
    frontier,
    (reports) => ({
      start: (some: readonly Claim[]) => reports.done(some.map((claim) => ({ claim, work }))),
      lookUp: () => {},
      ...NO_AHEAD,
    }),
    clock,
  );
  assert.equal(await conductor.run(), 'stopped');
  const kinds = batches.map((batch) => batch.map(({ outcome }) => outcome.kind));
  assert.ok(kinds.slice(0, -1).every((batch) => batch.length === 1 && batch.every((kind) => kind === 'refused')));
  // What was not settled in time is asked for again by the next run: no claim is left without an end.
  assert.ok(kinds.at(-1)?.every((kind) => kind === 'deferred'));
  assert.ok(batches.length < 10, `${batches.length} batches`);
  assert.equal(batches.flat().length, 100);
});

test('hosts are asked beyond settlements that are not durable yet; visits count when they are, and the run waits for that', async () => {
  const waiting = [1, 2, 3].map(claimOf);
  const log: string[] = [];
  const ends: (() => void)[] = [];
  const frontier = frontierOf([], {
    claim: async (max) => waiting.splice(0, max),
    counts: async () => ({ known: 3, queued: 0, leased: 0, hosts: 3, parked: 0 }),
    beginSettling: async (batch) => {
      const ids = batch.map(({ claim }) => claim.id);
      log.push(`begun ${ids}`);
      const settled = new Promise<SettleVerdict[]>((resolve) => {
        ends.push(() => resolve(batch.map(() => 'applied')));
      });
      // The last one finds nothing under way.
      return {
        settled,
        hurry: () =>
          ends
            .splice(0)
            .reverse()
            .forEach((end) => void end()),
      };
    },
  });
  const events = new EventHub<CrawlEvents>();
  using _heard = events.on('settled', ({ claim }) => void log.push(`settled ${claim.id}`));
  const conductor = conductorOf(
    frontier,
    (reports) => ({
      start: (claims) => {
        log.push(`asked ${claims.map(({ id }) => id)}`);
        setTimeout(() => reports.done(claims.map((claim) => ({ claim, work: { kind: 'awaiting-robots' } }))), 1);
      },
      lookUp: () => {},
      ...NO_AHEAD,
    }),
    systemClock,
    Number.POSITIVE_INFINITY,
    1,
    events,
  );
  assert.equal(await conductor.run(), 'finished');
  assert.deepEqual(log, [
    ...['asked 1', 'begun 1', 'asked 2', 'begun 2', 'asked 3', 'begun 3'],
    ...['settled 1', 'settled 2', 'settled 3'],
  ]);
});

test('a settlement that fails after it was begun ends the run', async () => {
  const frontier = frontierOf([CLAIM], {
    beginSettling: async () => ({ settled: Promise.reject(new Error('the database is gone')), hurry: () => {} }),
  });
  const conductor = conductorOf(frontier, (reports) => ({
    start: (claims) => {
      setTimeout(() => reports.done(claims.map((claim) => ({ claim, work: { kind: 'awaiting-robots' } }))), 1);
    },
    lookUp: () => {},
    ...NO_AHEAD,
  }));
  await assert.rejects(conductor.run(), /the database is gone/);
});
