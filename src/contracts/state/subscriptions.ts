import type { SubscriptionStore, WebSubSubscription } from '../push.ts';

/** The lease of one topic, and its failed requests. */
export interface TopicLease {
  readonly topic: string;
  readonly state: WebSubSubscription['state'];
  readonly until?: number;
}

/** The subscriptions of a crawl folder; the crawl and the web server may both have them open. */
export interface Subscriptions extends SubscriptionStore, Disposable {
  /** Every topic with its state: what a crawl that begins must know. */
  leases(): TopicLease[];
}
