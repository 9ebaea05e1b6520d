import type { FeedSchedule } from './feed-schedule.ts';
export type FeedFormat =
  | 'rss-0.90'
  | 'rss-0.91'
  | 'rss-0.91-netscape'
  | 'rss-0.92'
  | 'rss-0.93'
  | 'rss-0.94'
  | 'rss-1.0'
  | 'rss-2.0'
  | 'rss'
  | 'atom-0.3'
  | 'atom-1.0'
  | 'atom'
  | 'cdf'
  | 'json';

/** A piece of text with what is needed to understand it. Markup is as the feed has it: nothing in it is made safe. */
export interface FeedText {
  readonly value: string;
  /** `text/plain`, `text/html`, `application/xhtml+xml`, or whatever else the feed says it is. */
  readonly type: string;
  readonly language?: string;
  /** What relative links in it refer to; they have been made absolute in `value` already. '' where nothing is known. */
  readonly base: string;
}

export interface FeedPerson {
  readonly name?: string;
  readonly email?: string;
  readonly url?: string;
}

export interface FeedLink {
  readonly url: string;
  /** `alternate` where nothing is said. */
  readonly rel: string;
  readonly type?: string;
  readonly title?: string;
  readonly hreflang?: string;
  readonly length?: string;
}

export interface FeedEnclosure {
  readonly url: string;
  readonly type?: string;
  /** Bytes, as written. */
  readonly length?: string;
}

export interface FeedCategory {
  readonly term: string;
  readonly scheme?: string;
  readonly label?: string;
}

export interface FeedDate {
  readonly written: string;
  /** ms since the epoch; absent where the date cannot be read. */
  readonly at?: number;
}

export interface FeedGenerator {
  readonly name: string;
  readonly url?: string;
  readonly version?: string;
}

/** What feeds, entries and the sources of entries have in common. */
export interface FeedThing {
  readonly id?: string;
  readonly title?: FeedText;
  /** The page this is about. */
  readonly link?: string;
  readonly links: readonly FeedLink[];
  readonly published?: FeedDate;
  readonly updated?: FeedDate;
  readonly created?: FeedDate;
  readonly authors: readonly FeedPerson[];
  readonly contributors: readonly FeedPerson[];
  readonly publisher?: FeedPerson;
  readonly categories: readonly FeedCategory[];
  readonly rights?: FeedText;
  readonly subtitle?: FeedText;
  readonly summary?: FeedText;
  readonly language?: string;
  readonly image?: string;
}

/** The channel of a feed, or the feed that an entry was taken from. */
export interface FeedChannel extends FeedThing {
  readonly info?: FeedText;
  readonly generator?: FeedGenerator;
  readonly icon?: string;
  readonly logo?: string;
  readonly docs?: string;
}

export interface FeedEntry extends FeedThing {
  /** The id is also the address of the page, and the only one given. */
  readonly idIsLink: boolean;
  /** Full texts, where the feed has more than a summary. */
  readonly content: readonly FeedText[];
  readonly enclosures: readonly FeedEnclosure[];
  /** Files named by media:content. */
  readonly media: readonly FeedEnclosure[];
  readonly comments?: string;
  readonly expires?: FeedDate;
  readonly source?: FeedChannel;
}

/** What is wrong with a feed that could be read all the same. */
export type FeedProblem = 'not-well-formed' | 'undecodable-bytes' | 'unknown-encoding' | 'media-type';

export interface Feed extends FeedChannel, FeedSchedule {
  readonly format: FeedFormat;
  /** The label that decided, in lower case. */
  readonly encoding: string;
  readonly wellFormed: boolean;
  readonly problems: readonly FeedProblem[];
  /** The first rule of XML that was broken. */
  readonly fault?: string;
  /** References to entities of a DTD. They are never expanded. */
  readonly unexpandedEntities: number;
  readonly entries: readonly FeedEntry[];
  /** Its own address, where it names one. */
  readonly self?: string;
  /** WebSub hubs. */
  readonly hubs: readonly string[];
  /** The archive: older and newer pages of this feed. */
  readonly next?: string;
  readonly previous?: string;
  /** Not everything was read, and which limit it was. */
  readonly cut?: 'bytes' | 'elements' | 'entries';
}

/** What became of a feed. Nothing that its bytes do can throw. */
export type FeedOutcome =
  | { readonly kind: 'read'; readonly feed: Feed }
  | { readonly kind: 'unreadable'; readonly why: 'empty' | 'not-a-feed' | 'broken'; readonly detail: string };
