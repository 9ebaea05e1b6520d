import type { SitemapEntry, SitemapReference } from './sitemap-entry.ts';

export interface SitemapLimits {
  /** Bytes after decompression; what comes after them is not read. */
  readonly maxBytes: number;
  /** Entries handed out; further ones are only counted. */
  readonly maxEntries: number;
  /** Characters of one address. */
  readonly maxUrlLength: number;
  /** Images, videos and alternates of one entry, each. */
  readonly maxExtensions: number;
}

/** The limits of the sitemaps protocol. */
export const defaultSitemapLimits: SitemapLimits = {
  maxBytes: 52_428_800,
  maxEntries: 50_000,
  maxUrlLength: 2_048,
  maxExtensions: 1_000,
};

export interface SitemapOptions {
  /** Where the sitemap was found: relative addresses, and the rule of locations. */
  readonly url: string;
  readonly contentType?: string;
  /** Only addresses below the folder of the sitemap count, as the protocol has it. Off: the caller judges them. */
  readonly strictLocation?: boolean;
  /** Only elements of the protocol's namespace count. Off: any namespace will do. */
  readonly strictNamespace?: boolean;
  /** A document that is not well-formed is refused. Off: what can be read of it counts. */
  readonly strictSyntax?: boolean;
  readonly limits?: SitemapLimits;
  /** Entries per batch. */
  readonly batchSize?: number;
  /** Called with entries in the order of the file; the array is the listener's. */
  readonly onEntries: (entries: SitemapEntry[]) => void;
  /** Called with the sitemaps an index names. */
  readonly onSitemaps: (sitemaps: SitemapReference[]) => void;
}
