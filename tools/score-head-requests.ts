/**
 * What HEAD spares and costs: a continuous crawl of sites without validators, in compressed time, with `head-requests` and
 * without: `npx node tools/score-head-requests.ts [--seconds 25] [--days 40] [--pages 80] [--budget 0.25]`. The budget is in
 * requests per page and day. One site is honest, on one a third of the edits keep the length of the page, on one every answer
 * has another length. What the pages were and when they were asked for comes from the servers alone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/base/clock.ts';
import { resolveSettings } from '../src/base/settings/resolve-settings.ts';
import type { Settings } from '../src/base/settings/schema.ts';
import { openCrawl } from '../src/crawl/assemble.ts';
import { ScaledClock } from './scaled-clock.ts';

const DAY = 86_400_000;
const LONG = 10 * DAY;
const PATIENT = { connectTimeout: LONG, headersTimeout: LONG, bodyTimeout: LONG, totalTimeout: LONG, lease: 3 * LONG };
const WAYS = ['honest', 'a third hidden', 'restless'] as const;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '25' },
    days: { type: 'string', default: '40' },
    pages: { type: 'string', default: '80' },
    budget: { type: 'string', default: '0.25' },
  },
});
const [seconds, days, pageCount] = [Number(values.seconds), Number(values.days), Number(values.pages)];

/** The same numbers for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Page {
  /** Ms after the start. */
  readonly changes: readonly number[];
  readonly bytes: number;
  readonly bodies: number[];
}

interface Site {
  readonly origin: string;
  readonly pages: readonly Page[];
  readonly server: Server;
  heads: number;
  sent: number;
}

/** Pages change at random, from once in a year to once in four days. */
function makePages(random: () => number): Page[] {
  return Array.from({ length: pageCount }, () => {
    const perDay = 0.0027 * 93 ** random();
    const changes: number[] = [];
    for (let at = 0; at < days * DAY; ) {
      at += (-Math.log(1 - random()) / perDay) * DAY;
      changes.push(at);
    }
    return { changes, bytes: 20_000 + Math.floor(random() * 40_000), bodies: [] };
  });
}

function textOf(page: number, version: number, way: (typeof WAYS)[number]): string {
  const random = createRandom(page * 1000 + 1);
  const words = Array.from({ length: 120 }, () => `word${Math.floor(random() * 900 + 100)}`);
  for (let edit = 1; edit <= version; edit++) {
    const hidden = way === 'a third hidden' && edit % 3 === 0;
    words[edit % words.length] = hidden ? `seen${100 + edit}` : `${'edited '.repeat(edit % 5)}by edit ${edit}`;
  }
  return words.join(' ');
}

async function serve(way: (typeof WAYS)[number], seed: number, now: () => number): Promise<Site> {
  const pages = makePages(createRandom(seed));
  const links = pages.map((_, i) => `<p><a href="/p${i}">page ${i}</a></p>`).join('');
  let asked = 0;
  const server = createServer((request, response) => {
    const page = /^\/p(\d+)$/.exec(request.url ?? '')?.[1];
    const at = now();
    let body = `<!doctype html><title>home</title><body>${links}</body>`;
    if (page !== undefined) {
      const { changes, bytes, bodies } = pages[Number(page)];
      const version = changes.filter((change) => change <= at).length;
      if (request.method === 'GET') bodies.push(at);
      const ads = way === 'restless' ? 'ad '.repeat(1 + (asked++ % 50)) : '';
      body = `<!doctype html><title>page ${page}</title><body><aside>${ads}</aside><script>/*${'x'.repeat(bytes)}*/</script>
        <article><h1>page ${page}</h1><p>${textOf(Number(page), version, way)}</p></article></body>`;
    }
    const length = Buffer.byteLength(body);
    if (request.method === 'HEAD') site.heads++;
    else site.sent += length;
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': length }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const site: Site = { origin, pages, server, heads: 0, sent: 0 };
  return site;
}

/** Share of the time since each page's first visit in which the copy was as the page was. */
function freshness(pages: readonly Page[], to: number): number {
  let [fresh, all] = [0, 0];
  for (const { bodies, changes } of pages) {
    bodies.forEach((at, i) => {
      const end = Math.min(to, bodies[i + 1] ?? to);
      const spoilt = changes.find((change) => change > at) ?? Number.POSITIVE_INFINITY;
      fresh += Math.max(0, Math.min(end, spoilt) - at);
      all += Math.max(0, end - at);
    });
  }
  return fresh / all;
}

async function run(headRequests: Settings['headRequests']): Promise<{ sites: Site[]; ended: number }> {
  const clock = new ScaledClock(systemClock, (days * 86_400) / seconds);
  const began = clock.now();
  const now = (): number => clock.now() - began;
  const sites = await Promise.all(WAYS.map((way, i) => serve(way, i + 1, now)));
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-heads-'));
  const overrides: Partial<Settings> = {
    ...{ delay: 0, delayFactor: 0, sitemaps: 'off', workers: 0, allowPrivate: true, robots: false, minRate: 0 },
    ...{ softNotFound: false, trapLearning: false, mirrors: false, continuous: true, headRequests },
    requestsPerDay: Math.round(Number(values.budget) * pageCount * WAYS.length),
    maxDuration: days * DAY,
  };
  const settings = { ...resolveSettings({ overrides }).settings, ...PATIENT };
  try {
    await using crawl = await openCrawl({ folder, settings, version: '0', clock, random: createRandom(7) });
    await crawl.addSeeds(sites.map(({ origin }) => `${origin}/`));
    await crawl.run();
  } finally {
    for (const { server } of sites) {
      server.closeAllConnections();
      server.close();
    }
    rmSync(folder, { recursive: true, force: true });
  }
  return { sites, ended: now() };
}

console.log(`${pageCount} pages of 20 to 60 kB on each of ${WAYS.length} sites, ${days} days in ${seconds} s`);
console.log('site            head-requests     GET    HEAD       MB  kB each    fresh');
for (const mode of ['off', 'auto'] as const) {
  const { sites, ended } = await run(mode);
  sites.forEach(({ pages, heads, sent }, i) => {
    const gets = pages.reduce((sum, { bodies }) => sum + bodies.length, 0);
    const figures = [
      String(gets),
      String(heads),
      (sent / 1e6).toFixed(1),
      (sent / 1e3 / (gets + heads)).toFixed(1),
      `${(100 * freshness(pages, ended)).toFixed(1)} %`,
    ];
    console.log(`${WAYS[i].padEnd(16)}${mode.padEnd(13)}${figures.map((figure) => figure.padStart(8)).join(' ')}`);
  });
}
