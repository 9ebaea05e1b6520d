import type { FetchResult } from './fetcher.ts';
import type { CanonicalUrl } from './url.ts';

/** Where a record lies: one gzip member (or more) of a WARC file. */
export interface ArchiveLocation {
  readonly file: string;
  /** Of the response (or revisit) record. */
  readonly offset: number;
  readonly length: number;
  /** File lengths after this put (all records of the visit, index line included): what a restart keeps. */
  readonly fileEnd: number;
  readonly indexEnd: number;
}

export interface ArchiveEntry {
  readonly url: CanonicalUrl;
  readonly result: Extract<FetchResult, { kind: 'response' }>;
  /** Base32 SHA-1 of the body without content coding. */
  readonly payloadDigest: string;
  readonly mediaType: string;
  /** Set when the same payload is held already: a revisit record is written instead of the body. */
  readonly revisitOf?: { readonly url: string; readonly date: number };
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
