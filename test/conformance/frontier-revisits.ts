import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fingerprint } from '../../src/base/fingerprint.ts';
import type { VirtualClock } from '../../src/base/virtual-clock.ts';
import type { PageFacts } from '../../src/contracts/content/page-facts.ts';
import type { Claim, Outcome, Settlement } from '../../src/contracts/crawl-task.ts';
import type { ChangeHistory } from '../../src/contracts/revisit.ts';
import type { CanonicalUrl, HostKey } from '../../src/contracts/url.ts';
import { DELAY, type OpenedFrontier, settled, task, type WithFrontier } from './opened-frontier.ts';

const HOUR = 3_600_000;
const A = 'http://a.test/1' as CanonicalUrl;
const B = 'http://b.test/1' as CanonicalUrl;
const C = 'http://c.test/1' as CanonicalUrl;

const HISTORY: ChangeHistory = {
  ...{ since: 1, visitedAt: 2, visits: 3, changes: 1, intervals: [5, -6], rate: 0.5, evidence: 3 },
};

export function facts(digest: string, extra: Partial<PageFacts> = {}): PageFacts {
  return {
    ...{ status: 200, mediaType: 'text/html', bytes: 10, digest, title: `Title ${digest}`, directives: [] },
    ...{ noindex: false, linkCount: 0, fetchMs: 1, requestedAt: 0, etag: `"${digest}"` },
    ...extra,
  };
}

const NOT_MODIFIED: PageFacts = {
  ...{ status: 304, mediaType: '', bytes: 0, directives: [], noindex: false, linkCount: 0, fetchMs: 1, requestedAt: 9 },
};

/** Claims the one URL that is due and settles it. */
async function visit(opened: OpenedFrontier, clock: VirtualClock, extra: Partial<Settlement>): Promise<Claim> {
  const claims = await opened.frontier.claim(9);
  assert.equal(claims.length, 1, claims.map(({ task: { url } }) => url).join(' '));
  await opened.frontier.settle([settled(claims[0], clock, extra)]);
  return claims[0];
}

/** Adds a URL and visits it, with its next visit an hour later. */
async function follow(opened: OpenedFrontier, clock: VirtualClock, url: string, digest: string): Promise<Claim> {
  await opened.frontier.add([task(url)]);
  return visit(opened, clock, { page: facts(digest), nextVisit: clock.now() + HOUR, nextVisitWhy: 'hourly' });
}

/** Part of the conformance suite: pages are visited again, and what is known of them. */
export function revisitConformance(name: string, withFrontier: WithFrontier): void {
  const again = { movable: true, revisits: true };

  describe(`Frontier: ${name}: visits again`, () => {
    test('a page comes back at its time with what its last visit left, also after a crash', () =>
      withFrontier(again, async (opened, clock) => {
        await opened.frontier.add([task(A, { lane: 3 })]);
        const at = clock.now();
        const page = facts('d1', { textDigest: 't1', lastModified: 'yesterday' });
        const next = { nextVisit: at + HOUR, nextVisitWhy: 'hourly', nextVisitLane: 1, history: HISTORY };
        await visit(opened, clock, { page, ...next });
        const counts = await opened.frontier.counts();
        assert.deepEqual([counts.queued, counts.planned, counts.known], [1, 1, 1]);
        const record = await opened.pages.page(A);
        assert.deepEqual(
          [record?.nextVisit, record?.nextVisitWhy, record?.changes, record?.place?.lane],
          [at + HOUR, 'hourly', HISTORY, 1],
        );
        const reopened = await opened.crash();
        assert.equal(await reopened.frontier.nextDue(), at + HOUR);
        assert.deepEqual([...reopened.frontier.waiting()], []);
        clock.advance(HOUR);
        const [claim] = await reopened.frontier.claim(1);
        assert.deepEqual(claim.validators, { etag: '"d1"', lastModified: 'yesterday' });
        assert.deepEqual(claim.earlier, {
          ...{ at, outcome: { kind: 'stored' }, digest: 'd1', textDigest: 't1', title: 'Title d1' },
          history: HISTORY,
        });
        assert.deepEqual([claim.tries, claim.task.lane], [0, 1]);
        await reopened.close();
      }));

    test('a copy that broke off is asked for without validators, until one is whole', () =>
      withFrontier(again, async (opened, clock) => {
        await opened.frontier.add([task(A)]);
        const next = () => ({ nextVisit: clock.now() + HOUR, nextVisitWhy: 'hourly' });
        const visits: [string | undefined, object | undefined][] = [];
        for (const settlement of [
          { page: facts('d1', { truncated: 'disconnect' }) },
          { page: facts('d2', { truncated: 'length' }) },
          { page: facts('d3', { truncated: 'time' }) },
          // The same bytes, and whole this time.
          { outcome: { kind: 'unchanged' as const }, page: { ...NOT_MODIFIED, status: 200, etag: '"d3"' } },
          {},
        ]) {
          const { earlier, validators } = await visit(opened, clock, { ...settlement, ...next() });
          visits.push([earlier?.truncated, validators]);
          clock.advance(HOUR);
        }
        assert.deepEqual(visits.slice(1), [
          ['disconnect', {}],
          ['length', { etag: '"d2"' }],
          ['time', {}],
          [undefined, { etag: '"d3"' }],
        ]);
        await opened.close();
      }));

    test('without visits again they take no part and are not lost', () =>
      withFrontier(again, async (opened, clock) => {
        await follow(opened, clock, A, 'd1');
        await follow(opened, clock, B, 'd2');
        clock.advance(HOUR);
        // One of them has fallen due and stands in its queue, leased.
        assert.equal((await opened.frontier.claim(1)).length, 1);
        const once = await opened.crash({ movable: true });
        assert.equal((await once.frontier.counts()).queued, 0);
        clock.advance(10 * HOUR);
        assert.deepEqual(await once.frontier.claim(9), []);
        assert.equal(await once.frontier.nextDue(), undefined);
        await once.frontier.add([task(C)]);
        await visit(once, clock, {});
        assert.equal(await once.frontier.nextDue(), undefined);
        const on = await once.crash(again);
        assert.equal((await on.frontier.counts()).planned, 2);
        assert.deepEqual((await on.frontier.claim(9)).map((claim) => claim.task.url).sort(), [A, B]);
        await on.close();
      }));

    test('a retry is no visit again: it takes part in any crawl', () =>
      withFrontier({}, async (opened, clock) => {
        await opened.frontier.add([task(A)]);
        await visit(opened, clock, { outcome: { kind: 'failed', code: 'reset' }, nextVisit: clock.now() + HOUR });
        const reopened = await opened.crash();
        assert.equal((await reopened.frontier.counts()).queued, 1);
        clock.advance(HOUR);
        const claim = await visit(reopened, clock, {});
        assert.deepEqual([claim.tries, claim.earlier?.outcome.kind, claim.validators], [1, 'failed', {}]);
        await reopened.close();
      }));

    test('a retry that is due gets the second turn of its host at the latest, however many visits are due', () =>
      withFrontier(again, async (opened, clock) => {
        const { frontier } = opened;
        const pages = Array.from({ length: 20 }, (_, n) => `http://a.test/page-${n}`);
        await frontier.add([...pages.map((url) => task(url)), task(A, { lane: 5 })]);
        const next = { nextVisitWhy: 'always due', nextVisitLane: 0 };
        const TURNS = 160;
        const turns: string[] = [];
        // The host gives one page in a delay, and twenty are due in each: their queue never ends.
        for (let turn = 0; turn < TURNS; turn++) {
          const [claim] = await frontier.claim(1);
          turns.push(claim.task.url);
          const failed = claim.task.url === A && claim.tries < 3;
          const outcome: Outcome = failed ? { kind: 'failed', code: 'reset' } : { kind: 'stored' };
          const again = claim.task.url.includes('new') ? {} : { nextVisit: clock.now() + DELAY, ...next };
          const ending = failed ? { nextVisit: clock.now() } : again;
          await frontier.settle([settled(claim, clock, { outcome, ...ending })]);
          if (turn % 4 === 0) await frontier.add([task(`http://a.test/new-${turn}`)]);
          clock.advance(DELAY);
        }
        const tried = turns.flatMap((url, turn) => (url === A ? [turn] : []));
        const gaps = tried.slice(1, 4).map((turn, n) => turn - tried[n]);
        assert.equal(tried.length > 4, true, 'afterwards it is visited again as any other');
        assert.deepEqual(
          gaps.filter((gap) => gap > 2),
          [],
        );
        // And no page waits for others that were due after it.
        const last = new Map(turns.map((url, turn) => [url, turn]));
        const oldest = Math.min(...pages.map((url) => last.get(url) ?? -1));
        assert.ok(TURNS - oldest <= 2 * (pages.length + 1), `a page had its last turn ${TURNS - oldest} turns ago`);
        await opened.close();
      }));

    test('of the visits of a host that are due the one in the better lane comes first; in one lane the one that was due first', () =>
      withFrontier(again, async (opened, clock) => {
        const { frontier } = opened;
        const lanes = new Map([
          ['http://a.test/slow', 3],
          ['http://a.test/fast', 0],
          ['http://a.test/slow-too', 3],
          ['http://a.test/medium', 1],
        ]);
        await frontier.add([...lanes.keys()].map((url) => task(url)));
        const start = clock.now();
        for (const url of lanes.keys()) {
          const [claim] = await frontier.claim(1);
          assert.equal(claim.task.url, url);
          const next = { nextVisit: clock.now() + HOUR, nextVisitWhy: 'hourly', nextVisitLane: lanes.get(url) };
          await frontier.settle([settled(claim, clock, { page: facts(url), ...next } as Partial<Settlement>)]);
          clock.advance(DELAY);
        }
        clock.advanceTo(start + 2 * HOUR);
        const turns: string[] = [];
        for (let turn = 0; turn < lanes.size; turn++) {
          const [claim] = await frontier.claim(1);
          turns.push(claim.task.url.slice('http://a.test/'.length));
          await frontier.settle([settled(claim, clock, {})]);
          clock.advance(DELAY);
        }
        assert.deepEqual(turns, ['fast', 'medium', 'slow', 'slow-too']);
        await opened.close();
      }));

    test('a visit is recalled to an earlier time, never to a later one', () =>
      withFrontier(again, async (opened, clock) => {
        await follow(opened, clock, A, 'd1');
        const { frontier, pages } = opened;
        const fp = fingerprint(A);
        const planned = clock.now() + HOUR;
        assert.equal(await frontier.updateRevisits([{ fingerprint: fp, at: planned + 1, why: 'late' }]), 0);
        assert.equal(await frontier.updateRevisits([{ fingerprint: fingerprint(B), at: 0, why: 'who?' }]), 0);
        const at = clock.now() + 5000;
        assert.equal(await frontier.updateRevisits([{ fingerprint: fp, at, why: 'the sitemap says so' }]), 1);
        const record = await pages.page(A);
        assert.deepEqual([record?.nextVisit, record?.nextVisitWhy], [at, 'the sitemap says so']);
        const reopened = await opened.crash();
        assert.equal(await reopened.frontier.nextDue(), at);
        clock.advance(5000);
        assert.equal((await reopened.frontier.claim(1))[0].task.url, A);
        assert.equal(await reopened.frontier.updateRevisits([{ fingerprint: fp, at: 0, why: 'now' }]), 0, 'under way');
        await reopened.close();
      }));

    test('a visit that is planned again may be later than before', () =>
      withFrontier(again, async (opened, clock) => {
        await follow(opened, clock, A, 'd1');
        const fp = fingerprint(A);
        const at = clock.now() + 5 * HOUR;
        assert.equal(
          await opened.frontier.updateRevisits([{ fingerprint: fp, at, why: 'a smaller budget', replan: true }]),
          1,
        );
        const reopened = await opened.crash();
        assert.equal(await reopened.frontier.nextDue(), at);
        const record = await reopened.pages.page(A);
        assert.deepEqual([record?.nextVisit, record?.nextVisitWhy], [at, 'a smaller budget']);
        await reopened.close();
      }));

    test('once nothing more is taken in, known pages are visited again, and new ones only after a restart', () =>
      withFrontier(again, async (opened, clock) => {
        await opened.frontier.add([task(A), task('http://a.test/2')]);
        await visit(opened, clock, { page: facts('d1'), nextVisit: clock.now() + HOUR });
        await opened.frontier.stopDiscovery();
        await opened.frontier.add([task('http://a.test/3'), task('http://new.test/')]);
        for (let round = 0; round < 2; round++) {
          clock.advance(DELAY);
          assert.deepEqual(await opened.frontier.claim(9), []);
          clock.advance(HOUR);
          const claim = await visit(opened, clock, { outcome: { kind: 'unchanged' }, nextVisit: clock.now() + HOUR });
          assert.equal(claim.task.url, A);
        }
        const reopened = await opened.crash();
        clock.advance(DELAY);
        const claims = await reopened.frontier.claim(9);
        assert.deepEqual(claims.map(({ task: { url } }) => url).sort(), ['http://a.test/2', 'http://new.test/']);
        await reopened.close();
      }));

    test('a page counts once, as it stands', () =>
      withFrontier({ ...again, budgets: { maxPages: 2 } }, async (opened, clock) => {
        const { pages } = opened;
        const next = (): { nextVisit: number } => {
          const nextVisit = clock.now() + HOUR;
          clock.advance(HOUR);
          return { nextVisit };
        };
        const state = async (): Promise<unknown[]> => {
          const { pages: count, distinctDocuments, outcomes, nearDuplicates } = await pages.totals();
          return [count, distinctDocuments, nearDuplicates, outcomes];
        };
        await opened.frontier.add([task(A)]);
        const near = { nearDuplicateOf: { url: B, jaccard: 0.9 } };
        await visit(opened, clock, { page: facts('d1', near), ...next() });
        await visit(opened, clock, { outcome: { kind: 'unchanged' }, page: NOT_MODIFIED, ...next() });
        assert.deepEqual(await state(), [1, 1, 1, { stored: 1 }]);
        await visit(opened, clock, { page: facts('d2'), ...next() });
        assert.deepEqual(await state(), [1, 1, 0, { stored: 1 }]);
        await visit(opened, clock, { outcome: { kind: 'failed', code: 'reset' }, ...next() });
        assert.deepEqual(await state(), [1, 1, 0, { stored: 1 }], 'a failure says nothing against the copy');
        await visit(opened, clock, {
          outcome: { kind: 'gone', status: 410 },
          page: facts('', { status: 410 }),
          ...next(),
        });
        assert.deepEqual(await state(), [0, 0, 0, { gone: 1 }]);
        assert.deepEqual((await pages.totals()).failed, { 'http-410': 1 });
        await visit(opened, clock, { page: facts('d2'), ...next() });
        assert.deepEqual(await state(), [1, 1, 0, { stored: 1 }]);
        const totals = await pages.totals();
        assert.deepEqual([totals.failed, totals.requests], [{}, 6]);
        assert.deepEqual(totals.revisits, { unchanged: 1, stored: 2, failed: 1, gone: 1 });
        assert.equal((await pages.host('a.test' as HostKey))?.pages, 1);
      }));

    test('a host whose page budget is used up gives no new pages, but goes on with those it has', () =>
      withFrontier({ ...again, budgets: { maxPages: 1 } }, async (opened, clock) => {
        await opened.frontier.add([task(A), task('http://a.test/2'), task('http://a.test/3')]);
        await visit(opened, clock, { page: facts('d1'), nextVisit: clock.now() + HOUR });
        clock.advance(DELAY);
        assert.deepEqual(await opened.frontier.claim(9), []);
        assert.equal((await opened.frontier.counts()).parked, 2);
        for (const restart of [false, true, false]) {
          const reopened = restart ? await opened.crash() : opened;
          opened = reopened;
          clock.advance(HOUR);
          const claim = await visit(opened, clock, { outcome: { kind: 'unchanged' }, nextVisit: clock.now() + HOUR });
          assert.equal(claim.task.url, A);
          clock.advance(DELAY);
          assert.deepEqual(await opened.frontier.claim(9), []);
        }
        await opened.close();
      }));

    test('a host that cannot be reached rests and is tried again, for there is no next run', () =>
      withFrontier({ ...again, politeness: { unreachableLimit: 1 } }, async ({ frontier }, clock) => {
        await frontier.add([task(A)]);
        const [claim] = await frontier.claim(1);
        const use = {
          fetchMs: 1,
          bytes: 0,
          endedAt: clock.now(),
          pushback: { why: 'refused', kind: 'unreachable' } as const,
        };
        await frontier.settle([settled(claim, clock, { outcome: { kind: 'deferred', why: 'robots.txt' }, use })]);
        assert.deepEqual(await frontier.claim(1), []);
        assert.equal((await frontier.counts()).parked, 0);
        clock.advanceTo((await frontier.nextDue()) as number);
        assert.equal((await frontier.claim(1)).length, 1);
      }));

    test('facts of the last good copy stay; a page that is gone is asked for as if for the first time', () =>
      withFrontier(again, async (opened, clock) => {
        await follow(opened, clock, A, 'd1');
        const { pages } = opened;
        clock.advance(HOUR);
        const renewed = { ...NOT_MODIFIED, etag: '"e2"' };
        const next = { nextVisit: clock.now() + HOUR };
        await visit(opened, clock, { outcome: { kind: 'unchanged' }, page: renewed, ...next });
        const kept = await pages.page(A);
        assert.deepEqual(kept?.outcome, { kind: 'stored' });
        assert.deepEqual(
          kept?.history.map(({ kind }) => kind),
          ['stored', 'unchanged'],
        );
        assert.deepEqual(kept?.facts, facts('d1', { etag: '"e2"' }));
        clock.advance(HOUR);
        const deferred = await visit(opened, clock, { outcome: { kind: 'deferred', why: 'robots.txt' } });
        assert.deepEqual(
          [(await pages.page(A))?.outcome, (await pages.page(A))?.state],
          [{ kind: 'stored' }, 'queued'],
        );
        clock.advance(DELAY);
        const gone: Outcome = { kind: 'gone', status: 404 };
        const again = await visit(opened, clock, {
          ...{ outcome: gone, page: { ...NOT_MODIFIED, status: 404 }, nextVisit: clock.now() + HOUR },
          change: { kind: 'gone', status: 404 },
        });
        assert.deepEqual(again.earlier, deferred.earlier, 'a turn that went into robots.txt leaves all as it was');
        const record = await pages.page(A);
        assert.deepEqual([record?.outcome, record?.facts?.digest, record?.facts?.status], [gone, 'd1', 404]);
        clock.advance(HOUR);
        const [back] = await opened.frontier.claim(1);
        assert.deepEqual([back.validators, back.earlier?.digest], [{}, 'd1']);
        assert.deepEqual(back.earlier?.outcome, gone);
        assert.deepEqual([...opened.changes.changes({})][0].title, 'Title d1', 'of the page that was there');
      }));

    test('a page that was gone and is back as it was has the place of the visit that found it again', () =>
      withFrontier(again, async (opened, clock) => {
        await follow(opened, clock, A, 'd1');
        const at = (offset: number): Pick<PageFacts, 'location'> => ({
          location: { file: 'a.warc.gz', offset, length: 1, fileEnd: 9, indexEnd: 9 },
        });
        const { digest: _, ...same } = facts('d1', at(3));
        for (const settlement of [
          { outcome: { kind: 'gone', status: 404 }, page: { ...NOT_MODIFIED, status: 404, ...at(2) } },
          { outcome: { kind: 'unchanged' }, page: same },
        ] as const) {
          clock.advance(HOUR);
          await visit(opened, clock, { ...settlement, nextVisit: clock.now() + HOUR });
        }
        const record = await opened.pages.page(A);
        assert.deepEqual(record?.facts, facts('d1', at(3)));
        assert.deepEqual(record?.outcome, { kind: 'stored' });
      }));

    test('the original of a content is a page that has it now', () =>
      withFrontier(again, async (opened, clock) => {
        const { pages } = opened;
        const outcome = async (url: CanonicalUrl): Promise<Outcome | undefined> => (await pages.page(url))?.outcome;
        await follow(opened, clock, A, 'd1');
        await follow(opened, clock, B, 'd1');
        assert.deepEqual(await outcome(B), { kind: 'duplicate', of: A });
        clock.advance(HOUR);
        const both = await opened.frontier.claim(9);
        const [ofA, ofB] = both.sort((x, y) => x.task.url.localeCompare(y.task.url));
        await opened.frontier.settle([
          settled(ofB, clock, { outcome: { kind: 'unchanged' }, page: NOT_MODIFIED, nextVisit: clock.now() + HOUR }),
        ]);
        assert.deepEqual(await outcome(B), { kind: 'duplicate', of: A }, 'unchanged means still a copy');
        await opened.frontier.settle([settled(ofA, clock, { page: facts('d2'), nextVisit: clock.now() + 9 * HOUR })]);
        assert.deepEqual(await outcome(A), { kind: 'stored' });
        await opened.frontier.add([task(C)]);
        await visit(opened, clock, { page: facts('d1') });
        assert.deepEqual(await outcome(C), { kind: 'stored' }, 'A has another content by now');
        clock.advance(HOUR);
        await visit(opened, clock, { outcome: { kind: 'unchanged' }, page: NOT_MODIFIED });
        assert.deepEqual(await outcome(B), { kind: 'duplicate', of: C });
        clock.advance(8 * HOUR);
        await visit(opened, clock, { page: facts('d1') });
        assert.deepEqual(await outcome(A), { kind: 'duplicate', of: C }, 'it came back too late');
        assert.equal(await pages.byDigest('d2'), undefined);
        assert.deepEqual([...pages.digests()], ['d1']);
        const { pages: count, distinctDocuments } = await pages.totals();
        assert.deepEqual([count, distinctDocuments], [3, 1]);
      }));

    test('a page held back when its turn comes keeps what is known of it, and comes in again as visited', () =>
      withFrontier(again, async (opened, clock) => {
        await follow(opened, clock, A, 'd1');
        clock.advance(HOUR);
        await visit(opened, clock, { outcome: { kind: 'refused', by: 'trap', rule: 'endless' }, use: undefined });
        const { frontier, pages } = opened;
        assert.deepEqual([(await pages.page(A))?.nextVisit, (await frontier.counts()).queued], [undefined, 0]);
        assert.deepEqual(await frontier.add([task(A)]), ['added']);
        const claim = await visit(opened, clock, { page: facts('d2') });
        assert.equal(claim.earlier?.digest, 'd1');
        assert.equal((await pages.totals()).pages, 1);
      }));

    test('the log of changes: in order, by time, by number, by kind; written with the settlement', () =>
      withFrontier(again, async (opened, clock) => {
        const start = clock.now();
        for (const [n, url] of [A, B, C].entries()) {
          await opened.frontier.add([task(url)]);
          await visit(opened, clock, { page: facts(`d${n}`), change: { kind: 'new' }, nextVisit: start + HOUR });
          clock.advance(1000);
        }
        clock.advanceTo(start + HOUR);
        const claims = await opened.frontier.claim(9);
        const late = settled(claims[0], clock, { change: { kind: 'changed' } });
        clock.advance(600_001);
        await opened.frontier.settle([late]);
        const reopened = await opened.crash();
        assert.equal([...reopened.changes.changes({})].length, 3, 'a settlement that came too late leaves no line');
        clock.advance(DELAY);
        const changes = [
          { kind: 'gone', status: 410 },
          { kind: 'moved', to: 'http://d.test/' },
          { kind: 'back' },
        ] as const;
        const due = (await reopened.frontier.claim(9)).sort((x, y) => x.task.url.localeCompare(y.task.url));
        await reopened.frontier.settle(due.map((claim, i) => settled(claim, clock, { change: changes[i] })));
        const list = (query: object): unknown[] => [...reopened.changes.changes(query)].map(({ number }) => number);
        assert.deepEqual(
          [...reopened.changes.changes({ after: 2 })].map(({ url, change }) => [url, change]),
          [[C, { kind: 'new' }], ...[A, B, C].map((url, i) => [url, changes[i]])],
        );
        assert.deepEqual(list({}), [1, 2, 3, 4, 5, 6]);
        assert.deepEqual(list({ since: start + 1000, until: start + 2001 }), [2, 3]);
        assert.deepEqual(list({ since: start + 1000, until: start + 2000 }), [2]);
        assert.deepEqual(list({ since: start + 2001 }), [4, 5, 6]);
        assert.deepEqual(list({ until: start }), []);
        assert.deepEqual(list({ since: start + 99 * HOUR }), []);
        assert.deepEqual(list({ kinds: ['new', 'back'], after: 1, limit: 2 }), [2, 3]);
        assert.deepEqual(list({ kinds: ['back'] }), [6]);
        assert.deepEqual(list({ kinds: ['new', 'back'], limit: 2, last: true }), [3, 6]);
        assert.deepEqual(list({ before: 6, limit: 2, last: true }), [4, 5]);
        await reopened.close();
      }));
  });
}
