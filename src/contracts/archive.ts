import type { ArchiveLocation } from './archive-location.ts';
import type { FetchResult } from './fetcher.ts';
import type { CanonicalUrl } from './url.ts';

export type { ArchiveLocation } from './archive-location.ts';

export interface ArchiveEntry {
  readonly url: CanonicalUrl;
  readonly result: Extract<FetchResult, { kind: 'response' }>;
  /** Base32 SHA-1 of the body without content coding. */
  readonly payloadDigest: string;
  /** Base32 SHA-1 of the body as received, content coding kept; computed where it is not given. */
  readonly rawDigest?: string;
  readonly mediaType: string;
  /** Set when the same payload is held already: a revisit record is written instead of the body. */
  readonly revisitOf?: {
    readonly url: string;
    /** When that visit's request was sent (`exchange.startedAt`): the date of its record. */
    readonly date: number;
    /**
     * Base32 SHA-1 of that payload with its content coding, where known. When this visit's differs (the same text in
     * another coding) the whole response is written after all.
     */
    readonly payloadDigest?: string;
  };
  /** 'not-modified': a 304; the profile of the revisit record differs. */
  readonly profile?: 'identical-payload-digest' | 'server-not-modified';
  /** Lines of the metadata record, e.g. via, hopsFromSeed, fetchTimeMs. */
  readonly metadata: Readonly<Record<string, string | number>>;
}

export interface ArchivedDocument {
  readonly url: string;
  readonly date: number;
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly statusLine: string;
  /** As received: content coding kept. */
  readonly raw: Uint8Array;
  /** Content coding undone. */
  readonly body: Uint8Array;
  readonly location: { readonly file: string; readonly offset: number; readonly length: number };
}

export interface Archive {
  /** Durable when it resolves. Puts of one archive resolve in the order in which they lie in the file. */
  put(entry: ArchiveEntry): Promise<ArchiveLocation>;
  /** The copy nearest to `at` (the newest when absent); revisits are resolved to the body they refer to. */
  get(url: CanonicalUrl, at?: number): Promise<ArchivedDocument | undefined>;
  /** Every response in write order. */
  scan(from?: { file: string; offset: number }): AsyncIterable<ArchivedDocument>;
  close(): Promise<void>;
}
