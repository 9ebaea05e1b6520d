import type { ConvertedDocument } from './content/document.ts';
import type { PageAbout } from './content/page-about.ts';
import type { CrawlTask, Outcome } from './crawl-task.ts';

/**
 * What a plug-in module exports as its default: this, or a function that makes it. Every thread that needs a part of it
 * loads the module again, so that nothing is shared between them but what the parts return.
 *
 * A part that throws fails closed, with the name of the plug-in: a filter refuses the URL; a fetcher or a page handler fails the
 * visit; a converter leaves its document without text; evidence, a signal or a sink ends the run or the search.
 */
export interface Plugin {
  /** What errors, `explain` and `status` call it. */
  readonly name: string;
  /** The version of this contract that it was written for. */
  readonly api: 1;
  /** By scheme, without the colon: `gemini`. */
  readonly fetchers?: Readonly<Record<string, SchemeFetcher>>;
  /** By media type: `text/gemini`. Not for HTML. */
  readonly converters?: Readonly<Record<string, MediaConverter>>;
  readonly filter?: LinkFilter;
  readonly evidence?: LinkEvidence;
  readonly signal?: RankingSignal;
  readonly onPage?: PageHandler;
  readonly sink?: Sink;
}

export type PluginFactory = (context: PluginContext) => Plugin | Promise<Plugin>;

export interface PluginContext {
  /** The crawl folder. */
  readonly folder: string;
  readonly userAgent: string;
}

/** Asks for one URL of its scheme. What it throws fails the visit; errors of Node's network modules are known by their codes. */
export type SchemeFetcher = (request: SchemeRequest) => Promise<SchemeAnswer>;

export interface SchemeRequest {
  readonly url: string;
  readonly userAgent: string;
  /** Larger bodies are cut. */
  readonly maxBytes: number;
  /** Aborts at `total-timeout`, and when the crawl ends. */
  readonly signal: AbortSignal;
  /** The address to connect to, from the crawl's DNS cache. Rejects where the name has none or it must not be asked (`allow-private`). */
  addressOf(hostname: string, port: number): Promise<string>;
}

/** In the terms of HTTP, which the archive keeps it in. */
export interface SchemeAnswer {
  /** 200 for a page, 404 or 410 where there is none, 30x with `location` for a redirect, 503 where the server asks for less. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Bytes to text, in a thread of its own that is ended at `document-time`. */
export type MediaConverter = (
  document: MediaDocument,
) => ConvertedMedia | undefined | Promise<ConvertedMedia | undefined>;

export interface MediaDocument {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly url: string;
}

/** Either `blocks`, or `text` with empty lines between paragraphs. */
export interface ConvertedMedia extends Partial<ConvertedDocument> {
  readonly text?: string;
}

/** A URL and how it was found. */
export interface FoundUrl extends Pick<CrawlTask, 'depth' | 'discovery'> {
  readonly url: string;
  /** The text of the link; '' where it has none. */
  readonly anchor: string;
}

/** `true`, or the reason not to ask for it. Asked after all other rules of the scope, and not of seeds. */
export type LinkFilter = (found: FoundUrl) => true | string;

/** In doublings, as `boost`: 1 counts like twice as many links, below 0 it comes later; from -100 to 100. */
export type LinkEvidence = (found: FoundUrl) => number;

/** What the index knows of a document, without its words. */
export interface RankedDocument {
  readonly url: string;
  readonly title: string;
  readonly language: string;
  /** ms since the epoch; absent where the page declares none. */
  readonly date?: number;
  /** The score so far. */
  readonly score: number;
}

/** A factor by which the score of a document is multiplied: above 1 it rises; from 0.01 to 100. */
export type RankingSignal = (document: RankedDocument) => number;

/**
 * Gets every page that is stored, before it is settled: once for each visit that brought new content, and again where a kill
 * came between. It has `document-time`. The rows that it returns reach the sinks with the visit.
 */
export type PageHandler = (page: HandledPage) => HandlerRows | Promise<HandlerRows>;

// biome-ignore lint/suspicious/noConfusingVoidType: a handler may return nothing at all.
export type HandlerRows = readonly Row[] | void;

/** JSON, for it crosses threads and may be written down. */
export type Row = Readonly<Record<string, unknown>>;

export interface HandledPage {
  readonly url: string;
  readonly status: number;
  readonly mediaType: string;
  /** Decoded from its content coding, otherwise as received. */
  readonly bytes: Uint8Array;
  /** The main text; '' where there is none, or `text` is off. */
  readonly text: string;
  /** Title, authors, dates, language and the like. */
  readonly about: PageAbout;
  readonly links: readonly { readonly url: string; readonly text: string }[];
}

/** Takes what was visited, in the thread that decides. One at a time is called, and awaited. */
export interface Sink {
  /** Before the visits are settled: after a kill a visit can come twice, but none is missing. */
  write(visits: readonly SunkVisit[]): void | Promise<void>;
  /** The run ends. */
  close?(): void | Promise<void>;
}

export interface SunkVisit {
  readonly url: string;
  readonly at: number;
  readonly outcome: Outcome;
  readonly status?: number;
  readonly mediaType?: string;
  readonly about?: PageAbout;
  /** What the page handlers returned. */
  readonly rows: readonly Row[];
}
