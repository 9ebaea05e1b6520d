import type { RefusedBy, Validators } from './crawl-task.ts';
import type { CanonicalUrl } from './url.ts';

export interface FetchRequest {
  readonly url: CanonicalUrl;
  /** GET where it is not given. The answer to a HEAD has no body. */
  readonly method?: 'HEAD';
  /** Fields of a form, URL-encoded: sent by POST. */
  readonly form?: string;
  readonly validators?: Validators;
  /** Decides after the headers whether the body is wanted; a string is the reason to stop. */
  readonly wanted?: (response: ResponseHead) => string | undefined;
  /** Overrides the size cap of the media type. */
  readonly maxBytes?: number;
  /** Called when the body has arrived, before a large one is in memory as a whole: resolves when it may take this many bytes. */
  readonly admit?: (bytes: number) => Promise<void>;
  readonly signal?: AbortSignal;
  /** Asked when the connection stands, just before the request goes out, and all the while it is under way: false, and it ends. */
  readonly isAllowed?: () => boolean;
  /** Another name than our own, to see whether it is answered otherwise. */
  readonly userAgent?: string;
  /** Of an archive: the answer that it holds next after this time, where several are wanted; ms, -1 for the first. */
  readonly after?: number;
  /** Fields that a page sends with what it loads: [name, value, …]. What is set by us, or for an origin, goes first. */
  readonly fields?: readonly string[];
}

export interface ResponseHead {
  readonly status: number;
  /** Names as received, in order, duplicates kept: [name, value, name, value, ...]. */
  readonly rawHeaders: readonly string[];
  /** First value of a header, by lower-case name; several values joined with ", ". */
  header(name: string): string | undefined;
  readonly httpVersion: string;
  readonly statusText: string;
}

/** One exchange, as it happened. Times in ms; `address` is the one really connected to. */
export interface Exchange {
  readonly startedAt: number;
  readonly endedAt: number;
  /** The date by the system clock when it started, for the archive; absent where that is `startedAt`. */
  readonly date?: number;
  readonly address: string;
  /** The request as sent: request line and headers, CRLF between. */
  readonly requestHead: string;
  /** Of an archive: what was asked for when the answer came, where that was another spelling of the URL. */
  readonly askedFor?: string;
}

/** Closed: whatever the network does is one of these. */
export type FetchResult =
  | {
      readonly kind: 'response';
      readonly head: ResponseHead;
      readonly exchange: Exchange;
      /** The body as received: transfer coding undone, content coding kept. */
      readonly raw: Uint8Array;
      /** The body with content coding undone; the same array as `raw` where there was none. */
      readonly body: Uint8Array;
      /** The body was cut at a limit of ours, and which. */
      readonly truncated?: 'length' | 'time' | 'disconnect';
    }
  | {
      /** The headers came, the body is not wanted. */
      readonly kind: 'unwanted';
      readonly head: ResponseHead;
      readonly exchange: Exchange;
      readonly reason: string;
    }
  | {
      readonly kind: 'failed';
      /** From fetch/failure-table.ts. */
      readonly code: FailureCode;
      readonly detail: string;
      /** Absent when no request was sent. */
      readonly exchange?: Exchange;
      readonly bytes: number;
    }
  | { readonly kind: 'refused'; readonly by: RefusedBy; readonly rule: string };

export type FailureCode =
  | 'dns-not-found'
  | 'dns-failed'
  | 'connect-refused'
  | 'connect-timeout'
  | 'connect-failed'
  | 'proxy-failed'
  | 'tls-invalid'
  | 'tls-failed'
  | 'headers-timeout'
  | 'body-timeout'
  | 'too-slow'
  | 'deadline'
  | 'reset'
  | 'protocol'
  | 'headers-too-large'
  | 'body-too-large'
  | 'encoding-invalid'
  | 'encoding-bomb'
  | 'aborted'
  | 'http-4xx'
  | 'http-5xx'
  | 'redirect-invalid'
  | 'redirect-chain'
  | 'lease-expired'
  | 'plugin-failed'
  | 'login-failed'
  | 'file-changing'
  | 'file-unreadable'
  | 'internal';

export interface Fetcher {
  /** Never throws for the network's sake. */
  fetch(request: FetchRequest): Promise<FetchResult>;
  close(): Promise<void>;
}
