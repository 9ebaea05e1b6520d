import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { ContentSketch } from '../../../../src/contracts/content/content-sketch.ts';
import type { Claim, Settlement } from '../../../../src/contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { LearningJournal } from '../../../../src/crawl/learning/learning-journal.ts';
import { NearDuplicates } from '../../../../src/crawl/learning/near-duplicates.ts';
import { PageClassifier } from '../../../../src/crawl/learning/page-classifier.ts';
import { duplicateClusters } from '../../../../src/crawl/report/duplicate-clusters.ts';
import { NearIndex } from '../../../../src/dedupe/near/near-index.ts';
import { SKETCH_BYTES } from '../../../../src/dedupe/near/sketch.ts';
import { openStateReader } from '../../../../src/engines/open-reader.ts';
import type { SqlitePartition } from '../../../../src/engines/sqlite/sqlite-partition.ts';
import { statePath } from '../../../../src/engines/sqlite/state-database.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { factsOf, openedState, page, temporaryFolder } from '../../engines/sqlite/state-folder.ts';

const HOUR = 3_600_000;
const PAGES = 8;
const FAMILIES = 3;
const urlOf = (n: number): string => `http://h${n}.test/`;

/** Texts of one family are alike, those of two are not. */
function sketchOf(family: number, version: number): ContentSketch {
  let state = Math.imul(family + 1, 0x9e3779b1);
  const next = (): number => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    return state >>> 0;
  };
  const sketch = Uint8Array.from({ length: SKETCH_BYTES }, () => (next() >>> 8) & 255);
  for (let i = 0; i < 20; i++) sketch[i * 20 + version] ^= 1;
  const simhash = (BigInt(next()) << 32n) | BigInt(next());
  return { simhash: simhash ^ (1n << BigInt(version)), sketch, shingles: 500 };
}

/** What a page becomes: a text of a family, too short a text, gone, moved, or it cannot be reached; 'same': as it was. */
const ending = fc.oneof(
  { weight: 5, arbitrary: fc.record({ family: fc.nat(FAMILIES - 1), version: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.constantFrom('same', 'short', 'gone', 'moved', 'failed') },
);
const step = fc.record({ page: fc.nat(PAGES - 1), ending, restart: fc.boolean(), inTime: fc.nat(5) });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class Pages {
  readonly #folder: string;
  readonly clock = new VirtualClock();
  #state: SqlitePartition;
  near!: NearDuplicates;
  #classifier!: PageClassifier;
  /** What each page has now, and what it had when it was last there. */
  readonly now = new Map<number, { family: number; version: number } | 'short'>();
  readonly held = new Map<number, { family: number; version: number } | 'short'>();
  #bodies = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.#state = this.#open();
  }

  #open(): SqlitePartition {
    const state = openedState(this.#folder, this.clock, { revisits: true });
    this.near = new NearDuplicates(state.sketches, (store) => new NearIndex(store, { firstBits: 2 }));
    const journal = new LearningJournal(this.clock);
    this.#classifier = new PageClassifier({ near: this.near, domainOf: String, random: Math.random, journal });
    return state;
  }

  restart(): void {
    this.close();
    this.#state = this.#open();
  }

  close(): void {
    this.#state[Symbol.dispose]();
  }

  async visit({ page: n, ending, inTime }: Step): Promise<void> {
    const { frontier } = this.#state;
    await frontier.add([page(urlOf(n))]);
    const claims = await frontier.claim(PAGES);
    const claim = claims.find(({ task }) => task.url === urlOf(n));
    await frontier.release(claims.filter((other) => other !== claim));
    assert.ok(claim !== undefined);
    const settlement = this.#concluded(n, claim, ending);
    const isLate = inTime === 0;
    if (isLate) this.clock.advance(HOUR);
    const [verdict] = await frontier.settle([settlement]);
    const { contentSketch, outcome } = settlement;
    const isWritten = verdict === 'applied' && outcome.kind === 'stored' && contentSketch !== undefined;
    this.#classifier.settled(isWritten ? [contentSketch] : []);
    if (!isLate) this.#happened(n, ending);
    this.clock.advance(HOUR);
  }

  #concluded(n: number, claim: Claim, ending: Step['ending']): Settlement {
    const { url } = claim.task;
    const use = { fetchMs: 1, bytes: 10, endedAt: this.clock.now() };
    const settled = { claim, use, nextVisit: this.clock.now() + 1, nextVisitWhy: 'so' };
    const facts = factsOf(`body ${this.#bodies++}`);
    const follow = (settlement: Settlement): Settlement => ({
      ...settlement,
      ...this.#classifier.followNear(claim, settlement.outcome, settlement.contentSketch),
    });
    if (typeof ending === 'object') {
      const contentSketch = sketchOf(ending.family, ending.version);
      const { kept, near, changes } = this.near.compare(url, contentSketch, claim.earlier?.document);
      const nearDuplicateOf = near && { url: near.url, jaccard: near.jaccard };
      const about = { document: kept.document, ...(nearDuplicateOf === undefined ? {} : { nearDuplicateOf }) };
      const stored = { ...settled, outcome: { kind: 'stored' as const }, page: { ...facts, ...about } };
      return follow({ ...stored, contentSketch: kept, nearChanges: changes });
    }
    const { digest: _, ...bodiless } = facts;
    if (ending === 'short') return follow({ ...settled, outcome: { kind: 'stored' }, page: facts });
    if (ending === 'failed') return follow({ ...settled, outcome: { kind: 'failed', code: 'reset' }, planned: true });
    if (ending === 'gone') return follow({ ...settled, outcome: { kind: 'gone', status: 404 }, page: bodiless });
    if (ending === 'moved' || !this.held.has(n))
      return follow({ ...settled, outcome: { kind: 'redirected', to: 'http://x.test/' }, page: bodiless });
    return follow({ ...settled, outcome: { kind: 'unchanged' }, page: bodiless });
  }

  #happened(n: number, ending: Step['ending']): void {
    const held = this.held.get(n);
    if (ending === 'failed') return;
    if (ending === 'gone' || ending === 'moved' || (ending === 'same' && held === undefined)) this.now.delete(n);
    else if (ending === 'same') this.now.set(n, held!);
    else {
      this.now.set(n, ending);
      this.held.set(n, ending);
    }
  }

  /** Pages with a text, by family. */
  families(): string[][] {
    const families: string[][] = Array.from({ length: FAMILIES }, () => []);
    for (const [n, text] of this.now) if (text !== 'short') families[text.family].push(urlOf(n));
    return families.filter(({ length }) => length > 0).map((urls) => urls.sort());
  }

  async check(): Promise<void> {
    const families = this.families();
    assert.equal(this.near.size, families.flat().length, 'a place for each page');
    const db = new DatabaseSync(statePath(this.#folder), { readOnly: true });
    try {
      using reader = openStateReader(this.#folder);
      const clusters = duplicateClusters(reader.duplicates).map(({ members }) =>
        members.map(({ url }) => String(url)).sort(),
      );
      assert.deepEqual(clusters.sort(), families.filter(({ length }) => length > 1).sort(), 'clusters are families');
      const rows = db
        .prepare(`SELECT likeness.document, likeness.near_to AS nearTo, likeness.jaccard, page.kind, other.url AS of,
          page.facts ->> '$.nearDuplicateOf.url' AS told, page.facts ->> '$.nearDuplicateOf.jaccard' AS toldJaccard
          FROM likeness JOIN page ON page.fp = likeness.page LEFT JOIN likeness AS second ON second.document = likeness.near_to
          LEFT JOIN page AS other ON other.fp = second.page WHERE likeness.has_left IS NULL`)
        .all() as {
        document: number;
        nearTo: number | null;
        jaccard: number;
        kind: string;
        of: string;
        told: string;
        toldJaccard: number;
      }[];
      assert.equal(rows.length, this.near.size);
      const leads = new Map(rows.map(({ document, nearTo }) => [document, nearTo]));
      for (const { document, jaccard, of, told, toldJaccard } of rows) {
        assert.deepEqual([told, toldJaccard], [of, jaccard], 'a page tells what its document does');
        let at: number | null | undefined = document;
        for (let steps = 0; at !== null; steps++) {
          assert.ok(at !== undefined && steps <= rows.length, 'nobody leads in a circle, or nowhere');
          at = leads.get(at);
        }
      }
      const totals = await this.#state.pages.totals();
      const counted = rows.filter(({ nearTo, kind }) => nearTo !== null && kind !== 'failed');
      assert.equal(totals.nearDuplicates, counted.length);
    } finally {
      db.close();
    }
  }
}

test('after any history of pages the index, the clusters and what pages tell agree, also after a restart', async (t) => {
  const folder = temporaryFolder(t);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const pages = new Pages(`${folder}/${run++}`);
      for (const [i, one] of steps.entries()) {
        await pages.visit(one);
        if (one.restart && i % 4 === 0) pages.restart();
        await pages.check();
      }
      pages.restart();
      await pages.check();
      pages.close();
    }),
    { numRuns: propertyRuns(25) },
  );
});

test('a sketch that is surely in the state is not read back; one whose visit came too late leaves the index', () => {
  const asked: number[] = [];
  const store = new Map<number, ContentSketch>();
  const keeper = {
    contentSketch: (document: number) => {
      asked.push(document);
      return store.get(document);
    },
    urlOf: () => undefined,
    nearTo: () => undefined,
    members: () => [],
    left: () => undefined,
    any: () => undefined,
    last: () => 0,
    all: () => [],
  };
  const near = new NearDuplicates(keeper, (sketches) => new NearIndex(sketches));
  const [first, second] = [0, 1].map((n) => near.compare(urlOf(n) as CanonicalUrl, sketchOf(n, 0)).kept);
  store.set(first.document, first);
  assert.deepEqual(asked, [], 'a new number is not looked for');
  near.settled([first]);
  assert.deepEqual(asked, [second.document]);
  assert.equal(near.size, 1);
});
