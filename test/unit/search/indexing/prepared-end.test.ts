import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import { seededRandom } from '../../../../src/base/seeded-random.ts';
import type { IndexSnapshot } from '../../../../src/contracts/search-index.ts';
import { SqliteLinkStore } from '../../../../src/engines/links/sqlite-link-store.ts';
import { ArchiveFollower } from '../../../../src/search/indexing/archive-follower.ts';
import { duePreparation } from '../../../../src/search/indexing/due-preparation.ts';
import { openIndexOf } from '../../../../src/search/indexing/open-index.ts';
import { rebuildIndex } from '../../../../src/search/indexing/rebuild-index.ts';
import { temporaryFolder } from '../../archive/archive-fixture.ts';
import { CrawledFolder, html } from './crawled-folder.ts';

const PAGES = 30;
const VISITS = 60;
const url = (n: number): string => `http://${n % 3 === 0 ? 'a' : 'b'}.example/${n}`;
const WORDS = ['page', ...Array.from({ length: PAGES }, (_, n) => `name${n}x`), 'word0x', 'word7x'];

/** All that searches see of every page: its fields, facts, and the scores by its own words and those of links to it. */
function seen(snapshot: IndexSnapshot): unknown {
  const documents = Array.from({ length: PAGES }, (_, n) => {
    const number = snapshot.find(url(n));
    if (number === undefined) return undefined;
    const { title, lengths, facts, anchorSum } = snapshot.document(number);
    return { title, lengths, rank: facts.rank, cluster: facts.cluster, anchorSum };
  });
  const scores = WORDS.map((term) =>
    snapshot
      .top({ kind: 'term', terms: [term] }, 100)
      .top.map(({ document, score }) => `${snapshot.document(document).id} ${score}`)
      .sort(),
  );
  return { documents, scores };
}

/** Visits pages in any order: new ones, others again with other links, some gone or moved. */
async function visitAny(crawl: CrawledFolder, random: () => number): Promise<void> {
  const n = Math.floor(random() * PAGES);
  const kind = random();
  if (kind < 0.1) await crawl.visit(url(n), { status: 404, html: 'no', outcome: { kind: 'gone', status: 404 } });
  else if (kind < 0.2)
    await crawl.visit(url(n), { status: 301, outcome: { kind: 'redirected', to: url((n + 1) % PAGES) } });
  else {
    const links = Array.from({ length: 4 }, () => {
      const to = Math.floor(random() * PAGES);
      return [url(to), `name${to}x ${random() < 0.5 ? 'here' : 'Here'}`] as const;
    });
    await crawl.visit(url(n), { html: html(`Page ${n}`, `word${n}x`, links), text: `word${n}x` });
  }
}

test('an end that was prepared, however often, leaves what a rebuild gives', async (t) => {
  for (const [seed, parts] of [1, 2].flatMap((seed) => [0, 0.5, 1].map((parts) => [seed, parts]))) {
    const random = seededRandom(seed);
    const anyPart = seededRandom(seed);
    await using crawl = new CrawledFolder(temporaryFolder(t));
    const { folder } = crawl;
    let before: unknown;
    {
      await using opened = await openIndexOf(folder);
      using links = new SqliteLinkStore(folder);
      using follower = new ArchiveFollower({ folder, index: opened.index, links, clock: systemClock });
      for (let visit = 0; visit < VISITS; visit++) {
        await visitAny(crawl, random);
        if (random() < 0.3) await follower.step(1000);
        // The last visits come after it, and in the second crawl none does.
        if (visit % 20 === 15 || (seed === 2 && visit === VISITS - 1)) {
          await follower.step(1000);
          let asked = 0;
          // The one in between is cut off on its way.
          await follower.prepareEnd(() => visit === 35 && ++asked > 10, anyPart() < parts ? 'anchors' : 'all');
        }
      }
      await follower.finish();
      assert.equal(await follower.finish(), 0, 'all are of today');
      using snapshot = opened.index.snapshot();
      before = seen(snapshot);
    }
    await rebuildIndex(folder, systemClock);
    await using opened = await openIndexOf(folder);
    using snapshot = opened.index.snapshot();
    assert.deepEqual(before, seen(snapshot), `seed ${seed}, ${parts} of the preparations of anchors alone`);
  }
});

test('the end is prepared when few URLs are left, and again only when there is much more', () => {
  const isNow = (pages: number, waiting: number, preparedPages = 0): boolean => {
    const now = { pages, queued: 0, later: waiting };
    const prepared = { all: preparedPages, anchors: pages };
    return duePreparation({ now, before: now, prepared }) === 'all';
  };
  assert.equal(isNow(1000, 10), true);
  assert.equal(isNow(1000, 11), false);
  assert.equal(isNow(499, 0), false);
  assert.equal(isNow(1499, 0, 1000), false);
  assert.equal(isNow(1500, 0, 1000), true);
});

test('while pages keep coming it is prepared sooner, where these bring hardly any URLs and none is tried again', () => {
  const isNow = (queued: number, { later = 0, foundByPage = 0, taken = 10, anchors = 0 } = {}): boolean =>
    duePreparation({
      now: { pages: 1000, queued, later },
      before: { pages: 1000 - taken, queued: queued + taken * (1 - foundByPage), later },
      prepared: { all: 1000, anchors },
    }) === 'anchors';
  assert.equal(isNow(30), true);
  assert.equal(isNow(30, { anchors: 700 }), false);
  assert.equal(isNow(31, { taken: 21 }), true);
  assert.equal(isNow(32, { taken: 21 }), false);
  assert.equal(isNow(50, { taken: 400 }), true);
  assert.equal(isNow(51, { taken: 400 }), false);
  assert.equal(isNow(31), false);
  assert.equal(isNow(30, { later: 1 }), false);
  assert.equal(isNow(30, { foundByPage: 0.5 }), false);
  const prepared = { all: 0, anchors: 0 };
  assert.equal(duePreparation({ now: { pages: 1000, queued: 0, later: 0 }, before: undefined, prepared }), undefined);
});
