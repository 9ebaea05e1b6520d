import type { AnchorLinks, IndexFields } from '../contracts/content/index-fields.ts';
import type { Link, LinkKind } from '../contracts/content/page.ts';
import type { OutLink } from '../contracts/state/link-store.ts';
import type { ExtractedPage } from './extract-page.ts';

/** Links that a reader can take; forms, feeds and parts of the page speak for nobody. */
const SPEAKING: ReadonlySet<LinkKind> = new Set(['a', 'area', 'frame', 'refresh']);

export const NO_FIELDS: Omit<IndexFields, 'mediaType'> = {
  ...{ title: '', headings: '', description: '', language: '' },
  links: { urls: '', texts: '', targets: new Uint32Array(0) },
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
    links: packAnchors(page.links.filter((link) => speaks(link, url))),
  };
}

function speaks({ kind, url }: Link, own: string): boolean {
  return SPEAKING.has(kind) && url !== own;
}

type AnchorLink = OutLink & Partial<Pick<Link, 'ugc' | 'sponsored'>>;

export function packAnchors(links: readonly AnchorLink[]): AnchorLinks {
  const places = new Map<string, number>();
  const urls: string[] = [];
  const texts: string[] = [];
  const targets = new Uint32Array(links.length);
  for (let at = 0; at < links.length; at++) {
    const { url, text, nofollow, ugc, sponsored } = links[at];
    let place = places.get(url);
    if (place === undefined) {
      place = urls.push(url) - 1;
      places.set(url, place);
    }
    targets[at] = 2 * place + (nofollow || ugc === true || sponsored === true ? 1 : 0);
    texts.push(text);
  }
  return { urls: urls.join('\n'), texts: texts.join('\n'), targets };
}

export function unpackAnchors({ urls, texts, targets }: AnchorLinks): OutLink[] {
  if (targets.length === 0) return [];
  const known = urls.split('\n');
  const lines = texts.split('\n');
  const links: OutLink[] = [];
  for (let at = 0; at < targets.length; at++)
    links.push({ url: known[targets[at] >>> 1], text: lines[at], nofollow: (targets[at] & 1) !== 0 });
  return links;
}
