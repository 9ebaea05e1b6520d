import type { Clock } from '../../base/clock.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import type { SubscribeResult } from '../../seeds/push/websub-subscriber.ts';
import type { DomainOfHost } from '../../url/domain-of-host.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import { defaultUrlOptions } from '../../url/url-options.ts';
import type { HubDiscovery } from './hub-discovery.ts';

/** What is held of one topic, as far as it matters here. */
interface HeldTopic {
  readonly topic: string;
  readonly state: string;
  readonly until?: number;
}

export interface FeedHubsParts {
  readonly subscribe: (discovery: HubDiscovery) => Promise<SubscribeResult>;
  /** All topics that are or were wanted. */
  readonly held: () => readonly HeldTopic[];
  readonly domainOf: DomainOfHost;
  readonly clock: Clock;
  /** Feeds by their topics, from the run before; and where to keep them. */
  readonly kept?: FeedHubsSnapshot;
  readonly write: (kept: FeedHubsSnapshot) => void;
}

/** Addresses of feeds by the topics under which hubs know them. */
export type FeedHubsSnapshot = readonly (readonly [topic: string, feed: CanonicalUrl])[];

/** Whoever has more feeds is polled for the rest. */
const MOST_TOPICS = 10_000;
const MOST_OF_DOMAIN = 50;
const LOOK_EVERY_MS = 60_000;

/** The feeds whose hubs shall notify us. Only says what is wanted: the reachable server asks them (push-receiver.ts). */
export class FeedHubs {
  readonly #parts: FeedHubsParts;
  readonly #feedOf: Map<string, CanonicalUrl>;
  readonly #topicOf: Map<string, string>;
  readonly #perDomain = new Map<string, number>();
  #leases: ReadonlyMap<string, number> = new Map();
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: FeedHubsParts) {
    this.#parts = parts;
    this.#feedOf = new Map((parts.kept ?? []).filter(([topic, feed]) => isItself(feed, topic)));
    this.#topicOf = new Map([...this.#feedOf].map(([topic, feed]) => [feed, topic]));
    for (const feed of this.#feedOf.values()) this.#count(feed);
  }

  /** A document names a hub. Only a topic may: a document that calls itself otherwise counts once that address was read. */
  async discovered(feed: CanonicalUrl, discovery: HubDiscovery): Promise<void> {
    const { subscribe, domainOf, write } = this.#parts;
    const topic = discovery.self.trim();
    if (!isItself(feed, topic)) return this.#note(feed, topic);
    if (!this.#feedOf.has(topic)) {
      const domain = domainOf(hostKeyOf(feed));
      if (this.#feedOf.size >= MOST_TOPICS || (this.#perDomain.get(domain) ?? 0) >= MOST_OF_DOMAIN) return;
      this.#feedOf.set(topic, feed);
      this.#topicOf.set(feed, topic);
      this.#count(feed);
      write([...this.#feedOf]);
    }
    // Known topics too: the hub may have ended it, or the file been lost.
    await subscribe({ hubs: discovery.hubs, self: topic });
  }

  /** The feed that a topic stands for. */
  feedOf(topic: string): { readonly url: CanonicalUrl; readonly host: HostKey } | undefined {
    const url = this.#feedOf.get(topic) ?? normalizeUrl(topic, defaultUrlOptions);
    return url === undefined ? undefined : { url, host: hostKeyOf(url) };
  }

  /** Until when a hub tells of the news of a feed; undefined where none does. */
  pushedUntil(feed: string): number | undefined {
    const topic = this.#topicOf.get(feed);
    if (topic === undefined) return undefined;
    const now = this.#parts.clock.now();
    if (Math.abs(now - this.#lookedAt) >= LOOK_EVERY_MS) {
      this.#lookedAt = now;
      const active = this.#parts.held().filter(({ state }) => state === 'active');
      this.#leases = new Map(active.map(({ topic, until = 0 }) => [topic, until]));
    }
    const until = this.#leases.get(topic);
    return until === undefined || until <= now ? undefined : until;
  }

  /** The same feed at two addresses: it need not be asked at this one while a hub tells of the other. */
  #note(feed: CanonicalUrl, topic: string): void {
    const { domainOf } = this.#parts;
    const named = normalizeUrl(topic, defaultUrlOptions);
    if (named === undefined || domainOf(hostKeyOf(named)) !== domainOf(hostKeyOf(feed))) return;
    if (!this.#topicOf.has(feed) && this.#topicOf.size < 2 * MOST_TOPICS) this.#topicOf.set(feed, topic);
  }

  #count(feed: CanonicalUrl): void {
    const domain = this.#parts.domainOf(hostKeyOf(feed));
    this.#perDomain.set(domain, (this.#perDomain.get(domain) ?? 0) + 1);
  }
}

/** Whether a topic is the address that a feed was read from. Who answers behind TLS may as well answer without. */
function isItself(feed: CanonicalUrl, topic: string): boolean {
  const named = normalizeUrl(topic, defaultUrlOptions);
  const read = normalizeUrl(feed, defaultUrlOptions);
  if (named === undefined || read === undefined) return false;
  return named === read || (read.startsWith('https:') && named === `http:${read.slice('https:'.length)}`);
}
