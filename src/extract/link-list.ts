import type { Link, LinkKind } from '../contracts/page.ts';
import type { AnchorLink } from './anchor-text.ts';

/**
 * The links of a page in document order. They stay as written until the end of the page, because a `<base>` counts for the
 * links before it too.
 */
export class LinkList {
  readonly #links: AnchorLink[] = [];

  add(kind: LinkKind, reference: string, rel: string, attributes: LinkAttributes = NONE): AnchorLink {
    const link: AnchorLink = {
      url: reference,
      kind,
      text: attributes.text ?? '',
      rel,
      nofollow: hasToken(rel, 'nofollow'),
      ugc: hasToken(rel, 'ugc'),
      sponsored: hasToken(rel, 'sponsored'),
      hreflang: attributes.hreflang,
      title: attributes.title,
      type: attributes.type,
    };
    this.#links.push(link);
    return link;
  }

  /** Makes every link absolute; leaves out, and counts, those that lead to no document. */
  resolve(resolve: (reference: string) => string | undefined): { links: Link[]; skipped: number } {
    const links: Link[] = [];
    for (const link of this.#links) {
      const url = documentUrl(link.url, resolve);
      if (url === undefined) continue;
      link.url = url;
      links.push(link);
    }
    return { links, skipped: this.#links.length - links.length };
  }
}

export interface LinkAttributes {
  readonly text?: string;
  readonly hreflang?: string;
  readonly title?: string;
  readonly type?: string;
}

const NONE: LinkAttributes = {};

/** The absolute URL of something that can be fetched; undefined for `javascript:`, `mailto:` and their like. */
export function documentUrl(reference: string, resolve: (reference: string) => string | undefined): string | undefined {
  if (hasOtherScheme(reference)) return undefined;
  const url = resolve(reference);
  return url === undefined || hasOtherScheme(url) ? undefined : url;
}

/** Whether a scheme is there and names no documents. */
function hasOtherScheme(reference: string): boolean {
  if (reference.startsWith('https://') || reference.startsWith('http://')) return false;
  for (let at = 0; at < reference.length; at++) {
    const code = reference.charCodeAt(at);
    if (code === 0x3a) return at > 0 && !DOCUMENT_SCHEMES.has(reference.slice(0, at).toLowerCase());
    const letter = code | 0x20;
    const partOfScheme =
      (letter >= 0x61 && letter <= 0x7a) ||
      (at > 0 && ((code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e));
    if (!partOfScheme) return false;
  }
  return false;
}

const DOCUMENT_SCHEMES = new Set(['http', 'https', 'ftp', 'file']);

/** Whether a list of tokens in lower case, separated by single blanks, holds this one. */
export function hasToken(tokens: string, token: string): boolean {
  for (let at = tokens.indexOf(token); at !== -1; at = tokens.indexOf(token, at + 1)) {
    const end = at + token.length;
    if ((at === 0 || tokens[at - 1] === ' ') && (end === tokens.length || tokens[end] === ' ')) return true;
  }
  return false;
}
