import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { type CreateCrawlSettings, createCrawl } from '../../src/index.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';

const PAGES = 20;
/** Long enough that all who may come have come; nothing is asserted of it. */
const GATHER_MS = 50;

interface Site {
  readonly robots?: string;
  /** So many requests for pages meet before one is answered; the first goes alone, as the others are found in it. */
  readonly meeting?: number;
}

/** A site that waits with its answers until requests have met, and counts them. */
async function countingSite({ robots = 'User-agent: *\nAllow: /\n', meeting = 1 }: Site = {}) {
  const seen = { most: 0, robots: 0, besideRobots: 0 };
  const open = new Set<ServerResponse>();
  let robotsOpen = 0;
  const held: (() => void)[] = [];
  let haveMet = false;
  const server = createServer((request, response) => {
    open.add(response);
    seen.most = Math.max(seen.most, open.size);
    const isRobots = request.url === '/robots.txt';
    if (isRobots) {
      seen.robots++;
      robotsOpen++;
    }
    if (robotsOpen > 0 && open.size > 1) seen.besideRobots++;
    const answer = (): void =>
      void setTimeout(() => {
        open.delete(response);
        if (isRobots) robotsOpen--;
        response.setHeader('Content-Type', isRobots ? 'text/plain' : 'text/html');
        response.end(isRobots ? robots : pageAt(request.headers.host ?? '', request.url ?? '', response));
      }, GATHER_MS);
    haveMet ||= open.size >= meeting;
    if (haveMet || isRobots || request.url === '/') answer();
    else held.push(answer);
    if (haveMet) for (const go of held.splice(0)) go();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, seen, [Symbol.asyncDispose]: async () => void server.close() };
}

function pageAt(host: string, path: string, response: ServerResponse): string {
  if (!/^\/\d{0,2}$/.test(path)) {
    response.statusCode = 404;
    return 'not here';
  }
  // Pages that have nothing in common but their links: the crawler looks for copies, mirrors and traps.
  const words = Array.from({ length: 60 }, (_, n) =>
    createHash('sha1').update(`${host}${path} ${n}`).digest('base64').slice(0, 6),
  );
  const links = Array.from({ length: PAGES }, (_, n) => `<a href="/${n}">page ${n}</a>`);
  return `<title>${words[0]}</title><p>${words.join(' ')}</p>${links.join('')}`;
}

async function crawl(origin: string, folder: string, settings: Partial<CreateCrawlSettings>): Promise<void> {
  const base = { allowPrivate: true, delay: 0, sitemaps: 'off', workers: 0, seeds: [`${origin}/`] } as const;
  await using run = await createCrawl({ folder, ...base, ...settings });
  assert.equal((await run.run()).ended, 'finished');
}

test('without a setting a host has one request at a time', async () => {
  using folder = temporaryFolder();
  await using site = await countingSite();
  await crawl(site.origin, folder.path, {});
  assert.equal(site.seen.most, 1);
  assert.equal(storedPages(folder.path).length, PAGES + 1);
});

for (const workers of [0, 2])
  test(`host-concurrency lets a host have as many and no more, with ${workers} threads; robots.txt is asked for once, alone`, async () => {
    using folder = temporaryFolder();
    await using site = await countingSite({ meeting: 4 });
    await crawl(site.origin, folder.path, { hostConcurrency: 4, workers });
    assert.deepEqual(site.seen, { most: 4, robots: 1, besideRobots: 0 });
    assert.equal(storedPages(folder.path).length, PAGES + 1);
  });

test('it may be set for one host among others', async () => {
  using folder = temporaryFolder();
  await using own = await countingSite({ meeting: 3 });
  await using other = await countingSite();
  await crawl(own.origin, folder.path, {
    seeds: [`${own.origin}/`, `${other.origin}/`],
    hostConcurrencyOf: { [new URL(own.origin).host]: 3 },
  });
  assert.deepEqual([own.seen.most, other.seen.most], [3, 1]);
  assert.equal(storedPages(folder.path).length, 2 * (PAGES + 1));
});

test('a Crawl-delay keeps starts apart whatever is set, so that requests do not meet', async () => {
  using folder = temporaryFolder();
  // Longer than an answer takes, however busy the machine is, is not needed: the claim itself is watched.
  await using site = await countingSite({ robots: 'User-agent: *\nCrawl-delay: 0.2\n' });
  await using run = await createCrawl({
    folder: folder.path,
    ...{ allowPrivate: true, delay: 0, sitemaps: 'off', workers: 0, hostConcurrency: 8, maxPages: 5 },
    seeds: Array.from({ length: 5 }, (_, n) => `${site.origin}/${n}`),
  });
  const starts: number[] = [];
  run.on('settled', ({ claim, outcome }) => {
    if (outcome.kind === 'stored') starts.push(claim.claimedAt);
  });
  await run.run();
  starts.sort((a, b) => a - b);
  assert.equal(starts.length, 5);
  for (let at = 1; at < starts.length; at++) assert.ok(starts[at] - starts[at - 1] >= 200, starts.join(' '));
});
