import type { ChangeFrequency } from '../../contracts/content/page.ts';

export interface SitemapImage {
  readonly url: string;
  readonly caption?: string;
  readonly title?: string;
}

export interface SitemapVideo {
  readonly thumbnail?: string;
  readonly title?: string;
  readonly description?: string;
  /** The media file. */
  readonly content?: string;
  /** A page that plays it. */
  readonly player?: string;
  /** ms since the epoch. */
  readonly published?: number;
}

export interface SitemapNews {
  readonly publication?: string;
  readonly language?: string;
  readonly title?: string;
  /** ms since the epoch. */
  readonly published?: number;
}

/** One page of a sitemap. */
export interface SitemapEntry {
  /** Absolute, without its fragment; not yet canonical. */
  readonly url: string;
  /** ms since the epoch; absent where nothing or nothing readable is said. */
  readonly lastModified?: number;
  readonly changeFrequency?: ChangeFrequency;
  /** 0 to 1; absent where nothing readable is said (the protocol then means 0.5). */
  readonly priority?: number;
  /** The same page in other languages. */
  readonly alternates?: readonly { readonly hreflang: string; readonly url: string }[];
  readonly images?: readonly SitemapImage[];
  readonly videos?: readonly SitemapVideo[];
  readonly news?: SitemapNews;
}

/** One sitemap named in an index. */
export interface SitemapReference {
  readonly url: string;
  readonly lastModified?: number;
}

export type SitemapFormat = 'xml' | 'index' | 'text' | 'rss' | 'atom';

/** What became of a sitemap. Nothing that its bytes do can throw. */
export type SitemapOutcome =
  | {
      readonly kind: 'read';
      readonly format: SitemapFormat;
      /** Entries and sitemaps handed out. */
      readonly entries: number;
      readonly sitemaps: number;
      /** Entries left out, by reason. */
      readonly skipped: SitemapSkips;
      /** Bytes read, decompressed. */
      readonly bytes: number;
      readonly wellFormed: boolean;
      /** The first rule of XML that was broken, or what ended the compressed data early. */
      readonly fault?: string;
      /** References to entities of a DTD. They are never expanded. */
      readonly unexpandedEntities: number;
      /** Not everything was read or handed out, and which limit it was. */
      readonly cut?: 'bytes' | 'entries';
    }
  | {
      readonly kind: 'unreadable';
      readonly why: 'empty' | 'unknown-format' | 'wrong-namespace' | 'broken';
      readonly detail: string;
      /** Bytes taken in before that was clear. */
      readonly bytes: number;
    };

export interface SitemapSkips {
  /** Not an http(s) address, or none at all. */
  readonly invalid: number;
  /** Outside of the folder of the sitemap. */
  readonly location: number;
  /** Past the limit of entries. */
  readonly limit: number;
}
