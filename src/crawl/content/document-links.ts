import type { Link } from '../../contracts/content/page.ts';
import type { PageFacts } from '../../contracts/content/page-facts.ts';
import type { ExtractedPage } from '../../extract/extract-page.ts';
import { type DocumentLinks, NO_LINKS, packLinks, unpackLinks } from '../workers/packed-links.ts';
import type { ExtractedContent } from './extracted-content.ts';
import type { ListedLink } from './list-reader.ts';

/** Longer anchor texts are cut. */
const ANCHOR_LENGTH = 200;
/** Characters of all URLs of a document. */
const MAX_URL_CHARACTERS = 16 * 2 ** 20;

/** The links of the markup first: they have texts. */
export function linksOfPage(page: ExtractedPage | undefined, ofHeader: readonly Link[] = []): DocumentLinks {
  const omitted = page?.omittedLinks ?? 0;
  if (ofHeader.length > 0)
    return { links: packLinks([...(page?.links ?? []), ...ofHeader], ANCHOR_LENGTH), omitted, ofHeader };
  return { links: page === undefined ? NO_LINKS : packLinks(page.links, ANCHOR_LENGTH), omitted };
}

/** What of its links was left out, for the facts of the page. */
export function omissions(links: number, unread: number | undefined): Pick<PageFacts, 'omittedLinks' | 'unreadBytes'> {
  return {
    ...(links === 0 ? {} : { omittedLinks: links }),
    ...(unread === undefined ? {} : { unreadBytes: unread }),
  };
}

/** Links of a PDF, an Office file or a list are followed like those of a page. */
export function withLinksOf(
  extracted: Pick<ExtractedContent, 'links' | 'packedLinks'> | undefined,
  ofPage: DocumentLinks,
  resolve: (reference: string) => string | undefined,
  maxLinks: number,
): DocumentLinks {
  if (extracted === undefined) return ofPage;
  const { links: listed, packedLinks: packed } = extracted;
  if (packed === undefined && listed.length === 0) return ofPage;
  const { ofHeader = [] } = ofPage;
  if (packed === undefined) return packListed(listed, resolve, maxLinks, ofHeader);
  if (ofHeader.length === 0) return packed;
  const links = unpackLinks(packed.links, [...packed.links.fingerprints.keys()]);
  return { links: packLinks([...links, ...ofHeader], ANCHOR_LENGTH), omitted: packed.omitted };
}

/** Takes its time with tens of thousands: then it is done where they are read. */
export function packListed(
  listed: readonly ListedLink[],
  resolve: (reference: string) => string | undefined,
  maxLinks: number,
  ofHeader: readonly Link[] = [],
): DocumentLinks {
  const links: Link[] = [];
  let characters = 0;
  let read = 0;
  for (; read < listed.length && links.length < maxLinks; read++) {
    const { url: reference, text, kind, rel = '', entry } = listed[read];
    const url = resolve(reference);
    if (url === undefined) continue;
    characters += url.length;
    if (characters > MAX_URL_CHARACTERS) break;
    const anchor = text.replace(/\s+/g, ' ').trim();
    const link = { url, kind, text: anchor, rel, nofollow: false, ugc: false, sponsored: false };
    links.push(entry === undefined ? link : { ...link, entry });
  }
  return { links: packLinks([...links, ...ofHeader], ANCHOR_LENGTH), omitted: listed.length - read };
}
