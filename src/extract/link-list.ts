import type { Link, LinkKind } from '../contracts/content/page.ts';
import type { AnchorLink } from './anchor-text.ts';
import type { Resolve } from './extract-options.ts';

/** Links of one page that are kept; as many as a sitemap may list. */
const DEFAULT_MAX_LINKS = 50_000;

/** Characters of all URLs of a page: a long `<base>` makes every short link long. */
const MAX_URL_CHARACTERS = 16 * 2 ** 20;

/**
 * The links of a page in document order, up to a limit; the rest are only counted. They stay as written until the end of the
 * page, because a `<base>` counts for the links before it too.
 */
export class LinkList {
  readonly #links: AnchorLink[] = [];
  /** What the tag of each link says, where documents have it in common. */
  readonly #common: (CommonLink | undefined)[] = [];
  readonly #max: number;
  #omitted = 0;

  constructor(max: number = DEFAULT_MAX_LINKS) {
    this.#max = max;
  }

  /** True, and the link is counted, where there is no room for it. */
  omit(): boolean {
    if (this.#links.length < this.#max) return false;
    this.#omitted++;
    return true;
  }

  /** Callers ask `omit` first. */
  add(
    kind: LinkKind,
    reference: string,
    rel: string,
    attributes: LinkAttributes = NONE,
    common?: CommonLink,
  ): AnchorLink {
    const link: AnchorLink = {
      url: reference,
      kind,
      text: attributes.text ?? '',
      rel,
      nofollow: rel !== '' && hasToken(rel, 'nofollow'),
      ugc: rel !== '' && hasToken(rel, 'ugc'),
      sponsored: rel !== '' && hasToken(rel, 'sponsored'),
      hreflang: attributes.hreflang,
      title: attributes.title,
      type: attributes.type,
    };
    this.#links.push(link);
    this.#common.push(common);
    return link;
  }

  /** Makes every link absolute; leaves out, and counts, those that lead to no document and those beyond the limits. */
  resolve(resolve: Resolve, further?: ReadonlySet<string>): ResolvedLinks {
    const { folder } = resolve;
    const links: Link[] = [];
    let characters = 0;
    for (let place = 0; place < this.#links.length; place++) {
      const link = this.#links[place];
      const common = folder === undefined ? undefined : this.#common[place];
      let url: string | undefined;
      if (common !== undefined && common.folder === folder) url = common.url;
      else {
        url = documentUrl(link.url, resolve, further);
        if (common !== undefined && isOfFolder(link.url)) {
          common.folder = folder;
          common.url = url;
        }
      }
      if (url === undefined) continue;
      characters += url.length;
      if (characters > MAX_URL_CHARACTERS) {
        const left = this.#links.length - place;
        return { links, skipped: place - links.length, omitted: this.#omitted + left };
      }
      link.url = url;
      links.push(link);
    }
    return { links, skipped: this.#links.length - links.length, omitted: this.#omitted };
  }
}

export interface ResolvedLinks {
  readonly links: Link[];
  /** Links that lead to no document. */
  readonly skipped: number;
  /** Links beyond the limits. */
  readonly omitted: number;
}

export interface LinkAttributes {
  readonly text?: string;
  readonly hreflang?: string;
  readonly title?: string;
  readonly type?: string;
}

const NONE: LinkAttributes = {};

/** A link that documents have in common, and where it led from the folder of the last one. */
export interface CommonLink {
  folder: string | undefined;
  url: string | undefined;
}

/** The absolute URL of something that can be fetched; undefined for `javascript:`, `mailto:` and their like. */
export function documentUrl(
  reference: string,
  resolve: (reference: string) => string | undefined,
  further: ReadonlySet<string> = NO_SCHEMES,
): string | undefined {
  if (hasOtherScheme(reference, further)) return undefined;
  const url = resolve(reference);
  return url === undefined || hasOtherScheme(url, further) ? undefined : url;
}

/** Whether it leads to the same place from all pages of a folder; see `Resolve`. */
function isOfFolder(reference: string): boolean {
  const first = reference.charCodeAt(0);
  return first > FRAGMENT && first !== QUERY;
}

/** Whether a scheme is there and names no documents. */
function hasOtherScheme(reference: string, further: ReadonlySet<string>): boolean {
  if (reference.charCodeAt(0) === LETTER_H && (reference.startsWith('http://') || reference.startsWith('https://')))
    return false;
  for (let at = 0; at < reference.length; at++) {
    const code = reference.charCodeAt(at);
    if (code === 0x3a) {
      const scheme = reference.slice(0, at).toLowerCase();
      return at > 0 && !DOCUMENT_SCHEMES.has(scheme) && !further.has(scheme);
    }
    const letter = code | 0x20;
    const partOfScheme =
      (letter >= 0x61 && letter <= 0x7a) ||
      (at > 0 && ((code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e));
    if (!partOfScheme) return false;
  }
  return false;
}

const FRAGMENT = 0x23;
const QUERY = 0x3f;
const LETTER_H = 0x68;
const DOCUMENT_SCHEMES = new Set(['http', 'https', 'ftp', 'file']);
const NO_SCHEMES: ReadonlySet<string> = new Set();

/** Whether a list of tokens in lower case, separated by single blanks, holds this one. */
export function hasToken(tokens: string, token: string): boolean {
  for (let at = tokens.indexOf(token); at !== -1; at = tokens.indexOf(token, at + 1)) {
    const end = at + token.length;
    if ((at === 0 || tokens[at - 1] === ' ') && (end === tokens.length || tokens[end] === ' ')) return true;
  }
  return false;
}
