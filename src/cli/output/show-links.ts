import { OrbweaverError } from '../../base/errors.ts';
import type { AnchorText } from '../../contracts/search-index.ts';
import type { InLink, LinkedPage, LinkReader } from '../../contracts/state/link-store.ts';
import { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import { type AskedCrawl, askedStore, openAskedCrawl } from '../arguments/asked-crawl.ts';
import { openAskedLinks } from '../arguments/asked-links.ts';
import { reportOfAsked } from '../arguments/asked-url.ts';
import { type RankPosition, rankLinks, rankPosition } from './ranked-links.ts';
import { writeText } from './write-text.ts';

interface LinkFlags {
  readonly out: boolean;
  readonly json: boolean;
  readonly limit: number;
}

interface LinksOfPage {
  readonly url: string;
  readonly pageRank?: RankPosition;
  readonly hostRank?: RankPosition;
  readonly anchors: readonly AnchorText[];
  readonly inLinks: readonly InLink[];
  /** There are more than the limit. */
  readonly more: boolean;
}

const ANCHORS_SHOWN = 10;

export async function showLinks(asked: string, crawl: AskedCrawl, { out, json, limit }: LinkFlags): Promise<void> {
  const { store: database } = await askedStore(crawl);
  // The folder of a node has links of its own.
  using reader = database === undefined ? new CrawlReader(crawl.dir) : await openAskedCrawl(crawl, 'urls');
  const { url } = await reportOfAsked(reader, asked);
  using opened = await openAskedLinks(crawl);
  const { links: store } = opened;
  if (out) {
    const page = store.outLinks(url);
    if (page === undefined) throw unknownPage(url);
    const shown = { ...page, links: page.links.slice(0, limit) };
    print(json, { ...shown, total: page.links.length }, outLines(shown, page.links.length));
    return;
  }
  const listed = await linksOf(store, url, limit);
  const found = { ...listed, inLinks: await reader.lastSeen(listed.inLinks) };
  print(json, found, inLines(found));
}

async function linksOf(store: LinkReader, url: string, limit: number): Promise<LinksOfPage> {
  const inLinks: InLink[] = [];
  for await (const link of store.inLinks(url, { limit: limit + 1 })) inLinks.push(link);
  const anchors = store.anchorsFor(url, ANCHORS_SHOWN);
  const { links, ranks, hostRanks } = await rankLinks(store);
  const node = links.find(url);
  if (node === undefined && inLinks.length === 0) throw unknownPage(url);
  const found = { url, anchors, inLinks: inLinks.slice(0, limit), more: inLinks.length > limit };
  if (node === undefined) return found;
  return { ...found, pageRank: rankPosition(ranks, node), hostRank: rankPosition(hostRanks, links.hostOf[node]) };
}

function inLines({ url, pageRank, hostRank, anchors, inLinks, more }: LinksOfPage): string[] {
  return [
    url,
    ...(pageRank === undefined ? [] : [`  PageRank     ${formatPosition(pageRank, 'pages')}`]),
    ...(hostRank === undefined ? [] : [`  host rank    ${formatPosition(hostRank, 'hosts')}`]),
    ...anchors.map(
      ({ text, weight }, at) => `  ${at === 0 ? 'called' : '      '} ${weight.toFixed(2).padStart(8)} ${text}`,
    ),
    inLinks.length === 0 ? '  No page that was indexed links here.' : '  linked from',
    ...inLinks.map(({ from, at, text, nofollow, sameHost }) => {
      const marks = [
        ...(sameHost ? ['same host'] : []),
        ...(nofollow ? ['nofollow'] : []),
        `seen ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}`,
      ];
      return `    ${from}${text === '' ? '' : `  "${text}"`}  (${marks.join(', ')})`;
    }),
    ...(more ? ['    and more (--limit)'] : []),
  ];
}

function outLines({ url, at, links }: LinkedPage, total: number): string[] {
  return [
    url,
    `  ${total} links when it was seen at ${new Date(at).toISOString()}`,
    ...links.map(
      ({ url, text, nofollow }) => `    ${url}${text === '' ? '' : `  "${text}"`}${nofollow ? '  (nofollow)' : ''}`,
    ),
    ...(total > links.length ? ['    and more (--limit)'] : []),
  ];
}

function formatPosition({ value, timesAverage, place, of }: RankPosition, what: string): string {
  return `${value.toPrecision(4)}, ${timesAverage.toFixed(1)} times the average, place ${place} of ${of} ${what}`;
}

function unknownPage(url: string): OrbweaverError {
  return new OrbweaverError('URL_NOT_FOUND', `No links from or to ${url} are known.`, {
    remedy: 'orbweaver explain tells whether the crawl has met it; links are known of pages that were indexed.',
  });
}

function print(json: boolean, data: unknown, lines: readonly string[]): void {
  // Anchor texts are strangers' words: they must not steer the terminal.
  const text = json ? JSON.stringify(data) : lines.map((line) => line.replace(/\p{Cc}+/gu, ' ')).join('\n');
  writeText(`${text}\n`);
}
