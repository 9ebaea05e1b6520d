import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { duplicateClusters } from '../../src/crawl/report/duplicate-clusters.ts';
import { textOf } from './any-host-web.ts';
import { crawlUntil, DAY } from './changing-site.ts';
import { temporaryFolder } from './crawl-web.ts';
import { StepClock } from './step-clock.ts';

const DAILY = { revisitMax: DAY, revisitPolicy: 'uniform' } as const;

/** Answers each path as the test says at the moment; undefined is a 404. */
async function serveSite(textAt: (path: string, visit: number) => string | undefined, links: readonly string[]) {
  const visits = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const visit = (visits.get(path) ?? 0) + 1;
    visits.set(path, visit);
    const text = textAt(path, visit);
    if (text === undefined)
      return void response.writeHead(404, { 'content-type': 'text/html' }).end('<title>404</title>');
    const list = path === '/' ? links.map((link) => `<p><a href="${link}">${link}</a></p>`).join('') : '';
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<!doctype html><title>${path}</title><body><article><h1>${path}</h1><p>${text}</p></article>${list}</body>`,
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits: (path: string) => visits.get(path) ?? 0,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function clustersIn(folder: string): string[][] {
  using reader = new CrawlReader(folder);
  const paths = duplicateClusters(reader.duplicateListing).map(({ members }) =>
    members.map(({ url }) => new URL(url).pathname).sort(),
  );
  return paths.sort();
}

test('pages that change again and again are compared once each, and clusters follow them', async () => {
  using folder = temporaryFolder();
  // One for all runs: what one has planned is due for the next.
  const clock = new StepClock();
  const names = ['/a', '/b', '/c', '/d', '/e', '/f'];
  const article = textOf('article');
  let isParted = false;
  let isGone = false;
  using site = await serveSite((path, visit) => {
    // Three tell the same with a word of their own, the first of them until it is parted from the others.
    if (path === '/a') return isParted ? textOf(`another ${visit}`) : `${article} ${visit}`;
    if (path === '/b' || path === '/c') return isGone && path === '/c' ? undefined : `${article} ${path} ${visit}`;
    return textOf(`${path} ${visit}`);
  }, names);
  const comparedWhen = async (isTrue: () => boolean): Promise<number | undefined> =>
    (await crawlUntil(folder.path, `${site.origin}/`, isTrue, DAILY, clock)).compared;
  const everyOne = (times: number) => {
    const least = new Map(['/', ...names].map((path) => [path, site.visits(path) + times]));
    return () => [...least].every(([path, visits]) => site.visits(path) >= visits);
  };

  assert.equal(await comparedWhen(everyOne(6)), 7, 'one place each, after many versions');
  assert.deepEqual(clustersIn(folder.path), [['/a', '/b', '/c']]);
  isParted = true;
  assert.equal(await comparedWhen(everyOne(3)), 7, 'also after a restart');
  assert.deepEqual(clustersIn(folder.path), [['/b', '/c']], 'those that are left keep together');
  isGone = true;
  const visits = site.visits('/c');
  assert.equal(await comparedWhen(() => site.visits('/c') > visits + 1), 6, 'what is gone has left');
  assert.deepEqual(clustersIn(folder.path), []);
  using reader = new CrawlReader(folder.path);
  const { page } = await reader.explain(`${site.origin}/b`);
  assert.equal(page?.facts?.nearDuplicateOf, undefined, 'nor is anything told of it');
  assert.equal((await reader.status(0)).totals.nearDuplicates, 0);
});
