import type { AnchorLinks, IndexFields } from '../contracts/content/index-fields.ts';
import type { Link, LinkKind } from '../contracts/content/page.ts';
import type { OutLink } from '../contracts/state/link-store.ts';
import type { ExtractedPage } from './extract-page.ts';

/** Links that a reader can take; forms, feeds and parts of the page speak for nobody. */
const SPEAKING: ReadonlySet<LinkKind> = new Set(['a', 'area', 'frame', 'refresh']);

export const NO_FIELDS: Omit<IndexFields, 'mediaType'> = {
  ...{ title: '', headings: '', description: '', language: '' },
  links: { urls: '', texts: '', nofollow: new Uint8Array(0) },
};

/** What a page that was read says to the index. The same whoever asks: the thread that fetched it, or who reads it from the archive. */
export function indexFields(
  page: ExtractedPage,
  { headings, url, mediaType }: { readonly headings: string; readonly url: string; readonly mediaType: string },
): IndexFields {
  return {
    mediaType,
    title: page.title,
    headings,
    description: page.description ?? '',
    language: page.lang ?? '',
    links: anchorLinks(page.links, url),
  };
}

function anchorLinks(links: readonly Link[], own: string): AnchorLinks {
  const speaking: OutLink[] = [];
  for (const link of links) if (speaks(link, own)) speaking.push(outLink(link));
  return packAnchors(speaking);
}

function speaks({ kind, url }: Link, own: string): boolean {
  return SPEAKING.has(kind) && url !== own;
}

function outLink({ url, text, nofollow, ugc, sponsored }: Link): OutLink {
  return { url, text, nofollow: nofollow || ugc || sponsored };
}

export function packAnchors(links: readonly OutLink[]): AnchorLinks {
  let urls = '';
  let texts = '';
  let end = '';
  const nofollow = new Uint8Array(links.length);
  for (let at = 0; at < links.length; at++) {
    const link = links[at];
    urls += end + link.url;
    texts += end + link.text;
    end = '\n';
    if (link.nofollow) nofollow[at] = 1;
  }
  return { urls, texts, nofollow };
}

export function unpackAnchors({ urls, texts, nofollow }: AnchorLinks): OutLink[] {
  if (nofollow.length === 0) return [];
  const lines = texts.split('\n');
  const links: OutLink[] = [];
  for (const url of urls.split('\n')) {
    const at = links.length;
    links.push({ url, text: lines[at], nofollow: nofollow[at] === 1 });
  }
  return links;
}
