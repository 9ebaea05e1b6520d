import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageFacts } from '../../../../src/contracts/content/page-facts.ts';
import type { Claim, Settlement, Validators } from '../../../../src/contracts/crawl-task.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';
import { FullRequests } from '../../../../src/crawl/visit/full-requests.ts';
import type { PageWork } from '../../../../src/crawl/visit/page-work.ts';
import { NO_LINKS } from '../../../../src/crawl/workers/packed-links.ts';

const URL_OF_PAGE = 'http://a.test/1' as CanonicalUrl;
const USE = { fetchMs: 1, bytes: 1, endedAt: 0 };

function claimOf(visits: number, validators: Validators | undefined, url = URL_OF_PAGE): Claim {
  const history = { since: 0, visitedAt: 0, visits, changes: 0, intervals: [], rate: 1, evidence: 1 };
  return {
    ...{ id: visits, tries: 0, claimedAt: 0, dueAt: 0, expiresAt: 1 },
    task: {
      ...{ url, host: new URL(url).host as HostKey, depth: 0, redirects: 0, lane: 0, purpose: 'page' },
      discovery: { how: 'link' },
    },
    ...(validators === undefined ? {} : { validators }),
    earlier: { at: 0, outcome: { kind: 'stored' }, digest: 'd', history },
  };
}

/** A server, as far as one page of it goes. */
class Server {
  version = 1;
  readonly requests: FullRequests;
  readonly #etag: (version: number) => string;
  readonly #honest: boolean;
  readonly #url: CanonicalUrl;
  #kept: { version: number; etag: string } = { version: 1, etag: '' };
  #visits = 0;

  constructor(
    requests: FullRequests,
    {
      etag = String,
      honest = false,
      url = URL_OF_PAGE as string,
    }: { etag?: (version: number) => string; honest?: boolean; url?: string },
  ) {
    this.requests = requests;
    this.#etag = etag;
    this.#honest = honest;
    this.#url = url as CanonicalUrl;
    this.#kept = { version: 1, etag: etag(1) };
  }

  /** How it was asked, and whether a change was found. */
  visit(): { sent: string | undefined; changed: boolean } {
    const claim = this.requests.prepare(claimOf(++this.#visits, { etag: this.#kept.etag }, this.#url));
    const sent = claim.validators?.etag;
    const etag = this.#etag(this.version);
    const notModified = sent !== undefined && (!this.#honest || sent === etag);
    const changed = !notModified && this.version !== this.#kept.version;
    const facts = { status: notModified ? 304 : 200, ...(notModified ? {} : { digest: `d${this.version}`, etag }) };
    const work = { kind: 'page', ending: { kind: 'stored' }, facts: facts as PageFacts, links: NO_LINKS, use: USE };
    const settlement = { claim, outcome: { kind: 'stored' }, ...(changed ? { change: { kind: 'changed' } } : {}) };
    if (!notModified) this.#kept = { version: this.version, etag };
    this.requests.settled(claim, work as PageWork, settlement as Settlement, this.#visits);
    return { sent, changed };
  }
}

function visitsUntilFound(server: Server, most = 200): number {
  for (let visits = 1; visits <= most; visits++) if (server.visit().changed) return visits;
  return Number.POSITIVE_INFINITY;
}

test('requests without validators, probes and first visits are left as they are', () => {
  const requests = new FullRequests();
  for (let visits = 1; visits < 20; visits++) {
    for (const validators of [undefined, {}]) {
      const claim = claimOf(visits, validators);
      assert.equal(requests.prepare(claim), claim);
    }
    const { earlier: _, ...first } = claimOf(visits, { etag: 'x' });
    assert.equal(requests.prepare(first), first);
    const claim = claimOf(visits, { etag: 'x' });
    const probe: Claim = { ...claim, task: { ...claim.task, purpose: 'recheck' } };
    assert.equal(requests.prepare(probe), probe);
  }
});

test('a change behind one ETag for ever is found, and the next ones at once, also by the next run', () => {
  const server = new Server(new FullRequests(), { etag: () => 'same' });
  for (let i = 0; i < 20; i++) server.visit();
  server.version++;
  const first = visitsUntilFound(server);
  assert.ok(first > 1 && first <= 64, String(first));
  server.version++;
  assert.equal(visitsUntilFound(server), 1);
  const later = new Server(new FullRequests(JSON.parse(JSON.stringify(server.requests))), { etag: () => 'same' });
  later.version++;
  assert.equal(visitsUntilFound(later), 1);
});

test('a page that is again what it was makes no liar of its server, and no old ETag is sent', () => {
  const server = new Server(new FullRequests(), { honest: true, etag: (version) => String(version % 2) });
  const ways = Array.from({ length: 60 }, (_, visit) => {
    const kept = String(server.version % 2);
    if (visit % 3 === 0) server.version++;
    const { sent, changed } = server.visit();
    return { isKept: sent === undefined || sent === kept, sent, isFound: changed === (visit % 3 === 0) };
  });
  assert.ok(ways.every(({ isKept, isFound }) => isKept && isFound));
  assert.ok(ways.filter(({ sent }) => sent === undefined).length <= 8);
  assert.deepEqual(server.requests.toJSON().hidden, []);
});

test('no change of an honest server is lost, and it is hardly ever asked in full', () => {
  const requests = new FullRequests();
  const honest = new Server(requests, { honest: true });
  for (let i = 0; i < 40; i++) {
    honest.version++;
    assert.equal(visitsUntilFound(honest), 1, 'no change is lost');
  }
  const full = Array.from({ length: 64 }, () => honest.visit().sent).filter((sent) => sent === undefined).length;
  assert.ok(full <= 8, `${full} of 64`);
});

test('pages of a host that has hidden changes twice are all asked for in full', () => {
  const requests = new FullRequests();
  for (const name of ['x', 'y']) {
    const server = new Server(requests, { etag: () => 'same', url: `http://a.test/${name}` });
    server.version++;
    visitsUntilFound(server);
  }
  const third = new Server(requests, { etag: () => 'same', url: 'http://a.test/z' });
  assert.deepEqual(
    Array.from({ length: 5 }, () => third.visit().sent),
    Array.from({ length: 5 }, () => undefined),
  );
  const elsewhere = new Server(requests, { etag: () => 'same', url: 'http://b.test/z' });
  assert.ok(Array.from({ length: 8 }, () => elsewhere.visit().sent).filter((sent) => sent === 'same').length >= 6);
});

test('what was kept may be damaged', () => {
  const requests = new FullRequests({ hosts: [], hidden: ['zz', 'f'.repeat(17), '1f'] });
  assert.deepEqual(requests.toJSON().hidden, ['1f']);
});
