import type { Link } from '../../contracts/content/page.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import type { UrlResolverFactory } from '../../extract/extract-options.ts';
import { hostKeyOf, originOf } from '../../url/host-key.ts';
import { createResolver } from '../../url/resolver.ts';
import type { UrlOptions } from '../../url/url-options.ts';
import type { DocumentLinks, PackedLinks } from '../workers/packed-links.ts';
import type { DocumentDescriber } from './document-describer.ts';
import { linksOfPage } from './document-links.ts';
import { DocumentReader, type DocumentReaderOptions, type ReadDocument } from './document-reader.ts';

/** A page that links to more hosts than this is a list of links; the first of them tell enough. */
const MOST_HOSTS = 100;

/** A document as read, with what is made of its links. */
export interface ReadPage {
  readonly html: ReadDocument;
  readonly links: DocumentLinks;
  /** All of them, also those to one and the same page. */
  readonly linkCount: number;
  /** Bytes at its end that were not read for links; absent where all were. */
  readonly unread?: number;
  /** The address that the page gives itself, in its markup or else in a Link field. */
  readonly canonical?: string;
  /** Other hosts that it vouches for. */
  readonly outHosts: readonly HostKey[];
}

/** A document, and what the reader is told. */
export interface PageOrder {
  readonly body: Uint8Array;
  readonly url: CanonicalUrl;
  readonly contentType: string | undefined;
  /** The Link fields of the answer. */
  readonly linkHeaders?: readonly string[];
  readonly wantsText: boolean;
  /** Not all of the document is here: what it says is read elsewhere. */
  readonly isPart?: boolean;
}

/** What a reader in another thread must know: `DocumentReaderOptions` but for what is no data. */
export type ReadingOptions = Omit<DocumentReaderOptions, 'resolver' | 'describer'> & {
  readonly urlOptions: UrlOptions;
};

/** The links are packed: the many objects that they are would cost the other thread as much as reading the page. */
export function readPage(reader: DocumentReader, order: PageOrder): ReadPage {
  const { body, url, contentType, wantsText, isPart, linkHeaders = [] } = order;
  const html = reader.read(body, url, contentType, { wantsText, isPart });
  const { page } = html;
  const ofHeader = linkHeaders.length === 0 ? [] : reader.linksOfHeaders(linkHeaders, url, page?.links.length ?? 0);
  const links = linksOfPage(page, ofHeader);
  const canonical = page?.canonical ?? ofHeader.find(({ rel }) => rel.split(' ').includes('canonical'))?.url;
  const named = canonical === undefined ? {} : { canonical };
  if (page === undefined) return { html, links, linkCount: 0, ...named, outHosts: [] };
  return { html, links, linkCount: page.links.length, ...named, outHosts: outHostsOf(page.links, links.links, url) };
}

/** The reader of a crawl, in whatever thread: links become canonical URLs by its settings. Beside a describer it reads for both. */
export function openReader(
  { urlOptions, ...options }: ReadingOptions,
  describer?: () => DocumentDescriber | undefined,
): DocumentReader {
  const { schemes = '' } = urlOptions;
  const further = schemes === '' ? {} : { schemes: new Set(schemes.replaceAll(':', '').split(' ')) };
  const beside = describer === undefined ? {} : { describer };
  return new DocumentReader({ ...options, ...further, ...beside, resolver: resolverOf(urlOptions) });
}

export function resolverOf(urlOptions: UrlOptions): UrlResolverFactory {
  let last: string | undefined;
  return (base) => {
    const urls = createResolver(base, urlOptions);
    const { folder } = urls;
    // The same string again is compared sooner.
    if (folder !== last) last = folder;
    return Object.assign((reference: string) => urls.resolve(reference), { folder: last });
  };
}

/** The other hosts that a page vouches for: links with rel=nofollow, ugc or sponsored vouch for nobody. */
function outHostsOf(links: readonly Link[], { urls }: PackedLinks, url: CanonicalUrl): HostKey[] {
  const own = `${originOf(url)}/`;
  if (allBegin(urls, own)) return [];
  const ownHost = hostKeyOf(url);
  const found = new Set<HostKey>();
  for (const link of links) {
    if (link.url.slice(0, own.length) === own || link.nofollow || link.ugc || link.sponsored || link.kind === 'form')
      continue;
    const host = hostKeyOf(link.url as CanonicalUrl);
    if (host !== ownHost && host !== '') found.add(host);
    if (found.size >= MOST_HOSTS) break;
  }
  return [...found];
}

/** Whether all lines begin like this: those of most pages do. */
function allBegin(lines: string, own: string): boolean {
  for (let at = 0; ; ) {
    // A slice is compared in a third of the time that startsWith takes.
    if (lines.slice(at, at + own.length) !== own) return false;
    const end = lines.indexOf('\n', at);
    if (end === -1) return true;
    at = end + 1;
  }
}
