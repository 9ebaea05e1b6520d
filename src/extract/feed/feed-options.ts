import type { XmlLimits } from '../xml/xml-limits.ts';

export interface FeedLimits {
  /** Bytes that are read; the rest is left out. */
  readonly maxBytes: number;
  readonly maxEntries: number;
  /** Elements and texts of the document together. */
  readonly maxNodes: number;
  readonly xml: XmlLimits;
}

export const defaultFeedLimits: FeedLimits = {
  maxBytes: 16_000_000,
  maxEntries: 10_000,
  maxNodes: 1_000_000,
  xml: { maxDepth: 128, maxText: 2_000_000, maxTag: 65_536 },
};

export interface FeedOptions {
  /** Where the feed was found; relative links refer to it. A Content-Location header goes before the request's URL. */
  readonly url?: string;
  /** The Content-Type header. */
  readonly contentType?: string;
  /** The Content-Language header; it counts where the feed itself names no language. */
  readonly contentLanguage?: string;
  readonly limits?: FeedLimits;
  /** Makes text of bytes in an encoding of the Encoding Standard; the platform's decoder where it is absent. */
  readonly decode?: (bytes: Uint8Array, encoding: string) => string;
  /** Asked for the encoding of bytes that name none and are not UTF-8; windows-1252 where it knows none either. */
  readonly guessEncoding?: (bytes: Uint8Array) => string | undefined;
}
