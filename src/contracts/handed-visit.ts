import type { MessagePort } from 'node:worker_threads';
import type { IndexFields } from './content/index-fields.ts';

/**
 * A visit as the thread that fetched it hands it to the index: what reading it back from the archive would give. The archive stays
 * the truth; whatever is not handed over, or gets lost on the way, is read from there.
 */
export interface HandedVisit {
  readonly url: string;
  readonly file: string;
  /** Where its records begin in the file, where the response lies, and where they end. */
  readonly start: number;
  readonly offset: number;
  readonly end: number;
  /** Absent of what gives no document: a redirect, an error, a copy. Where the record of the page says otherwise, the archive is read. */
  readonly fields?: IndexFields;
  /** Main text in UTF-8; nothing where it has none. Whoever reads it takes its memory with it. */
  readonly text: Uint8Array<ArrayBuffer>;
  /** Bytes, about: what is on its way is bounded. */
  readonly size: number;
}

/** What goes from thread to thread at once. */
export type HandedVisits = readonly HandedVisit[];

/** Where a page thread sends visits. */
export interface HandOverEnd {
  readonly port: MessagePort;
  /** One 32-bit number: bytes that are on their way or wait for their settlement; below 0 while nobody takes any. */
  readonly waiting: SharedArrayBuffer;
}

/** The way from page threads to the thread of the index. */
export interface HandOver {
  /** The end for one more page thread. */
  connect(): HandOverEnd;
}
