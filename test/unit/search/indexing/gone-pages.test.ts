import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import { SqliteLinkStore } from '../../../../src/engines/links/sqlite-link-store.ts';
import { ArchiveFollower } from '../../../../src/search/indexing/archive-follower.ts';
import { openIndexOf } from '../../../../src/search/indexing/open-index.ts';
import { rebuildIndex } from '../../../../src/search/indexing/rebuild-index.ts';
import { temporaryFolder } from '../../archive/archive-fixture.ts';
import { CrawledFolder, html } from './crawled-folder.ts';

const url = (name: string): string => `http://a.example/${name}`;
const KEPT = ['home', 'about', 'news'].map(url);

function pageOf(name: string, ...to: string[]) {
  const links = to.map((target) => [url(target), `To ${target}`] as const);
  return { html: html(name, `${name} page`, links), text: `${name} page` };
}

async function ranksIn(folder: string): Promise<readonly unknown[]> {
  await using opened = await openIndexOf(folder);
  using snapshot = opened.index.snapshot();
  return KEPT.map((kept) => {
    const number = snapshot.find(kept);
    return number === undefined ? undefined : snapshot.document(number).facts.rank;
  });
}

test('a page that is gone leaves the ranks that a rebuild gives, also where nobody links to it', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  const { folder } = crawl;
  await crawl.visit(url('home'), pageOf('home', 'about', 'news'));
  await crawl.visit(url('about'), pageOf('about', 'home'));
  await crawl.visit(url('news'), pageOf('news', 'home', 'about'));
  for (const name of ['lost', 'lost-leaf'])
    await crawl.visit(url(name), pageOf(name, ...(name === 'lost' ? ['news'] : [])));
  {
    await using opened = await openIndexOf(folder);
    using links = new SqliteLinkStore(folder);
    using follower = new ArchiveFollower({ folder, index: opened.index, links, clock: systemClock });
    await follower.finish();
    for (const name of ['lost', 'lost-leaf'])
      await crawl.visit(url(name), { status: 404, html: 'no', outcome: { kind: 'gone', status: 404 } });
    await follower.finish();
    assert.equal(links.pages, KEPT.length);
  }
  const followed = await ranksIn(folder);
  assert.ok(followed.every((rank) => typeof rank === 'number'));
  await rebuildIndex(folder, systemClock);
  assert.deepEqual(followed, await ranksIn(folder));
});
