/**
 * Finding the page that a site's own index names for a term, on the documentation of installed packages, and the page that
 * answers a query as people type it:
 * `npx node tools/score-known-items.ts [SITE ...] [--queries 50] [--without-index-pages] [--keep FOLDER] [--misses] [--json]`.
 *
 * Each site is crawled from a server on loopback with default settings and searched as the search page does. SQLite's FTS5
 * over the same titles and texts is there to compare with. Ends with 1 where a goal is missed.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fingerprint } from '../src/base/fingerprint.ts';
import { CrawlReader } from '../src/index.ts';
import { openSearcher } from '../src/search/open-searcher.ts';
import { crawlSite } from './score-known-items/crawl-site.ts';
import { FullTextTable } from './score-known-items/full-text-table.ts';
import { indexTerms } from './score-known-items/index-terms.ts';
import { INDEXED_SITES, type IndexedSite } from './score-known-items/indexed-sites.ts';
import { TYPED_QUERIES } from './score-known-items/typed-queries.ts';

const ROOT = '/usr/share';
const DEPTH = 20;
const GOALS = { first: 0.86, reciprocal: 0.91, typedInThree: 0.9 };

interface KnownItem {
  readonly query: string;
  readonly pages: readonly string[];
}

/** Where the page asked for stood, from 1; infinite where it is not among the first. */
interface Found {
  readonly site: string;
  readonly query: string;
  readonly pages: readonly string[];
  readonly ours: number;
  readonly table: number;
  readonly instead: string;
}

function knownItems(site: IndexedSite, tree: string, most: number): KnownItem[] {
  const terms = site.indexPages.flatMap((page) => indexTerms(readFileSync(join(tree, page), 'utf8'), page, site.form));
  return terms
    .filter(({ page }) => existsSync(join(tree, page)) && !site.isIndexPage.test(page))
    .map((item) => ({ ...item, key: fingerprint(`${site.name} ${item.term}`) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, most)
    .map(({ term, page }) => ({ query: term, pages: [page] }));
}

async function* storedPages(folder: string) {
  using reader = new CrawlReader(folder);
  for (const { url, outcome, title = '' } of reader.pages()) {
    if (outcome.kind !== 'stored') continue;
    yield { url, title, text: (await reader.textOf(await reader.get(url))) ?? '' };
  }
}

async function search(folder: string, origin: string, site: string, items: readonly KnownItem[]): Promise<Found[]> {
  const pages: { url: string; title: string; text: string }[] = [];
  for await (const page of storedPages(folder)) pages.push(page);
  using table = new FullTextTable(pages);
  await using searcher = await openSearcher(folder);
  const found: Found[] = [];
  for (const { query, pages } of items) {
    const wanted = new Set(pages.map((page) => new URL(page, origin).href));
    const place = (urls: readonly string[]): number => {
      const at = urls.findIndex((url) => wanted.has(url) || wanted.has(`${url}index.html`));
      return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
    };
    const { hits } = await searcher.search({ query, perPage: DEPTH });
    const urls = hits.map(({ id }) => id);
    const instead = urls[0]?.slice(origin.length) ?? 'nothing';
    found.push({ site, query, pages, ours: place(urls), table: place(table.search(query, DEPTH)), instead });
  }
  return found;
}

function figures(found: readonly Found[], by: 'ours' | 'table') {
  const share = (most: number): number => found.filter((item) => item[by] <= most).length / found.length;
  const reciprocal = found.reduce((sum, item) => sum + 1 / item[by], 0) / found.length;
  return { first: share(1), inThree: share(3), reciprocal };
}

function line(name: string, found: readonly Found[]): string {
  const of = (by: 'ours' | 'table'): string => {
    const { first, inThree, reciprocal } = figures(found, by);
    return [first, inThree, reciprocal].map((value) => value.toFixed(3)).join('  ');
  };
  return `${name.padEnd(12)} ${String(found.length).padStart(4)}   ${of('ours')}   ${of('table')}`;
}

/** The folder may be there for a package without the documentation. */
function hasPages(tree: string): boolean {
  return existsSync(tree) && readdirSync(tree).some((name) => /\.html?$/.test(name));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    queries: { type: 'string', default: '50' },
    'without-index-pages': { type: 'boolean', default: false },
    keep: { type: 'string' },
    misses: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const work = values.keep ?? mkdtempSync(join(tmpdir(), 'orbweaver-known-items-'));
try {
  const known: Found[] = [];
  const typed: Found[] = [];
  if (!values.json) console.log('site         queries  @1     @3     MRR     FTS5: @1  @3     MRR');
  for (const site of INDEXED_SITES) {
    if (positionals.length > 0 && !positionals.includes(site.name)) continue;
    const tree = join(ROOT, site.folder);
    if (!hasPages(tree)) {
      if (!values.json) console.log(`${site.name.padEnd(12)} passed over: install ${site.packageName}`);
      continue;
    }
    const without = values['without-index-pages'];
    const folder = join(work, without ? `${site.name}-without-index` : site.name);
    const origin = await crawlSite(tree, folder, (path) => without && site.isIndexPage.test(path));
    const found = await search(folder, origin, site.name, knownItems(site, tree, Number(values.queries)));
    const queries = TYPED_QUERIES.filter((query) => query.site === site.name);
    typed.push(...(await search(folder, origin, site.name, queries)));
    known.push(...found);
    if (!values.json && found.length > 0) console.log(line(site.name, found));
  }
  const all = figures(known, 'ours');
  const people = figures(typed, 'ours');
  if (values.json) console.log(JSON.stringify({ known, typed }));
  else {
    console.log(line('all', known));
    console.log(line('typed', typed));
    if (values.misses)
      for (const { site, query, pages, ours, table, instead } of [...known, ...typed])
        if (ours > 1) console.log(`${site}  ${ours} (${table})  "${query}"  ${pages.join(' ')}  instead ${instead}`);
  }
  const met = all.first >= GOALS.first && all.reciprocal >= GOALS.reciprocal && people.inThree >= GOALS.typedInThree;
  process.exitCode = met ? 0 : 1;
} finally {
  if (values.keep === undefined) rmSync(work, { recursive: true, force: true });
}
