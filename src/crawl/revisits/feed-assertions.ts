import { makeRoom } from '../../base/make-room.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { FeedItemMemory, type FeedItemsSnapshot, MOST_ITEMS, secondsOf } from '../../revisit/feed-item-memory.ts';
import { FeedTrust, type FeedTrustRecord, type FeedWord, isPossible, judgeDates } from '../../revisit/feed-trust.ts';
import { type PackedLinks, unpackLinks } from '../workers/packed-links.ts';
import type { FeedItem } from './feed-item.ts';

/** Assertions that wait for the visit that shows whether they were true. */
const MOST_ASSERTIONS = 50_000;
const MOST_HOSTS = 10_000;

/** An item, and the page that it names. */
export interface NamedItem extends FeedItem {
  readonly url: CanonicalUrl;
}

/** What a feed was heard to say; `readBefore`: when it was last read, ms, absent where it was not read now or not before. */
export interface FeedReading {
  readonly feed: string;
  readonly host: HostKey;
  readonly items: readonly NamedItem[];
  readonly readBefore?: number;
}

/** That a page may have changed, by an item that was not heard of before. */
export interface FeedAssertion {
  readonly url: CanonicalUrl;
  readonly host: HostKey;
  readonly word: FeedWord;
  /** When it is said to have changed, ms. */
  readonly changedAt?: number;
  /** That it is true, 0 to 1. */
  readonly trust: number;
}

/** How far feeds were right so far, and what they have shown. */
export interface FeedAssertionsSnapshot {
  readonly trust: readonly (readonly [HostKey, FeedTrustRecord])[];
  readonly items: FeedItemsSnapshot;
}

/** What feeds say of pages that are known, each thing once, and how far that was true so far: by the host of the feed. */
export class FeedAssertions {
  readonly #trust: Map<HostKey, FeedTrust>;
  readonly #memory: FeedItemMemory;
  readonly #waiting = new Map<CanonicalUrl, Pick<FeedAssertion, 'host' | 'word'>>();

  constructor(kept?: FeedAssertionsSnapshot) {
    this.#trust = new Map((kept?.trust ?? []).map(([host, record]) => [host, new FeedTrust(record)]));
    this.#memory = new FeedItemMemory(kept?.items);
  }

  /** Assertions of items that are new or changed. In a feed read for the first time only dates count: all is new to us. */
  heard({ feed, host, items: all, readBefore }: FeedReading, now: number): FeedAssertion[] {
    const items = all.slice(0, MOST_ITEMS);
    if (items.length === 0) return [];
    const isKnown = this.#memory.knows(feed);
    const before = this.#memory.itemsOf(feed);
    const news = items.filter(({ mark, date }) => before.get(mark) !== secondsOf(date));
    this.#memory.add(
      feed,
      items.map(({ mark, date }) => ({ mark, date: secondsOf(date) })),
      readBefore !== undefined || !isKnown,
    );
    if (news.length === 0) return [];
    const trust = this.#trustOf(host);
    const dates = judgeDates(datesOf(items), datesOf(news), readBefore, now);
    trust.observeDates(dates, now);
    return news.flatMap(({ url, mark, date }): FeedAssertion[] => {
      if (!dates.stamped && isPossible(date, now))
        return [{ url, host, word: 'dated', changedAt: Math.min(date, now), trust: trust.believed('dated') }];
      // Without a date that can be believed, only what the item says itself is news.
      if (!isKnown || before.has(mark)) return [];
      return [{ url, host, word: 'undated', trust: trust.believed('undated') }];
    });
  }

  /** The next visit to the page tells whether this was true. */
  expect({ url, host, word }: FeedAssertion): void {
    if (this.#waiting.size < MOST_ASSERTIONS) this.#waiting.set(url, { host, word });
  }

  /** A page was visited: was it as a feed had said? */
  visited(url: CanonicalUrl, at: number, changed: boolean): void {
    const assertion = this.#waiting.get(url);
    if (assertion === undefined) return;
    this.#waiting.delete(url);
    this.#trustOf(assertion.host).observeVisit(assertion.word, at, changed);
  }

  toJSON(): FeedAssertionsSnapshot {
    return { trust: [...this.#trust].map(([host, trust]) => [host, trust.toJSON()]), items: this.#memory.toJSON() };
  }

  #trustOf(host: HostKey): FeedTrust {
    const known = this.#trust.get(host);
    if (known !== undefined) return known;
    const trust = new FeedTrust();
    makeRoom(this.#trust, MOST_HOSTS).set(host, trust);
    return trust;
  }
}

/** The items among the links of a document. */
export function itemsOf(links: PackedLinks): NamedItem[] {
  return unpackLinks(links, [...links.fingerprints.keys()]).flatMap(({ url, entry }) => {
    if (entry?.mark === undefined) return [];
    const { mark, modified } = entry;
    return [{ url, mark, ...(modified === undefined ? {} : { date: modified }) }];
  });
}

function datesOf(items: readonly FeedItem[]): number[] {
  return items.flatMap(({ date }) => (date === undefined ? [] : [date]));
}
