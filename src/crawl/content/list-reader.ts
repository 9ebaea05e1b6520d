import { setImmediate } from 'node:timers/promises';
import type { LinkKind, ListEntry } from '../../contracts/content/page.ts';
import { charsetOf, decode } from '../../convert/charset.ts';
import { readFeed } from '../../extract/feed/read-feed.ts';
import { readSitemap } from '../../extract/sitemap/read-sitemap.ts';
import { styleSheetUrls } from '../../extract/style-sheet-urls.ts';
import { feedItemOf } from '../revisits/feed-item.ts';
import type { DocumentLinks } from '../workers/packed-links.ts';

/** A link of a document that is not HTML, as written there. */
export interface ListedLink {
  readonly url: string;
  readonly text: string;
  readonly kind: Extract<LinkKind, 'a' | 'sitemap' | 'feed' | 'style' | 'object'>;
  /** 'sitemap' for a sitemap that an index names. */
  readonly rel?: string;
  readonly entry?: ListEntry;
}

/** What a sitemap or feed lists. */
export interface ReadList {
  readonly links: readonly ListedLink[];
  /** Absent: as many as there are links. */
  readonly count?: number;
  readonly packedLinks?: DocumentLinks;
  /** What it turned out to be, e.g. "sitemap (index)". */
  readonly what: string;
  readonly title?: string;
  /** As declared. */
  readonly language?: string;
  readonly unreadable?: string;
  readonly cut?: 'size' | 'text';
  /** Of a feed: who tells of its news, and the name under which. */
  readonly hubs?: readonly string[];
  readonly self?: string;
}

const PIECE = 256 * 1024;

/** The items of a feed, in its order; undefined where it is none after all. */
export function readFeedList(body: Uint8Array, url: string, contentType: string): ReadList | undefined {
  const outcome = readFeed(body, { url, contentType, guessEncoding: (bytes) => charsetOf(bytes, {}).encoding });
  if (outcome.kind === 'unreadable')
    return outcome.why === 'not-a-feed'
      ? undefined
      : { links: [], what: 'feed', unreadable: `${outcome.why}: ${outcome.detail}` };
  const { feed } = outcome;
  const links: ListedLink[] = [];
  for (const entry of feed.entries) {
    if (entry.link === undefined) continue;
    const { mark, date } = feedItemOf(entry);
    const said = { mark, ...(date === undefined ? {} : { modified: date }) };
    links.push({ url: entry.link, text: entry.title?.value ?? '', kind: 'feed', entry: said });
  }
  // Older pages of the same feed come in their turn: an endless feed must not keep out the rest of its host.
  if (feed.next !== undefined) links.push({ url: feed.next, text: 'next page of the feed', kind: 'a' });
  return {
    links,
    what: `feed (${feed.format})`,
    ...(feed.title === undefined ? {} : { title: feed.title.value }),
    ...(feed.language === undefined ? {} : { language: feed.language }),
    ...(feed.cut === undefined ? {} : { cut: 'size' }),
    ...(feed.hubs.length === 0 ? {} : { hubs: feed.hubs }),
    ...(feed.self === undefined ? {} : { self: feed.self }),
  };
}

/** What a style sheet names: other sheets, pictures and fonts. */
export function readStyleSheetList(body: Uint8Array, charset: string): ReadList {
  const named = styleSheetUrls(decode(body, charset)).filter(({ url }) => !url.startsWith('#'));
  const links = named.map(({ url, isImport }): ListedLink => ({ url, text: '', kind: isImport ? 'style' : 'object' }));
  return { links, what: 'style sheet' };
}

/** Reads a sitemap of any kind, compressed or not. Never rejects. */
export async function readSitemapList(body: Uint8Array, url: string, contentType: string): Promise<ReadList> {
  const links: ListedLink[] = [];
  const reading = readSitemap(pieces(body), { url, contentType });
  for (;;) {
    const { done, value } = await reading.next();
    if (!done) {
      for (const { url: page, lastModified: modified, changeFrequency, priority } of value.entries) {
        const entry = {
          ...(modified === undefined ? {} : { modified }),
          ...(changeFrequency === undefined ? {} : { changeFrequency }),
          ...(priority === undefined ? {} : { priority }),
        };
        const says = Object.keys(entry).length > 0 ? { entry } : {};
        links.push({ url: page, text: '', kind: 'sitemap', ...says });
      }
      for (const sitemap of value.sitemaps) links.push({ url: sitemap.url, text: '', kind: 'sitemap', rel: 'sitemap' });
      continue;
    }
    if (value.kind === 'unreadable') return { links, what: 'sitemap', unreadable: `${value.why}: ${value.detail}` };
    return { links, what: `sitemap (${value.format})`, ...(value.cut === undefined ? {} : { cut: 'size' }) };
  }
}

/** Requests that are due, signals and other pages come in between: a sitemap of 50 MB takes seconds. */
async function* pieces(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.byteLength; at += PIECE) {
    if (at > 0) await setImmediate();
    yield body.subarray(at, at + PIECE);
  }
}
