/**
 * What telling duplicates, traps, mirrors, soft 404s and spam costs a normal crawl, in CPU:
 * `npx node tools/measure-classifier.ts [--pages FOLDER] [--profile] [--parts] [rounds]`. The same pages are crawled in turn
 * with all of it and without any, and with --parts also with one part less each; with --profile one crawl is sampled
 * instead, which says more: rounds differ by more than what is looked for. Without a folder the pages are synthetic; their
 * main text is several times as long as that of today's pages. Of a folder every file ending in .html or .html.gz is
 * served, ten times over, each time with other words at its end.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Settings } from '../src/base/settings/schema.ts';
import { createCrawl } from '../src/index.ts';
import { MODERN_PAGES } from '../src/simulate/model/web-presets.ts';
import { PLAIN_SHARES } from '../src/simulate/model/web-spec.ts';
import { startWebProcess } from '../src/simulate/server/child-web.ts';
import { classifierShare } from './classifier-share.ts';

const PARTS: Readonly<Record<string, Partial<Settings>>> = {
  nearDuplicates: { nearDuplicates: false },
  traps: { trapLearning: false },
  mirrors: { mirrors: false },
  softNotFound: { softNotFound: false },
  spam: { spam: false },
};
const NONE: Partial<Settings> = Object.assign({}, ...Object.values(PARTS));
const WEB = { ...PLAIN_SHARES, ...MODERN_PAGES, hosts: 20, pagesPerHost: 40, seed: 11 } as const;
const TIMES_OVER = 10;

interface Site extends AsyncDisposable {
  readonly seeds: readonly string[];
  readonly settings: Partial<Settings>;
}

async function syntheticSite(): Promise<Site> {
  const server = await startWebProcess(WEB, { nameServer: true });
  return {
    seeds: server.origins,
    settings: { scope: 'any', dnsServers: [server.nameServer ?? ''] },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Its server is a process of its own: this program again. */
async function siteOfFolder(folder: string): Promise<Site> {
  const server = fork(import.meta.filename, ['--serve', folder]);
  const [{ port, pages }] = (await once(server, 'message')) as [{ port: number; pages: number }];
  const origin = `http://127.0.0.1:${port}`;
  const numbers = [...Array(pages).keys()];
  return {
    seeds: Array.from({ length: TIMES_OVER }, (_, time) => numbers.map((at) => `${origin}/${time}/${at}`)).flat(),
    settings: { scope: 'host' },
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
}

async function serve(folder: string): Promise<void> {
  const files = readdirSync(folder).filter((name) => /\.html(?:\.gz)?$/.test(name));
  const bodies = files.map((name) => {
    const bytes = readFileSync(join(folder, name));
    return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  });
  const server = createServer((request, response) => {
    const [, time, at] = /^\/(\d+)\/(\d+)$/.exec(request.url ?? '') ?? [];
    if (at === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.write(bodies[Number(at)]);
    response.end(`<p>${`${time} seen so many times `.repeat(Number(time))}</p>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.({ port: (server.address() as AddressInfo).port, pages: bodies.length });
}

async function cpuPerPage(open: () => Promise<Site>, settings: Partial<Settings>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-cost-'));
  try {
    await using site = await open();
    await using crawl = await createCrawl({
      ...{ folder, seeds: [...site.seeds], allowPrivate: true, delay: 0, sitemaps: 'off', workers: 0 },
      ...site.settings,
      ...settings,
    });
    const { cpuSeconds, pages } = await crawl.run();
    return (cpuSeconds * 1000) / pages;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1];

const given = process.argv.slice(2);
if (given[0] === '--serve') await serve(given[1]);
else await measure();

async function measure(): Promise<void> {
  const rounds = Number(given.find((word) => /^\d+$/.test(word)) ?? 3);
  const pagesAt = given.indexOf('--pages');
  const open = pagesAt === -1 ? syntheticSite : () => siteOfFolder(given[pagesAt + 1]);
  const variants: readonly (readonly [string, Partial<Settings>])[] = [
    ['everything', {}],
    ['nothing', NONE],
    ...(given.includes('--parts') ? Object.entries(PARTS) : []).map(([name, off]) => [`without ${name}`, off] as const),
  ];
  await cpuPerPage(open, {});
  if (given.includes('--profile')) {
    // Crawls differ by more than what is looked for; a share within one crawl does not.
    const { all, parts } = await classifierShare(() => cpuPerPage(open, {}));
    for (const [name, share] of parts) console.log(`${name.padEnd(32)} ${(100 * share).toFixed(1)} %`);
    console.log(`all of it is ${(100 * all).toFixed(1)} % of the crawl's CPU, by a profile of it`);
    process.exit();
  }
  const measured = new Map<string, number[]>(variants.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, settings] of variants) measured.get(name)?.push(await cpuPerPage(open, settings));
  for (const [name, values] of measured) {
    const written = [...values].sort((a, b) => a - b).map((value) => value.toFixed(2));
    console.log(`${name.padEnd(24)} ${median(values).toFixed(2)} ms of CPU per page (${written.join(' ')})`);
  }
  // Whatever else the machine does only adds to a round: the least of many is nearest to what the work itself takes.
  for (const [how, pick] of [
    ['medians', median],
    ['least of the rounds', (values: readonly number[]) => Math.min(...values)],
  ] as const) {
    const all = pick(measured.get('everything') ?? []);
    const none = pick(measured.get('nothing') ?? []);
    const share = `${(100 * (1 - none / all)).toFixed(1)} % of the crawl (${(100 * (all / none - 1)).toFixed(1)} % on top)`;
    console.log(`all of it is ${share}, by the ${how}`);
  }
}
