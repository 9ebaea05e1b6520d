/**
 * A mixed web on loopback, most of it plain and some of it built by scripts: what `--render auto` finds of what `--render always` finds, how
 * many pages it renders, what that costs, and what was asked for that nobody may ask for, by the servers' logs.
 *
 *   npx node bench/rendering.ts [--scale 4] [--tabs 2] [--modes auto,always,site] [--crawlee DIR] [--limit 900] [--patience 30s] [--browser PATH]
 *
 * `--scale` is how often each trick of scripts is there; the rest grows with it. `--crawlee DIR` crawls the same web with Crawlee as well: DIR is a
 * folder in which `npm install crawlee puppeteer` was run. `--limit` ends each crawl after so many seconds; `--patience` is the
 * `render-timeout`, for machines that are busy with other things. Linux, for it has 127.0.0.2.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CrawlReader } from '../src/crawl/report/crawl-reader.ts';
import { textTable } from '../src/laboratory/plots/text-table.ts';
import { findBrowser } from '../src/render/find-browser.ts';
import { ForbiddenAddress } from '../test/browser/reaching-pages.ts';
import { type LoggedRequest, ScriptedWeb } from '../test/browser/scripted-web.ts';
import { storedPages } from '../test/crawl/crawl-web.ts';
import type { CrawleeOrder, CrawleeResult } from './harness/crawl-with-crawlee.ts';
import { type MeasuredProgram, measureProgram } from './harness/measured-program.ts';

const GOALS = { found: 0.99, rendered: 0.25 };
const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '4' },
    tabs: { type: 'string', default: '2' },
    modes: { type: 'string', default: 'auto,always,site' },
    crawlee: { type: 'string' },
    limit: { type: 'string', default: '900' },
    browser: { type: 'string' },
    patience: { type: 'string', default: '30s' },
  },
});
const scale = Number(values.scale);
const limitMs = Number(values.limit) * 1000;
const browser = values.browser ?? findBrowser();
if (browser === undefined)
  throw new Error('No Chrome or Chromium on this machine: install one, or name it with --browser.');

/** What came of one crawl of the web. */
interface Outcome {
  readonly name: string;
  readonly program: MeasuredProgram;
  /** By host and path. */
  readonly found: ReadonlySet<string>;
  readonly rendered: number | undefined;
  readonly renderMs: number | undefined;
  /** Requests that pages wanted and did not get, by the crawl's own count. */
  readonly refused: number | undefined;
  readonly violations: Violations;
  readonly load: string;
}

interface Violations {
  readonly robots: number;
  readonly scope: number;
  readonly guard: number;
  readonly method: number;
}

const placeOf = (url: string): string => url.replace(/^https?:\/\//, '').replace(/:\d+/, '');

function violationsIn(log: readonly LoggedRequest[], connections: number, mayLoadOutside: boolean): Violations {
  const count = (is: (request: LoggedRequest) => boolean): number => log.filter(is).length;
  return {
    robots: count(({ path }) => path.startsWith('/private/')),
    // Scripts may load data and code from other hosts, which then are asked for their robots.txt; pages and frames never come from there.
    scope: count(
      ({ host, path }) => host === 'outside.test' && !(mayLoadOutside && /^\/(?:robots\.txt$|resource)/.test(path)),
    ),
    guard: connections + count(({ host }) => host === 'rebound.test' || /^[\d.]+$/.test(host)),
    method: count(({ method }) => method !== 'GET'),
  };
}

/** Runs one crawl over a fresh log. */
async function measure(
  name: string,
  web: ScriptedWeb,
  forbidden: ForbiddenAddress,
  command: readonly string[],
  read: (program: MeasuredProgram) => Promise<Pick<Outcome, 'found' | 'rendered' | 'renderMs' | 'refused'>>,
): Promise<Outcome> {
  web.requests.length = 0;
  forbidden.connections = 0;
  const before = loadavg()[0];
  const program = await measureProgram(command, limitMs);
  const load = `${before.toFixed(1)} to ${loadavg()[0].toFixed(1)}`;
  if (program.code !== 0) console.log(`${name}: ended with ${program.code} after ${program.seconds.toFixed(0)} s`);
  // Wrong settings, or a folder or disk that cannot be used: there is nothing to read.
  if ([2, 3, 4].includes(program.code ?? 0)) throw new Error(`${name} did not run.`);
  const violations = violationsIn(web.requests, forbidden.connections, name !== 'site');
  return { name, program, load, violations, ...(await read(program)) };
}

async function orbweaver(mode: string, web: ScriptedWeb, forbidden: ForbiddenAddress): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-rendering-'));
  const hosts = Object.entries(web.hosts).flatMap(([host, address]) => ['--hosts', `${host}=${address}`]);
  const seeds = mode === 'site' ? web.seeds.filter((seed) => seed.includes('reaching')) : web.seeds;
  const command = [
    ...[process.execPath, join(import.meta.dirname, '..', 'bin', 'orbweaver.cjs'), 'crawl', ...seeds],
    ...['--dir', folder, '--quiet', '--json', '--delay', '0', '--allow-hosts', '127.0.0.1', ...hosts],
    ...['--browser', browser as string, '--render-tabs', values.tabs, '--render-timeout', values.patience],
    ...(mode === 'site' ? ['--render', 'always', '--render-hosts', 'site'] : ['--render', mode]),
  ];
  try {
    return await measure(mode, web, forbidden, command, async () => {
      using reader = new CrawlReader(folder);
      const { rendering } = await reader.status(0);
      return {
        found: new Set(storedPages(folder).map(placeOf)),
        rendered: rendering?.rendered,
        renderMs: rendering === undefined ? undefined : rendering.ms / rendering.rendered,
        refused: rendering?.refusedRequests,
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function crawlee(folder: string, web: ScriptedWeb, forbidden: ForbiddenAddress): Promise<Outcome> {
  const order: CrawleeOrder = {
    ...{ seeds: web.seeds, hosts: web.hosts, browser: browser as string, concurrency: Number(values.tabs) },
  };
  const script = join(import.meta.dirname, 'harness', 'crawl-with-crawlee.ts');
  return await measure(
    'Crawlee',
    web,
    forbidden,
    [process.execPath, script, folder, JSON.stringify(order)],
    async ({ output }) => {
      const { version, urls } = JSON.parse(output.trim().split('\n').at(-1) || '{"urls":[]}') as CrawleeResult;
      console.log(`Crawlee ${version}`);
      const found = new Set(urls.map(placeOf));
      return { found, rendered: urls.length, renderMs: undefined, refused: undefined };
    },
  );
}

function print(outcomes: readonly Outcome[], truth: readonly string[]): void {
  const whole = new Set(truth);
  const rows = outcomes.map(({ name, program, found, rendered, renderMs, refused, violations, load }) => {
    const { seconds, cpuSeconds, browser: memory } = program;
    const known = [...found].filter((place) => whole.has(place)).length;
    const made = Object.values(violations).reduce((sum, count) => sum + count, 0);
    return [
      ...[name, found.size, name === 'site' ? undefined : percent(known / whole.size), rendered],
      ...[rendered === undefined ? undefined : percent(rendered / found.size), renderMs, seconds],
      ...[found.size / seconds, cpuSeconds, found.size / cpuSeconds],
      ...[memory.renderer.median, memory.renderer.most, memory.rendererRss.median, memory.whole.median],
      ...[memory.whole.most, refused, made, load],
    ];
  });
  const columns = [
    ...[
      'crawl',
      'pages',
      'of the web',
      'rendered',
      'of pages',
      'ms a rendering',
      's',
      'pages/s',
      'CPU s',
      'pages/CPU s',
    ],
    ...['MB a tab (PSS)', 'most', 'RSS', 'MB browser', 'most', 'refused', 'forbidden requests', 'load'],
  ];
  // One column for each crawl: there are more figures than crawls.
  const turned = columns.slice(1).map((column, at) => [column, ...rows.map((row) => row[at + 1])]);
  console.log(textTable({ columns: ['', ...rows.map(([name]) => String(name))], rows: turned }));
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

await using forbidden = await ForbiddenAddress.listen();
await using web = await ScriptedWeb.start({
  ...{ pages: 25 * scale, items: 5 * scale, copies: scale, plainHosts: 4, decoratedHosts: 2, articles: 10 * scale },
  reaching: { copies: 1, address: forbidden.address, port: forbidden.port },
});
const { truth } = web;
console.log(`${truth.length} pages on ${web.seeds.length} hosts, ${values.tabs} tabs, ${browser}`);
const outcomes: Outcome[] = [];
for (const mode of values.modes.split(',')) outcomes.push(await orbweaver(mode, web, forbidden));
if (values.crawlee !== undefined) outcomes.push(await crawlee(values.crawlee, web, forbidden));
print(outcomes, truth);

const named = new Map(outcomes.map((outcome) => [outcome.name, outcome]));
const [auto, always, peer] = ['auto', 'always', 'Crawlee'].map((name) => named.get(name));
const check = (what: string, found: string, isMet: boolean): void => {
  console.log(`- ${isMet ? 'met' : 'MISSED'}: ${what}: ${found}`);
  if (!isMet) process.exitCode = 1;
};
console.log(
  `CPU time was counted by ${outcomes[0].program.countedBy === 'group' ? 'a group of the kernel' : 'looking at processes'}.`,
);
const cutOff = outcomes.filter(({ program }) => program.code !== 0).map(({ name }) => name);
if (cutOff.length > 0) check('crawls came to their end', `cut off: ${cutOff.join(', ')}; no figure counts`, false);
if (auto !== undefined) {
  const { found, rendered = 0 } = auto;
  check('pages rendered by auto', `${rendered} of ${found.size}`, rendered <= GOALS.rendered * found.size);
  const missing = [...(always?.found ?? truth)].filter((place) => !found.has(place));
  const of = always?.found.size ?? truth.length;
  const share = 1 - missing.length / of;
  check(
    `pages of ${always === undefined ? 'the web' : 'always'} that auto found`,
    percent(share),
    share >= GOALS.found,
  );
  if (missing.length > 0) console.log(`  not found by auto: ${missing.slice(0, 20).join(' ')}`);
}
for (const { name, violations } of outcomes.filter(({ name }) => name !== 'Crawlee'))
  check(
    `forbidden requests of ${name}`,
    JSON.stringify(violations),
    Object.values(violations).every((count) => count === 0),
  );
for (const ours of peer === undefined ? [] : [auto, always]) {
  if (ours === undefined || peer === undefined) continue;
  const ratio = (of: (outcome: Outcome) => number): string => (of(ours) / of(peer)).toFixed(2);
  console.log(
    `- ${ours.name} to Crawlee: pages ${ratio(({ found }) => found.size)}, pages/s ${ratio(({ found, program }) => found.size / program.seconds)}, pages per CPU-second ${ratio(({ found, program }) => found.size / program.cpuSeconds)}, memory of a tab ${ratio(({ program }) => program.browser.renderer.median)}`,
  );
}
if (peer !== undefined) console.log(`- forbidden requests of Crawlee: ${JSON.stringify(peer.violations)}`);
