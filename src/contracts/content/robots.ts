import type { Origin } from '../url.ts';

/** What is known of an origin's robots.txt. Kept in the state, so that it survives a restart. */
export interface RobotsRecord {
  readonly origin: Origin;
  readonly fetchedAt: number;
  /** When the last request for it failed: a stale copy is used. */
  readonly askedAt?: number;
  readonly expiresAt: number;
  /** 'rules': the body counts. 'allow-all': 4xx. 'disallow-all': 5xx or network error. 'moved': a robots task is on its way. */
  readonly state: 'rules' | 'allow-all' | 'disallow-all' | 'moved';
  /** Why, in words: "HTTP 404", "connection refused", "stale copy used: HTTP 503". */
  readonly why: string;
  /** At most 500 KiB of the file. */
  readonly body?: string;
  /** The origin's /.well-known/tdmrep.json, requested after robots.txt where wanted; '' where there is none. */
  readonly tdmrep?: string;
  readonly redirects: number;
  /** Crawl-delay for us, once the file is known. */
  readonly crawlDelayMs?: number;
  /** Of a file that names delays: the names that it was read for. */
  readonly agent?: string;
}

export interface RobotsVerdict {
  readonly allowed: boolean;
  /** The deciding rule as written, e.g. "Disallow: /private/". */
  readonly rule?: string;
  /** Its line, from 1. */
  readonly line?: number;
  /** Seconds. */
  readonly crawlDelay?: number;
  /** To whom the rules are said that count: one of our names, or `*`; absent where we have one name only. */
  readonly group?: string;
}
