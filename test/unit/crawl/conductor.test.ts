import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import type { Claim } from '../../../src/contracts/crawl-task.ts';
import type { CrawlEvents } from '../../../src/contracts/events.ts';
import type { Frontier } from '../../../src/contracts/frontier.ts';
import type { CanonicalUrl, HostKey } from '../../../src/contracts/url.ts';
import type { ConclusionRules } from '../../../src/crawl/conclude.ts';
import { Conductor } from '../../../src/crawl/conductor.ts';
import { Discernment } from '../../../src/crawl/discernment.ts';
import { rememberDomains } from '../../../src/crawl/domain-of-host.ts';
import { EventHub } from '../../../src/crawl/event-hub.ts';
import { NewHostPace } from '../../../src/crawl/new-host-pace.ts';
import type { CrewReports } from '../../../src/crawl/page-crew.ts';
import { breadthFirst } from '../../../src/rank/orders/plain-orders.ts';

const CLAIM: Claim = {
  id: 1,
  task: {
    ...{ url: 'http://a.test/' as CanonicalUrl, host: 'a.test' as HostKey, depth: 0, redirects: 0, lane: 0 },
    discovery: { how: 'seed' },
    purpose: 'page',
  },
  ...{ tries: 0, claimedAt: 0, dueAt: 0, expiresAt: Number.MAX_SAFE_INTEGER },
};

test('a name that is found while the crawl stops does not keep the event loop from the work under way', async () => {
  const claims = [CLAIM];
  const names = ['b.test' as HostKey];
  const frontier: Frontier = {
    unknown: async () => [],
    add: async () => [],
    claim: async () => claims.splice(0),
    settle: async () => {},
    release: async () => {},
    takeInNoMore: async () => {},
    holdHost: async () => {},
    holdHosts: async () => {},
    unplaced: async () => names.splice(0),
    placeHosts: async () => {},
    move: async () => 0,
    recall: async () => 0,
    waiting: () => [],
    nextDue: async () => undefined,
    counts: async () => ({ known: 2, queued: 1, leased: 0, hosts: 2, parked: 0 }),
  };
  let conductor: Conductor | undefined;
  const hire = (reports: CrewReports) => ({
    start: ([claim]: readonly Claim[]) => {
      setTimeout(() => reports.done([{ claim, work: { kind: 'awaiting-robots' } }]), 30);
    },
    lookUp: ([host]: readonly HostKey[]) => {
      conductor?.stop();
      setTimeout(() => reports.placed([{ host, address: '' }]), 5);
    },
    [Symbol.asyncDispose]: async () => {},
  });
  const infinite = Number.POSITIVE_INFINITY;
  conductor = new Conductor({
    ...{ frontier, hire, clock: systemClock, events: new EventHub<CrawlEvents>(), concurrency: 10 },
    rules: { order: breadthFirst(1) } as ConclusionRules,
    discernment: new Discernment({ domainOf: rememberDomains(), random: Math.random }),
    pace: new NewHostPace(rememberDomains()),
    holds: () => undefined,
    tend: async () => false,
    limits: { maxPages: infinite, maxBytes: infinite, maxDurationMs: infinite, maxWaitMs: infinite },
    before: { pages: 0, bytes: 0 },
  });
  assert.equal(await conductor.run(), 'stopped');
});
