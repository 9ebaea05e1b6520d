import type { ErrorCode } from '../../base/errors.ts';
import type { SearchRequest } from '../../contracts/search-service.ts';
import type { RemoteShards } from '../shards/open-shards.ts';

export interface SearchThreadData {
  readonly folder: string;
  /** Further folders, searched as if all were one. */
  readonly also?: readonly string[];
  /** Shards on other machines, searched with them. */
  readonly remote?: RemoteShards;
  /** Bytes of postings that this thread keeps in memory. */
  readonly cacheBytes: number;
  /** Modules of plug-ins. */
  readonly plugins?: readonly string[];
  /** Holds the number of the job that nobody waits for any more; the thread looks at it between the parts of its work. */
  readonly cancelled: Int32Array<SharedArrayBuffer>;
}

/** What a thread can be asked. */
export type SearchJob =
  | { readonly kind: 'search'; readonly request: SearchRequest }
  | { readonly kind: 'complete'; readonly typed: string; readonly limit: number }
  | { readonly kind: 'explain'; readonly query: string; readonly id: string }
  | { readonly kind: 'indexed-at'; readonly id: string }
  | { readonly kind: 'documents' };

export type ToSearchThread = { readonly number: number; readonly job: SearchJob } | { readonly close: true };

/** A fault in a form that can be sent. */
export interface SentFault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly remedy?: string;
}

export type FromSearchThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unopened'; readonly fault: SentFault }
  /** An answer of a search, as JSON. */
  | { readonly kind: 'written'; readonly number: number; readonly json: string }
  | { readonly kind: 'answer'; readonly number: number; readonly answer: unknown }
  | { readonly kind: 'fault'; readonly number: number; readonly fault: SentFault };
