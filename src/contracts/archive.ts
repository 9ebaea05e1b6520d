import type { ArchiveLocation } from './archive-location.ts';
import type { FetchResult } from './fetcher.ts';
import type { CanonicalUrl } from './url.ts';

export type { ArchiveLocation } from './archive-location.ts';

export interface ArchiveEntry {
  readonly url: CanonicalUrl;
  /** What was asked for, where that was another spelling of the URL. */
  readonly address?: string;
  readonly result: Extract<FetchResult, { kind: 'response' }>;
  /** Base32 SHA-1 of the body without content coding. */
  readonly payloadDigest: string;
  /** Base32 SHA-1 of the body as received, content coding kept; computed where it is not given. */
  readonly rawDigest?: string;
  readonly mediaType: string;
  /** Set when the same payload is held already: a revisit record is written instead of the body. */
  readonly revisitOf?: {
    readonly url: string;
    /** When that visit's request was sent (`exchange.date`, or `startedAt`): the date of its record. */
    readonly date: number;
    /** Base32 SHA-1 of that payload with its content coding, where known. If this visit's differs, all of it is written. */
    readonly payloadDigest?: string;
  };
  /** 'not-modified': a 304; the profile of the revisit record differs. */
  readonly profile?: 'identical-payload-digest' | 'server-not-modified';
  /** The text of the document, in UTF-8; kept as a conversion record beside it. */
  readonly text?: Uint8Array;
  /** What a browser made of it; kept as another conversion record, which refers to the response. */
  readonly rendered?: { readonly html: Uint8Array; readonly truncated: boolean };
  /** A document that is not HTML as a page that keeps its structure, in UTF-8; kept likewise. */
  readonly converted?: Uint8Array;
  /** A JPEG of it, as a resource record. */
  readonly screenshot?: Uint8Array;
  /** Lines of the metadata record, e.g. via, hopsFromSeed, fetchTimeMs. */
  readonly metadata: Readonly<Record<string, string | number>>;
}

/** Where a record lies. */
export interface RecordPlace {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** One visit, as the index tells of it. */
export interface ArchivedVersion extends RecordPlace {
  /** When the request was sent, ms since the epoch. */
  readonly date: number;
  readonly status: number;
  readonly mediaType: string;
  /** The payload was held already: only that it is the same was written. */
  readonly revisit: boolean;
  /** Base32 SHA-1 of the body as received, where known. */
  readonly digest?: string;
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
  readonly location: RecordPlace;
  /** What was asked for, where that was another spelling of the URL: from there its links count. */
  readonly address?: string;
  /** What a browser made of it lies beside it; see `Archive.shown`. */
  readonly isRendered?: true;
  /** It is no HTML, and lies beside it as a page that keeps its structure; see `Archive.asPage`. */
  readonly isConverted?: true;
}

/** Where a visit was put. */
export interface PutLocation extends ArchiveLocation {
  /** Where its first record begins; in a new file that of the file itself. */
  readonly start: number;
}

export interface Archive {
  /** Durable when it resolves. Puts of one archive resolve in the order in which they lie in the file. */
  put(entry: ArchiveEntry): Promise<PutLocation>;
  /** The copy nearest to `at` (the newest when absent); revisits are resolved to the body they refer to. */
  get(url: CanonicalUrl, at?: number): Promise<ArchivedDocument | undefined>;
  /** The text that was stored with the visit at this place; undefined where there is none. Quicker where `fileEnd` is given. */
  textAt(location: RecordPlace & { readonly fileEnd?: number }): Promise<string | undefined>;
  /** A document as a browser has shown it, in UTF-8; the document itself where none has. */
  shown(document: ArchivedDocument): Promise<ArchivedDocument>;
  /** The same, and a document that was converted as the page that it was converted to. */
  asPage(document: ArchivedDocument): Promise<ArchivedDocument>;
  /** Every visit of the URL, oldest first. */
  versions(url: CanonicalUrl): Promise<ArchivedVersion[]>;
  /** Every response in write order. */
  scan(from?: { file: string; offset: number }): AsyncIterable<ArchivedDocument>;
  close(): Promise<void>;
}
