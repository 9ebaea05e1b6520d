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
const MOVED = 'http://a.example/moved';
const GONE = 'http://a.example/gone';

test('a visit that is handed over without fields is read only where it is a page after all', async (t) => {
  await using crawl = new CrawledFolder(temporaryFolder(t));
  const handOne = async (url: string, visited: Visited): Promise<HandedVisit> => {
    const { location, at } = await crawl.archive(url, visited);
    crawl.settle(url, visited, location, at);
    const { file, offset, start, fileEnd: end } = location as PutLocation;
    return { url, file, offset, start, end, text: new Uint8Array(0), size: url.length };
  };
  const moved: Visited = { status: 301, outcome: { kind: 'redirected', to: PAGE } };
  const gone: Visited = { status: 404, html: html('Gone', 'yak'), outcome: { kind: 'gone', status: 404 } };
  const visits = [
    await handOne(MOVED, moved),
    await handOne(PAGE, { html: html('Alpha', 'zebra'), text: 'zebra' }),
    await handOne(GONE, gone),
  ];
  const waiting = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  using handed = new HandedVisits(waiting);
  const { port1, port2 } = new MessageChannel();
  handed.listen(port2);
  port1.postMessage(visits);
  while (handed.size === 0) await nextTurn();
  await using opened = await openIndexOf(crawl.folder);
  using links = openLinks(crawl.folder);
  using follower = new ArchiveFollower({
    ...{ folder: crawl.folder, index: opened.index, links, clock: systemClock, handed },
  });
  const { documents, caughtUp } = await follower.step(10);
  assert.deepEqual([documents, caughtUp, handed.taken], [1, true, 3]);
  using snapshot = opened.index.snapshot();
  const { top } = snapshot.top({ kind: 'term', terms: ['zebra'] }, 10);
  assert.deepEqual(
    top.map(({ document }) => snapshot.document(document).id),
    [PAGE],
  );
  port1.close();
});
