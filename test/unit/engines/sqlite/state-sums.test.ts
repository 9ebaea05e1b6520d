import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { fingerprint, toSigned } from '../../../../src/base/fingerprint.ts';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { Outcome, Settlement } from '../../../../src/contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import type { SqlitePartition } from '../../../../src/engines/sqlite/sqlite-partition.ts';
import { statePath } from '../../../../src/engines/sqlite/state-database.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { factsOf, openedState, page, temporaryFolder } from './state-folder.ts';

const HOUR = 3_600_000;

/** How a visit may end; `again`: it has a next visit. */
const ENDINGS: readonly ((digest: string) => Partial<Settlement>)[] = [
  (digest) => ({ outcome: { kind: 'stored' }, page: factsOf(digest) }),
  (digest) => ({ outcome: { kind: 'stored' }, page: factsOf(digest) }),
  () => ({ outcome: { kind: 'unchanged' } }),
  () => ({
    outcome: { kind: 'gone', status: 404 },
    page: { ...factsOf('', { status: 404 }), digest: undefined as never },
  }),
  () => ({ outcome: { kind: 'redirected', to: 'http://x.test/' } }),
  () => ({ outcome: { kind: 'failed', code: 'reset' } }),
  () => ({ outcome: { kind: 'deferred', why: 'robots.txt' } }),
];

const step = fc.record({
  what: fc.constantFrom('add', 'visit', 'visit', 'visit', 'move', 'recall', 'plan', 'wait', 'reopen'),
  h: fc.integer({ min: 0, max: 2 }),
  n: fc.integer({ min: 0, max: 3 }),
  lane: fc.integer({ min: 0, max: 7 }),
  ending: fc.nat({ max: ENDINGS.length - 1 }),
  digest: fc.constantFrom('d1', 'd2', 'd3'),
  again: fc.boolean(),
  movable: fc.boolean(),
  revisits: fc.boolean(),
});

test('after any history, sums, places and originals are what the rows say', async (t) => {
  const folder = temporaryFolder(t);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const clock = new VirtualClock();
      const dir = `${folder}/${run++}`;
      let options = { movable: true, revisits: true };
      let state = openedState(dir, clock, options);
      for (const { what, h, n, lane, ending, digest, again, movable, revisits } of steps) {
        const url = `http://h${h}.test/${n}`;
        const { frontier } = state;
        const why = { fingerprint: fingerprint(url), why: 'so' };
        if (what === 'add') await frontier.add([page(url, { lane })]);
        else if (what === 'visit') await visit(state, clock, ENDINGS[ending](digest), again);
        else if (what === 'move') await frontier.move([{ ...why, lane }]);
        else if (what === 'recall') await frontier.updateRevisits([{ ...why, at: clock.now() + lane }]);
        else if (what === 'plan') await state.planVisits(() => clock.now() + HOUR);
        else if (what === 'wait') clock.advance(HOUR);
        else {
          state[Symbol.dispose]();
          options = { movable, revisits };
          state = openedState(dir, clock, options);
        }
      }
      await check(state, dir, options);
      state[Symbol.dispose]();
    }),
    { numRuns: propertyRuns(30) },
  );
});

async function visit({ frontier }: SqlitePartition, clock: VirtualClock, extra: Partial<Settlement>, again: boolean) {
  const use = { fetchMs: 1, bytes: 10, endedAt: clock.now() };
  const claims = await frontier.claim(2);
  await frontier.settle(
    claims.map((claim) => ({
      ...{ claim, outcome: { kind: 'stored' }, use, ...extra },
      ...(again ? { nextVisit: clock.now() + HOUR } : {}),
    })),
  );
}

async function check(
  { frontier, pages }: SqlitePartition,
  dir: string,
  { movable, revisits }: { movable: boolean; revisits: boolean },
): Promise<void> {
  const db = new DatabaseSync(statePath(dir), { readOnly: true });
  const waiting = ['queue', 'later', 'revisit'].map(
    (table) => db.prepare(`SELECT * FROM ${table}`).all() as { url: string; lane: number; ord: number; at?: number }[],
  );
  const [queue, later, planned] = waiting;
  const counts = await frontier.counts();
  assert.equal(counts.queued, queue.length + later.length + (revisits ? planned.length : 0));
  const urls = waiting.flat().map(({ url }) => url);
  assert.equal(new Set(urls).size, urls.length, 'nothing waits twice');
  const place = db.prepare('SELECT lane, ord, at FROM place WHERE fp = ?');
  assert.equal((db.prepare('SELECT count(*) AS n FROM place').get() as { n: number }).n, movable ? urls.length : 0);
  for (const { url, lane, ord, at } of movable ? waiting.flat() : []) {
    assert.deepEqual({ ...place.get(toSigned(fingerprint(url))) }, { lane, ord, at: at ?? null });
  }
  const outcomes: Record<string, number> = {};
  const rows = db.prepare('SELECT url, outcome, held, next_visit, next_why FROM page').all() as unknown as {
    url: CanonicalUrl;
    outcome: string;
    held: string | null;
    next_visit: number | null;
    next_why: string | null;
  }[];
  for (const { outcome, held, next_visit, next_why } of rows) {
    const last: Outcome = JSON.parse(outcome);
    const open = last.kind === 'deferred' || (last.kind === 'failed' && next_visit !== null && next_why === null);
    const kind = open ? held && JSON.parse(held).kind : last.kind;
    if (kind) outcomes[kind] = (outcomes[kind] ?? 0) + 1;
  }
  const totals = await pages.totals();
  assert.deepEqual({ ...totals.outcomes }, outcomes);
  assert.equal(totals.pages, (outcomes.stored ?? 0) + (outcomes.duplicate ?? 0));
  for (const { digest, url } of db.prepare('SELECT digest, url FROM digest').all() as Record<string, string>[]) {
    const record = await pages.page(url as CanonicalUrl);
    assert.equal(record?.facts?.digest, digest);
    const { url: same, host, outcome, visitedAt, facts } = record!;
    const last = { url: same, host, outcome, visitedAt, facts };
    assert.deepEqual(pages.lastVisit(url as CanonicalUrl), last);
    const unknown = 'https://never.test/' as CanonicalUrl;
    assert.deepEqual(pages.lastVisits([unknown, url as CanonicalUrl]), new Map([[url, last]]));
    assert.ok(
      ['stored', 'failed', 'deferred'].includes(record?.outcome?.kind ?? ''),
      `${url} ${record?.outcome?.kind}`,
    );
  }
  db.close();
}
