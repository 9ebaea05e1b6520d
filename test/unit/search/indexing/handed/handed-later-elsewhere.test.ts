import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { systemClock } from '../../../../../src/base/clock.ts';
import type { PutLocation } from '../../../../../src/contracts/archive.ts';
import type { HandedVisit } from '../../../../../src/contracts/handed-visit.ts';
import { openLinks } from '../../../../../src/engines/open-links.ts';
import { ArchiveFollower } from '../../../../../src/search/indexing/archive-follower.ts';
import { HandedVisits } from '../../../../../src/search/indexing/handed/handed-visits.ts';
import { openIndexOf } from '../../../../../src/search/indexing/open-index.ts';
import { temporaryFolder } from '../../../archive/archive-fixture.ts';
import { CrawledFolder, html, type Visited } from '../crawled-folder.ts';

const PAGE = 'http://a.example/page';

test('of a page that another thread has visited again in between, the handed visit is no longer the last', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  // A file whose turn comes first.
  await crawl.visit('http://a.example/other', { html: html('Other', 'yak'), text: 'yak', writer: 'a0' });
  const handOne = async (url: string): Promise<HandedVisit> => {
    const gone: Visited = { status: 404, html: html('Gone', 'yak'), outcome: { kind: 'gone', status: 404 } };
    const { location, at } = await crawl.archive(url, gone);
    crawl.settle(url, gone, location, at);
    const { file, offset, start, fileEnd: end } = location as PutLocation;
    return { url, file, offset, start, end, text: new Uint8Array(0), size: url.length };
  };
  const visits = [await handOne('http://a.example/1'), await handOne('http://a.example/2'), await handOne(PAGE)];
  using handed = new HandedVisits(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const { port1, port2 } = new MessageChannel();
  handed.listen(port2);
  port1.postMessage(visits);
  while (handed.size === 0) await nextTurn();
  await using opened = await openIndexOf(crawl.folder);
  using links = openLinks(crawl.folder);
  using follower = new ArchiveFollower({
    ...{ folder: crawl.folder, index: opened.index, links, clock: systemClock, handed },
  });
  await follower.step(2);
  assert.equal(handed.taken, 2, 'the records of those that come next are read');
  await crawl.visit(PAGE, { html: html('Alpha', 'zebra'), text: 'zebra', writer: 'a0' });
  assert.ok((await follower.step(10)).caughtUp);
  using snapshot = opened.index.snapshot();
  const { top } = snapshot.top({ kind: 'term', terms: ['zebra'] }, 10);
  assert.deepEqual(
    top.map(({ document }) => snapshot.document(document).id),
    [PAGE],
  );
  port1.close();
});
