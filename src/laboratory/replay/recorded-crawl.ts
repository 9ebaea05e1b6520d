import { existsSync } from 'node:fs';
import { openWarcArchive, type WarcArchive } from '../../archive/warc-archive.ts';
import type { Clock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { Link } from '../../contracts/content/page.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { archiveFolder } from '../../crawl/crawl-folder.ts';
import { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import { PageLinks } from '../../crawl/report/page-links.ts';
import { hasLinks, openLinkReader } from '../../engines/open-links.ts';
import { hasState } from '../../engines/state-folder.ts';
import { defaultUrlOptions } from '../../url/url-options.ts';
import type { ChangeRecord, RecordedPage } from './change-record.ts';
import { type RecordedGraph, RecordedGraphBuilder } from './recorded-graph.ts';

/** What comes after says little more of a page's topic. */
const TEXT_LENGTH = 8000;

export interface RecordedCrawl {
  /** The pages that were stored, and the links between them: no others can be fetched in a replay. */
  readonly graph: RecordedGraph;
  /** Pages that it began with, by number; none where its state is not there. */
  readonly seeds: readonly number[];
  /** A change is dated by the visit that found it. */
  readonly changes: ChangeRecord;
}

/** What a crawl has kept: links from its link store, else from the documents, which are also read for their texts. */
export async function readRecordedCrawl(folder: string, clock: Clock, withTexts: boolean): Promise<RecordedCrawl> {
  const indexed = hasLinks(folder);
  // Opened only where there is one: opening makes the folder, and who reads leaves nothing behind.
  const archive = existsSync(archiveFolder(folder))
    ? openWarcArchive({
        folder: archiveFolder(folder),
        ...{ writerId: 'reader', clock, software: '', userAgent: '', robots: '' },
      })
    : undefined;
  if (!indexed && (archive === undefined || (await archive.files()).length === 0)) {
    throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `${folder} holds no crawl: neither links nor an archive.`, {
      remedy:
        'Name the folder that orbweaver crawl was given as --dir, once it has stored pages; WARC files of others are given with --warc.',
    });
  }
  const graph =
    archive === undefined || (indexed && !withTexts)
      ? await graphOfStore(folder)
      : await graphOfArchive(archive, withTexts);
  if (graph.urls.length === 0) {
    throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `The crawl in ${folder} has not stored a page yet.`, {
      remedy: 'Let it run until it has, or name the folder of another crawl.',
    });
  }
  return { graph, seeds: seedsOf(folder, graph), changes: await changesOfArchive(archive, graph.urls) };
}

/** What a seed leads to by redirects counts as one. */
function seedsOf(folder: string, { urls }: RecordedGraph): readonly number[] {
  if (!hasState(folder)) return [];
  using reader = new CrawlReader(folder);
  const numbers = new Map(urls.map((url, page) => [url, page]));
  const seeds: number[] = [];
  for (const { url, depth } of reader.pages()) {
    const page = depth === 0 ? numbers.get(url) : undefined;
    if (page !== undefined) seeds.push(page);
  }
  return seeds.sort((a, b) => a - b);
}

async function graphOfStore(folder: string): Promise<RecordedGraph> {
  using store = openLinkReader(folder);
  const links = store.edges({ unvisited: false });
  const builder = new RecordedGraphBuilder();
  for await (const batch of links.batches()) {
    for (let at = 0; at < batch.length; at += 2) builder.add(batch[at], batch[at + 1]);
  }
  return builder.build(Array.from({ length: links.pages }, (_, page) => links.url(page) ?? `page ${page}`));
}

/** Reads every document, so it takes time in proportion to them. Of a page that was stored more than once the last counts. */
async function graphOfArchive(archive: WarcArchive, withTexts: boolean): Promise<RecordedGraph> {
  await using links = new PageLinks(defaultUrlOptions);
  const read = new Map<string, { readonly followed: readonly Link[]; readonly text: string }>();
  for await (const document of archive.scan()) {
    if (document.status !== 200 || new URL(document.url).pathname === '/robots.txt') continue;
    const followed = (await links.of(document)).filter(({ nofollow }) => !nofollow);
    const text = withTexts ? ((await archive.textAt(document.location)) ?? '').slice(0, TEXT_LENGTH) : '';
    read.set(document.url, { followed, text });
  }
  const urls = [...read.keys()];
  const numbers = new Map(urls.map((url, page) => [url, page]));
  const builder = new RecordedGraphBuilder();
  let page = 0;
  for (const { followed } of read.values()) {
    for (const { url, text } of followed) {
      const to = numbers.get(url);
      if (to !== undefined) builder.add(page, to, text);
    }
    page++;
  }
  const graph = builder.build(urls);
  return withTexts ? { ...graph, texts: Array.from(read.values(), ({ text }) => text) } : graph;
}

async function changesOfArchive(archive: WarcArchive | undefined, urls: readonly string[]): Promise<ChangeRecord> {
  const pages: RecordedPage[] = [];
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const url of urls) {
    const versions = (await archive?.versions(url as CanonicalUrl)) ?? [];
    if (versions.length === 0) continue;
    const changes: number[] = [];
    let before = versions[0].digest;
    for (const { date, digest } of versions) {
      if (digest !== undefined && before !== undefined && digest !== before) changes.push(date);
      before = digest ?? before;
    }
    const created = versions[0].date;
    pages.push({ url, created, changes });
    from = Math.min(from, created);
    to = Math.max(to, versions[versions.length - 1].date);
  }
  return { pages, from, to };
}
