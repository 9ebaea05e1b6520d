/**
 * The site report of a million URLs: what making it takes, and how long each view, sort, filter and page takes to be answered.
 * Run: npx node bench/site-report.ts [urls] [--keep FOLDER] [--rounds N]
 * With --keep the report is made in the folder, or read from there where one is.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fingerprint } from '../src/base/fingerprint.ts';
import type { Outcome } from '../src/contracts/outcome.ts';
import type { TableFilter } from '../src/contracts/site-report.ts';
import type { KnownUrl } from '../src/contracts/state/known-url.ts';
import type { InLinkCount } from '../src/contracts/state/link-store.ts';
import type { CanonicalUrl, HostKey } from '../src/contracts/url.ts';
import { buildReport } from '../src/crawl/report/site/build-report.ts';
import { REPORT_COLUMNS } from '../src/crawl/report/site/report-columns.ts';
import { readFilter } from '../src/crawl/report/site/report-filter.ts';
import { REPORT_VIEWS } from '../src/crawl/report/site/report-views.ts';
import { readQuery, SiteReport } from '../src/crawl/report/site/site-report.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' }, rounds: { type: 'string', default: '15' } },
});
const URLS = Number(positionals[0] ?? 1_000_000);
const ROUNDS = Number(flags.rounds);
const ON_A_PAGE = 100;
const NOW = Date.UTC(2026, 10, 17);
const WORDS =
  'river stone harbour meadow lantern valley glacier violin copper saffron forest garden elder acorn tunnel quarry ribbon feather umbrella olive'.split(
    ' ',
  );
const LANGUAGES = ['en', 'en', 'en', 'de', 'fr', 'es', 'ja', 'pt'];
const TYPES = ['text/html', 'text/html', 'text/html', 'text/html', 'application/pdf', 'image/png', 'text/plain'];

/** The same for each number, and far from it. */
function mixed(n: number, salt: number): number {
  let x = Math.imul(n + salt * 0x9e3779b1, 0x85ebca6b) >>> 0;
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35) >>> 0;
  return (x ^ (x >>> 16)) >>> 0;
}

function words(n: number, salt: number, count: number): string {
  return Array.from({ length: count }, (_, at) => WORDS[mixed(n, salt + at) % WORDS.length]).join(' ');
}

function urlOf(n: number): CanonicalUrl {
  const host = `www.site-${mixed(n, 1) % 2000}.example`;
  return `https://${host}/${WORDS[mixed(n, 2) % 20]}/${WORDS[mixed(n, 3) % 20]}-${WORDS[mixed(n, 4) % 20]}/page-${n}.html` as CanonicalUrl;
}

function outcomeOf(n: number): Outcome | undefined {
  const drawn = mixed(n, 5) % 100;
  if (drawn < 70) return { kind: 'stored' };
  if (drawn < 76) return { kind: 'duplicate', of: urlOf(mixed(n, 6) % URLS) };
  if (drawn < 82) return { kind: 'redirected', to: urlOf(mixed(n, 7) % URLS) };
  if (drawn < 86) return { kind: 'gone', status: drawn === 82 ? 410 : 404 };
  if (drawn < 88) return { kind: 'failed', code: drawn === 86 ? 'http-503' : 'connection-refused' };
  if (drawn < 91) return { kind: 'refused', by: 'robots', rule: 'Disallow: /private/ (line 3)' };
  return undefined;
}

function* urls(): Generator<KnownUrl> {
  for (let n = 0; n < URLS; n++) {
    const url = urlOf(n);
    const outcome = outcomeOf(n);
    const found = { url, host: new URL(url).host as HostKey, depth: mixed(n, 8) % 9, foundAt: NOW - n * 900 };
    const known = { ...found, foundBy: mixed(n, 9) % 20 === 0 ? ('sitemap' as const) : ('link' as const) };
    if (outcome === undefined) {
      yield { ...known, state: 'waiting' };
      continue;
    }
    const holds = outcome.kind === 'stored' || outcome.kind === 'duplicate';
    const status = holds
      ? 200
      : outcome.kind === 'redirected'
        ? 301
        : outcome.kind === 'gone'
          ? outcome.status
          : undefined;
    const about = {
      ...{ textLength: 4000, words: mixed(n, 10) % 3000, language: LANGUAGES[mixed(n, 11) % LANGUAGES.length] },
      ...(mixed(n, 12) % 5 === 0 ? {} : { description: `${words(n, 20, 14)} ${mixed(n, 13) % 50_000}` }),
      modified: NOW - (mixed(n, 14) % 100_000) * 60_000,
    };
    yield {
      ...{ ...known, state: 'visited', outcome, visitedAt: NOW - n * 500 },
      ...(status === undefined ? {} : { status }),
      ...(status === undefined
        ? {}
        : {
            facts: {
              ...{
                status,
                mediaType: TYPES[mixed(n, 15) % TYPES.length],
                bytes: mixed(n, 16) % 300_000,
                directives: [],
              },
              ...{ noindex: mixed(n, 17) % 40 === 0, linkCount: mixed(n, 18) % 120, fetchMs: mixed(n, 19) % 1300 },
              ...{
                requestedAt: NOW,
                ...(holds ? { canonical: mixed(n, 30) % 10 === 0 ? urlOf(mixed(n, 31) % URLS) : url } : {}),
              },
              ...(holds && mixed(n, 32) % 50 !== 0 ? { title: `${words(n, 33, 4)} ${mixed(n, 34) % 700_000}` } : {}),
              ...(holds ? { about } : {}),
            },
          }),
    };
  }
}

function* inLinks(): Generator<InLinkCount> {
  for (let n = 0; n < URLS; n++) {
    const key = fingerprint(urlOf(n));
    // Few pages have most of the links.
    const links = mixed(n, 40) % 30 === 0 ? 0 : Math.floor(1e6 / (1 + (mixed(n, 41) % 200_000)));
    yield { hi: Number(key >> 32n), lo: Number(key & 0xffffffffn), links, fromOthers: links };
  }
}

function quantile(times: readonly number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))];
}

const folder = flags.keep ?? mkdtempSync(join(tmpdir(), 'orbweaver-bench-report-'));
const path = join(folder, 'report.db');
if (SiteReport.open(path) === undefined) {
  const begun = performance.now();
  const cpu = process.cpuUsage();
  const { tookMs } = buildReport({ path, urls: urls(), inLinks, signature: 'bench', now: () => Date.now() });
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    `made: ${URLS.toLocaleString('en')} URLs in ${((performance.now() - begun) / 1000).toFixed(1)} s (${tookMs} ms by its own account), ` +
      `${((user + system) / URLS).toFixed(1)} us of CPU a URL, these made up included; ` +
      `${(statSync(path).size / URLS).toFixed(0)} bytes a URL; ${Math.round(process.resourceUsage().maxRSS / 1024)} MB at most`,
  );
}

using report = SiteReport.open(path)!;
const all: number[] = [];
const allCpu: number[] = [];

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The first page, the second, and one in the middle: each as a reader asks for it. */
async function measure(name: string, view: string, filters: readonly TableFilter[], sort?: string): Promise<void> {
  const query = readQuery({ view, filters, ...(sort === undefined ? {} : { sort }) });
  const times: number[] = [];
  const cpu: number[] = [];
  let total = 0;
  let after: string | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const [begun, used] = [performance.now(), cpuMs()];
    const page = await report.page(query, { limit: ON_A_PAGE, ...(after === undefined ? {} : { after }) });
    times.push(performance.now() - begun);
    cpu.push(cpuMs() - used);
    total = page.total;
    after = page.rows.length < ON_A_PAGE ? undefined : page.rows.at(-1)?.key;
  }
  all.push(...times);
  allCpu.push(...cpu);
  const cells = [times[0], quantile(times, 0.5), quantile(times, 0.95), quantile(cpu, 0.5), quantile(cpu, 0.95)];
  console.log(
    `${name.padEnd(44)} ${String(total).padStart(9)} ${cells.map((ms) => ms.toFixed(1).padStart(8)).join(' ')}`,
  );
}

console.log(
  `${''.padEnd(44)} ${'rows'.padStart(9)} ${['first', 'p50', 'p95', 'CPU p50', 'CPU p95'].map((head) => head.padStart(8)).join(' ')}  ms`,
);
for (const { name } of REPORT_VIEWS) await measure(`view ${name}`, name, []);
for (const { name, derived } of REPORT_COLUMNS) {
  if (derived === true) continue;
  await measure(`sort ${name}`, 'all', [], name);
  await measure(`sort -${name}`, 'visited', [], `-${name}`);
}
const FILTERS = [
  ...['status=404', 'status=4xx', 'status!=200', 'outcome=redirected', 'host=www.site-7.example', 'depth<=2'],
  ...['mediaType=image/png', 'language=ja', 'bytes>299k', 'inLinks=0', 'visitedAt>=2026-11-17', 'canonical=', 'title='],
  ...[
    'url~page-99',
    'url^=https://www.site-1',
    'title~saffron',
    'title~zzz',
    'description~harbour 123',
    'detail~private',
  ],
];
for (const text of FILTERS) {
  await measure(`filter ${text}`, 'all', [readFilter(text)]);
  // The rows that match come last in this order.
  await measure(`filter ${text} sort -title`, 'visited', [readFilter(text)], '-title');
}
await measure('three filters', 'pages', ['title~garden', 'language=de', 'bytes<50k'].map(readFilter), '-inLinks');
console.log(
  `all: p50 ${quantile(all, 0.5).toFixed(1)} ms, p95 ${quantile(all, 0.95).toFixed(1)} ms, max ${Math.max(...all).toFixed(1)} ms`,
);

console.log(
  `the same in CPU time: p50 ${quantile(allCpu, 0.5).toFixed(1)} ms, p95 ${quantile(allCpu, 0.95).toFixed(1)} ms`,
);

const begun = cpuMs();
let rows = 0;
for await (const _ of report.rows(readQuery({ view: 'all', filters: [], sort: '-bytes' })))
  if (++rows >= 100_000) break;
console.log(`rows of an export, sorted: ${Math.round((rows / (cpuMs() - begun)) * 1000)} a second of CPU`);
console.log(`memory: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB now`);
if (flags.keep === undefined) rmSync(folder, { recursive: true, force: true });
