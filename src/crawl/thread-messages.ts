import type { ErrorCode } from '../base/errors.ts';
import type { Claim } from '../contracts/crawl-task.ts';
import type { HostKey } from '../contracts/url.ts';
import type { FinishedWork } from './page-crew.ts';

/** What the conductor tells a page thread. */
export type ToThread =
  | { readonly kind: 'start'; readonly claims: readonly Claim[] }
  | { readonly kind: 'prefetch'; readonly hosts: readonly HostKey[] }
  | { readonly kind: 'close' };

/** What a page thread tells the conductor. */
export type FromThread =
  | { readonly kind: 'done'; readonly finished: readonly FinishedWork[] }
  | { readonly kind: 'fault'; readonly code: ErrorCode; readonly message: string; readonly remedy?: string }
  | { readonly kind: 'closed' };
