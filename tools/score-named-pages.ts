/**
 * Finding pages by the names that others give them, on a real tree of documentation:
 * `npx node tools/score-named-pages.ts [--tree FOLDER | --crawl FOLDER] [--queries 1000] [--json] [--verbose]`, where
 * --crawl names a crawl folder that is there already.
 * The tree (an HTML documentation package of the distribution) is served on loopback, crawled and indexed twice, with
 * anchor texts and without. Of the links to each page one is taken as the query and left out of the index: how far up is
 * the page then found? Ends with 1 where the mean reciprocal rank with anchors is below 1.5 times that of the body alone.
 */
import { spawn } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fingerprint } from '../src/base/fingerprint.ts';
import type { Field, QueryNode, SearchIndex } from '../src/contracts/search-index.ts';
import { LinkStore } from '../src/engines/links/link-store.ts';
import { createAnalyzer } from '../src/index/analysis/analyzer.ts';
import { openSegmentIndex } from '../src/index/segment-index.ts';
import { CrawlFolderReader } from '../src/search/follow/crawl-folder-reader.ts';
import { FollowedLinks } from '../src/search/follow/followed-links.ts';
import { isSearchable } from '../src/search/follow/indexed-page.ts';
import { linkRanks, type RankOf } from '../src/search/follow/link-ranks.ts';
import { PageAliases } from '../src/search/follow/page-aliases.ts';
import { PageReader } from '../src/search/follow/page-reading.ts';
import { VisitTaker, type VisitTakerParts } from '../src/search/follow/visit-taker.ts';

const BAR = 1.5;
const DEPTH = 100;
/** A text that leads to so many pages ("next", "examples") names none of them. */
const NAMES_NOTHING = 2;
const PACKAGES = '/usr/share/doc';
const KNOWN = ['python3.11/html', 'python3/html', 'postgresql-doc-15/html', 'git/html'];
const LAUNCHER = fileURLToPath(new URL('../bin/orbweaver.cjs', import.meta.url));

/** A link whose text is the query for its target. */
interface NamedLink {
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

function findTree(): string {
  const folders = [...KNOWN, ...readdirSync(PACKAGES).map((name) => `${name}/html`)];
  const found = folders.map((name) => join(PACKAGES, name)).find((folder) => existsSync(join(folder, 'index.html')));
  if (found !== undefined) return found;
  throw new Error(
    'There is no tree of HTML pages: install a package such as python3-doc, or name a folder with --tree.',
  );
}

async function serve(folder: string): Promise<AsyncDisposable & { readonly origin: string }> {
  const types: Record<string, string> = { html: 'text/html; charset=utf-8', txt: 'text/plain; charset=utf-8' };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const named = join(folder, normalize(path));
    const file = existsSync(named) && statSync(named).isDirectory() ? join(named, 'index.html') : named;
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.setHeader('Content-Type', types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

async function crawl(origin: string, folder: string): Promise<void> {
  const args = ['crawl', origin, '--dir', folder, '--scope', 'host', '--allow-private', '--delay', '0ms', '--quiet'];
  const child = spawn(process.execPath, [LAUNCHER, ...args, '--delay-factor', '0'], { stdio: 'ignore' });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`the crawl ended with ${code}`);
}

/** For each page one link, chosen by chance but the same in every run. */
async function chooseQueries(reader: CrawlFolderReader, most: number): Promise<NamedLink[]> {
  const targetsOf = new Map<string, Set<string>>();
  const linksTo = new Map<string, NamedLink[]>();
  const pageReader = new PageReader(reader.urlOptions);
  const stored = new Set<string>();
  for (const url of reader.visitedUrls()) {
    const page = await reader.page(url);
    if (page?.facts?.location === undefined || !isSearchable(page)) continue;
    stored.add(url);
    const document = await reader.readAt(page.facts.location);
    for (const { url: to, text, kind } of document === undefined ? [] : pageReader.read(document).links) {
      if (kind !== 'a' || to === url || !/\p{L}{2}/u.test(text)) continue;
      const folded = text.toLowerCase();
      targetsOf.set(folded, (targetsOf.get(folded) ?? new Set()).add(to));
      const others = linksTo.get(to);
      if (others === undefined) linksTo.set(to, [{ from: url, to, text }]);
      else others.push({ from: url, to, text });
    }
  }
  const chosen: NamedLink[] = [];
  for (const [to, links] of linksTo) {
    const naming = links.filter(({ text }) => targetsOf.get(text.toLowerCase())!.size < NAMES_NOTHING);
    if (stored.has(to) && naming.length > 0)
      chosen.push(least(naming, ({ from, text }) => fingerprint(`${from} ${text}`)));
  }
  return chosen.sort((a, b) => (fingerprint(a.to) < fingerprint(b.to) ? -1 : 1)).slice(0, most);
}

function least<T>(items: readonly T[], by: (item: T) => bigint): T {
  return items.reduce((best, item) => (by(item) < by(best) ? item : best));
}

/** The links without those that became queries. */
function withoutQueries(links: FollowedLinks, queries: readonly NamedLink[]): VisitTakerParts['links'] {
  const held = new Set(queries.map(({ from, to, text }) => JSON.stringify([from, to, text])));
  const isKept = (from: string, to: string, text: string): boolean => !held.has(JSON.stringify([from, to, text]));
  return {
    set(page, found, nofollow) {
      const kept = found.filter(({ url, text }) => isKept(page.url, url, text));
      links.set(page, kept, nofollow);
    },
    clear: (page) => links.clear(page),
    fold: (page, to) => links.fold(page, to),
    anchorsTo: (url) => links.anchorsTo(url),
  };
}

async function takeAll(reader: CrawlFolderReader, taker: VisitTaker, wanted: 'links' | 'documents'): Promise<void> {
  for (const { name, end } of reader.settledFiles())
    for await (const visit of reader.visits(name, 0, end)) await taker.take(visit, wanted);
}

/** For each query the place of the page asked for, from 1; infinite where it is not among the first. */
function placesOf(index: SearchIndex, queries: readonly NamedLink[], field?: Field): number[] {
  const analyzer = createAnalyzer();
  using snapshot = index.snapshot();
  return queries.map(({ text, to }) => {
    const nodes: QueryNode[] = analyzer
      .analyzeQuery(text, undefined)
      .filter(({ stop }) => !stop)
      .map(({ terms }) => ({ kind: 'term', terms, ...(field === undefined ? {} : { field }) }));
    if (nodes.length === 0) return Number.POSITIVE_INFINITY;
    const { top } = snapshot.top({ kind: 'or', nodes }, DEPTH);
    const place = top.findIndex(({ document }) => snapshot.document(document).id === to);
    return place < 0 ? Number.POSITIVE_INFINITY : place + 1;
  });
}

function meanReciprocal(places: readonly number[]): number {
  return places.reduce((sum, place) => sum + 1 / place, 0) / places.length;
}

async function crawled(tree: string, work: string): Promise<string> {
  const folder = join(work, 'crawl');
  await using server = await serve(tree);
  await crawl(server.origin, folder);
  return folder;
}

async function score(folder: string, work: string, most: number) {
  using reader = new CrawlFolderReader(folder);
  const queries = await chooseQueries(reader, most);
  const { analyze } = createAnalyzer();
  await using withAnchors = await openSegmentIndex({ folder: join(work, 'with'), analyze });
  await using without = await openSegmentIndex({ folder: join(work, 'without'), analyze });
  using store = new LinkStore(join(work, 'held-out'));
  const links = withoutQueries(new FollowedLinks(store, new PageAliases(reader.aliases())), queries);
  const both: VisitTakerParts['index'] = {
    add(document) {
      withAnchors.add(document);
      // What others say of a page is left out altogether: their words and their votes.
      without.add({ ...document, anchors: [], facts: { ...document.facts, rank: 0 } });
    },
    remove() {},
  };
  let ranks: RankOf = () => 0;
  const taker = new VisitTaker({ reader, index: both, links, rankOf: (url) => ranks(url) });
  await takeAll(reader, taker, 'links');
  await store.commit();
  ranks = await linkRanks(store);
  await takeAll(reader, taker, 'documents');
  await withAnchors.commit();
  await without.commit();
  using snapshot = withAnchors.snapshot();
  return {
    pages: snapshot.documents,
    queries,
    anchors: placesOf(withAnchors, queries),
    withoutAnchors: placesOf(without, queries),
    body: placesOf(without, queries, 'body'),
  };
}

const { values } = parseArgs({
  options: {
    tree: { type: 'string' },
    crawl: { type: 'string' },
    queries: { type: 'string', default: '1000' },
    json: { type: 'boolean' },
    verbose: { type: 'boolean' },
  },
});
const work = mkdtempSync(join(tmpdir(), 'orbweaver-named-pages-'));
try {
  const tree = values.crawl ?? values.tree ?? findTree();
  const found = await score(values.crawl ?? (await crawled(tree, work)), work, Number(values.queries));
  const [anchors, withoutAnchors, body] = [found.anchors, found.withoutAnchors, found.body].map(meanReciprocal);
  if (values.json)
    console.log(
      JSON.stringify({ tree, pages: found.pages, queries: found.queries.length, anchors, withoutAnchors, body }),
    );
  else {
    console.log(`${tree}: ${found.pages} pages, ${found.queries.length} queries`);
    console.log(`MRR with anchors     ${anchors.toFixed(3)}`);
    console.log(`MRR without anchors  ${withoutAnchors.toFixed(3)}  (title, headings, body, URL, description)`);
    console.log(`MRR body alone       ${body.toFixed(3)}`);
    console.log(`anchors / body       ${(anchors / body).toFixed(2)}, to be ${BAR} at least`);
  }
  if (values.verbose)
    for (const [at, { text, to }] of found.queries.entries())
      if (found.anchors[at] > 1) console.log(`${found.anchors[at]} ${found.body[at]}  ${text}  ${to}`);
  process.exitCode = anchors >= BAR * body ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
