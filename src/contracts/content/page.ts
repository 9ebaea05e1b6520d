export type { RobotsDirectives as PageDirectives } from '../../base/robots-directives.ts';

export type LinkKind =
  | 'a'
  | 'area'
  | 'frame'
  | 'iframe'
  | 'link'
  | 'refresh'
  | 'form'
  | 'img'
  | 'script'
  | 'style'
  | 'media'
  | 'object'
  /** Listed in a sitemap, or an item of a feed. */
  | 'sitemap'
  | 'feed';

export type ChangeFrequency = 'always' | 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly' | 'never';

/** What a sitemap or a feed says of a page that it lists. */
export interface ListEntry {
  /** When the page was last changed, ms since the epoch. */
  readonly modified?: number;
  readonly changeFrequency?: ChangeFrequency;
  /** 0 to 1. */
  readonly priority?: number;
  /** Of an item of a feed: tells the item, as it is now, from others and from what it was; its date aside. 32 bits. */
  readonly mark?: number;
}

/** A link as found; `url` is absolute but not yet canonical. */
export interface Link {
  readonly url: string;
  readonly kind: LinkKind;
  /** Anchor text with collapsed white space, image alt texts included. */
  readonly text: string;
  /** rel tokens, lower-case, as one string. */
  readonly rel: string;
  readonly nofollow: boolean;
  readonly ugc: boolean;
  readonly sponsored: boolean;
  readonly hreflang?: string;
  readonly title?: string;
  /** type attribute (feeds, style sheets). */
  readonly type?: string;
  /** Where a sitemap or a feed lists the page. */
  readonly entry?: ListEntry;
}

/** What one pass over a document yields. Pure data. */
export interface Page {
  /** The base against which links were resolved. */
  readonly base: string;
  readonly title: string;
  readonly lang?: string;
  readonly description?: string;
  readonly canonical?: string;
  readonly refresh?: { readonly seconds: number; readonly url: string };
  readonly alternates: readonly { readonly hreflang: string; readonly url: string }[];
  /** content of each META robots-like tag: [agent name, content]. */
  readonly metaRobots: readonly (readonly [string, string])[];
  readonly links: readonly Link[];
  /** The visible text, white space collapsed per block, blocks separated by line feeds. */
  readonly text: string;
}
