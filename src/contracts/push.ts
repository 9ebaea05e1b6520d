import type { CanonicalUrl } from './url.ts';

/** A request at one of our push endpoints, as the web server hands it on. */
export interface PushRequest {
  readonly method: string;
  /** Path and query, or absolute. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

export interface PushResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What the crawl should know of it. */
  readonly notice?: PushNotice;
}

/** A URL that somebody else told us of. It goes through scope and robots like any link. */
export interface SubmittedUrl {
  readonly url: CanonicalUrl;
  /** When, ms. */
  readonly at: number;
  readonly via: 'indexnow';
}

/** What came in by push. Closed. */
export type PushNotice =
  | {
      readonly kind: 'content';
      readonly subscription: string;
      readonly topic: string;
      readonly hub: string;
      readonly at: number;
      /** Without a signature the body may be anybody's: it is then no more than a hint to poll the topic. */
      readonly signed: boolean;
      readonly mediaType: string;
      readonly body: Uint8Array;
    }
  | { readonly kind: 'subscribed'; readonly subscription: string; readonly topic: string; readonly until: number }
  | { readonly kind: 'unsubscribed'; readonly subscription: string; readonly topic: string }
  | { readonly kind: 'denied'; readonly subscription: string; readonly topic: string; readonly reason: string }
  | {
      readonly kind: 'ignored';
      readonly subscription: string;
      readonly why: 'unsigned' | 'wrong-signature' | 'not-verified' | 'unwanted';
    }
  | { readonly kind: 'submitted'; readonly host: string; readonly urls: readonly SubmittedUrl[] }
  /** Told of a submission that had been answered with 202. */
  | { readonly kind: 'submission-refused'; readonly host: string; readonly why: string };

/**
 * One WebSub subscription: plain data, so that every engine can keep it.
 * 'asking': no hub has verified it yet. 'active': verified; renewals do not change that. 'leaving': to be ended by the hub.
 * 'left': ended, kept for a while so that a hub that asks again gets the same answer. 'denied': the hub would not.
 */
export interface WebSubSubscription {
  /** Unguessable: the last part of the callback's path. */
  readonly id: string;
  readonly hub: string;
  /** The hub as the topic has named it, before it moved; absent in those of earlier versions. */
  readonly named?: string;
  readonly topic: string;
  /** Absent where the hub is not reached over TLS. */
  readonly secret?: string;
  readonly state: 'asking' | 'active' | 'leaving' | 'left' | 'denied';
  /** What is asked for; the hub decides. */
  readonly leaseSeconds: number;
  /** End of the lease that the hub last stated, ms. */
  readonly until?: number;
  /** When there is something to do again (ask, renew, forget), ms. */
  readonly actAt: number;
  /** Requests to the hub since it last verified anything. */
  readonly tries: number;
  /** Redirects of the hub followed since then. */
  readonly moves: number;
  /** The last denial or failure, in words. */
  readonly why?: string;
}

/** Where subscriptions are kept. */
export interface SubscriptionStore {
  subscription(id: string): Promise<WebSubSubscription | undefined>;
  /** All for one topic, whatever their state. */
  ofTopic(topic: string): Promise<readonly WebSubSubscription[]>;
  /** Those with `actAt` at or before this time, the most overdue first. */
  due(at: number, max: number): Promise<readonly WebSubSubscription[]>;
  /**
   * Replaces what is held under `id` by what `change` makes of it; undefined removes it. Atomic, and durable when it
   * resolves: an answer to a hub that is given before its effect is kept would leave both with different beliefs.
   * `change` has no effects of its own, for it may be called more than once.
   */
  change(
    id: string,
    change: (held: WebSubSubscription | undefined) => WebSubSubscription | undefined,
  ): Promise<WebSubSubscription | undefined>;
}
