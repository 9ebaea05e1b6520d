import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import { resolveSettings } from '../../src/base/settings/resolve-settings.ts';
import type { IndexSnapshot } from '../../src/contracts/search-index.ts';
import { openCrawl } from '../../src/crawl/assemble.ts';
import { openLinks } from '../../src/engines/open-links.ts';
import { ArchiveFollower } from '../../src/search/indexing/archive-follower.ts';
import { HandOverPorts } from '../../src/search/indexing/handed/hand-over-ports.ts';
import { HandedVisits } from '../../src/search/indexing/handed/handed-visits.ts';
import { openIndexOf } from '../../src/search/indexing/open-index.ts';
import { rebuildIndex } from '../../src/search/indexing/rebuild-index.ts';
import { RICH_WEB } from '../../src/simulate/model/web-presets.ts';
import { startSyntheticWeb, type WebServer } from '../../src/simulate/server/web-server.ts';
import { quickOrLong } from '../property-runs.ts';
import { temporaryFolder } from './crawl-web.ts';

/** Charsets, copies, redirects, errors, documents without text: whatever the archive may say otherwise than the page thread. */
const WEB = { ...RICH_WEB, hosts: 5, pagesPerHost: quickOrLong(9, 14), seed: 21, retryAfterSeconds: 1 } as const;

test('pages that a page thread hands over make the index that the archive makes', async () => {
  await using web = await startSyntheticWeb(WEB);
  using folder = temporaryFolder();
  const handOver = new HandOverPorts();
  const waiting = new Int32Array(handOver.waiting);
  {
    using handed = new HandedVisits(handOver.waiting);
    handOver.receive((port) => handed.listen(port));
    await using crawl = await openCrawl({
      folder: folder.path,
      settings: settingsOf(web),
      version: '0',
      handOver,
    });
    await crawl.addSeeds(web.origins);
    const { distinctDocuments } = await crawl.run();
    // All that is on its way has arrived.
    while (handed.size < waiting[0]) await sleep(5);
    await using opened = await openIndexOf(folder.path);
    using links = openLinks(folder.path);
    using follower = new ArchiveFollower({
      ...{ folder: folder.path, index: opened.index, links, clock: systemClock, handed },
    });
    await follower.finish();
    assert.ok(handed.taken > distinctDocuments / 2, `${handed.taken} of ${distinctDocuments} were handed over`);
    assert.equal(waiting[0], 0, 'nothing is left');
  }
  assert.equal(waiting[0], -1, 'nobody takes any more');
  const followed = await contentsOf(folder.path);
  assert.ok(followed.length > quickOrLong(20, 30));
  await rebuildIndex(folder.path, systemClock);
  assert.ok(isDeepStrictEqual(await contentsOf(folder.path), followed));
});

function settingsOf(web: WebServer) {
  return resolveSettings({
    overrides: {
      ...{ scope: 'any', delay: 20, delayFactor: 0, backoffStart: 50, concurrency: 32, workers: 1, allowPrivate: true },
      hosts: web.hostsMap(),
    },
  }).settings;
}

/** Each document with its facts and fields, and its score for words of many pages. */
async function contentsOf(folder: string): Promise<unknown[]> {
  await using opened = await openIndexOf(folder);
  using snapshot = opened.index.snapshot();
  const scores = scoresOf(snapshot, ['page', 'the', 'of', 'spider', 'web', 'new', 'about']);
  return Array.from({ length: snapshot.documents }, (_, number) => {
    const { id, title, lengths, facts, anchorSum } = snapshot.document(number);
    return { id, title, lengths: [...lengths], facts, anchorSum, scores: scores.get(id) };
  }).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function scoresOf(snapshot: IndexSnapshot, terms: readonly string[]): Map<string, Record<string, number>> {
  const scores = new Map<string, Record<string, number>>();
  for (const term of terms)
    for (const { document, score } of snapshot.top({ kind: 'term', terms: [term] }, 10_000).top) {
      const { id } = snapshot.document(document);
      scores.set(id, { ...scores.get(id), [term]: score });
    }
  return scores;
}
