import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, systemClock } from '../../../../src/base/clock.ts';
import type { SearchIndex } from '../../../../src/contracts/search-index.ts';
import { SqliteLinkStore } from '../../../../src/engines/links/sqlite-link-store.ts';
import { ArchiveFollower } from '../../../../src/search/indexing/archive-follower.ts';
import { openIndexOf } from '../../../../src/search/indexing/open-index.ts';
import { temporaryFolder } from '../../archive/archive-fixture.ts';
import { CrawledFolder, html } from './crawled-folder.ts';

const MINUTE = 60_000;
const A = 'http://a.example/a';
const B = 'http://a.example/b';

/** A clock that stands still until it is moved on. */
class HandClock implements Clock {
  time = 1_000_000;
  now = (): number => this.time;
  sleep = systemClock.sleep;
}

function holders(index: SearchIndex, term: string): string[] {
  using snapshot = index.snapshot();
  return snapshot.top({ kind: 'term', terms: [term] }, 10).top.map(({ document }) => snapshot.document(document).id);
}

/** A says something else of B than when B was indexed, among so many other pages; then pages come, eleven minutes apart. */
async function saysOtherwise(folder: string, others: number, rounds: number) {
  await using crawl = new CrawledFolder(folder);
  await using opened = await openIndexOf(folder);
  const { index } = opened;
  using links = new SqliteLinkStore(folder);
  const clock = new HandClock();
  using follower = new ArchiveFollower({ folder, index, links, clock });
  const isUpToDate: boolean[] = [];
  await crawl.visit(A, { html: html('Alpha', '', [[B, 'falcon']]), text: 'zebra' });
  await follower.step(1000);
  await crawl.visit(B, { html: html('Beta', ''), text: 'yak' });
  for (let n = 0; n < others; n++)
    await crawl.visit(`http://a.example/${n}`, { html: html('Other', ''), text: 'other' });
  await follower.step(1000);
  assert.deepEqual(holders(index, 'falcon'), [B]);
  await crawl.visit(A, { html: html('Alpha', '', [[B, 'osprey']]), text: 'zebra' });
  await follower.step(1000);
  for (let round = 0; round < rounds; round++) {
    clock.time += 11 * MINUTE;
    await crawl.visit(`http://a.example/round/${round}`, { html: html('Round', ''), text: 'round' });
    await follower.step(1000);
    isUpToDate.push(holders(index, 'osprey').includes(B) && holders(index, 'falcon').length === 0);
  }
  return { isUpToDate, again: index.work.analysed - (3 + others + rounds) };
}

test('a segment in which enough pages are said other things of is refreshed without an analysis', async (t) => {
  assert.deepEqual(await saysOtherwise(temporaryFolder(t), 2, 2), { isUpToDate: [true, true], again: 0 });
});

test('a single page of a large segment is analysed again, after an hour', async (t) => {
  const { isUpToDate, again } = await saysOtherwise(temporaryFolder(t), 30, 8);
  assert.deepEqual(isUpToDate, [false, false, false, false, false, false, true, true]);
  assert.equal(again, 1);
});
