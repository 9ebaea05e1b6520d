import type { Link } from '../contracts/page.ts';
import { type PackedLinks, packLinks } from './packed-links.ts';
import type { Understood } from './understood.ts';

/** Longer anchor texts are cut. */
export const ANCHOR_LENGTH = 200;

/** Links of a PDF, an Office file or a list are followed like those of a page. */
export function withLinksOf(
  understood: Pick<Understood, 'links'> | undefined,
  pageLinks: PackedLinks,
  resolve: (reference: string) => string | undefined,
): PackedLinks {
  if (understood === undefined || understood.links.length === 0) return pageLinks;
  const links = understood.links.flatMap(({ url: reference, text, kind, rel = '' }): Link[] => {
    const url = resolve(reference);
    if (url === undefined) return [];
    return [{ url, kind, text: text.replace(/\s+/g, ' ').trim(), rel, nofollow: false, ugc: false, sponsored: false }];
  });
  return packLinks(links, ANCHOR_LENGTH);
}
