import type { ArchiveLocation } from '../archive-location.ts';
import type { CanonicalUrl } from '../url.ts';
import type { BodySigns } from './body-signs.ts';
import type { PageAbout } from './page-about.ts';
import type { SpamScore } from './spam.ts';
import type { UsageFacts } from './usage-facts.ts';

/** Why a page was shown in a browser, and what that brought. */
export interface RenderedFacts {
  readonly why: string;
  /** It came to no end there: the page counts as it was answered. */
  readonly failed?: string;
  readonly ms?: number;
  /** More than the answer itself had. */
  readonly links?: number;
  readonly words?: number;
  /** Requests that the page made besides, and those that were not let out, by who said no. */
  readonly requests?: number;
  readonly refused?: Readonly<Record<string, number>>;
  /** Its scripts led elsewhere at once. */
  readonly redirect?: string;
  /** Until its load event. */
  readonly loadMs?: number;
  /** Of all that can be scrolled to, CSS pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Banners, dialogs and bars over the page; words that nobody can see. Absent where there are none. */
  readonly overlays?: number;
  readonly hiddenWords?: number;
}

/** What a visit tells of a page; becomes part of its record. */
export interface PageFacts {
  readonly status: number;
  readonly mediaType: string;
  readonly charset?: string;
  readonly bytes: number;
  /** The body is not whole, and why. */
  readonly truncated?: string;
  /** SHA-1 of the body without content coding, base32, as WARC writes it. */
  readonly digest?: string;
  /** The same of the body with its content coding. */
  readonly rawDigest?: string;
  /** Of headline and main text, without regard to case and white space: the same words in another frame. */
  readonly textDigest?: string;
  /** Of a copy that broke off: the digest of the last one that was whole, where there was one. */
  readonly wholeTextDigest?: string;
  /** Of a copy that broke off: it came twice as it is. */
  readonly repeated?: true;
  /** The same as earlier versions made it, where the visit before has one of those: to be compared with that once. */
  readonly formerTextDigest?: string;
  /** Its number among the documents that are compared; see `duplicates`. */
  readonly document?: number;
  /** A page whose text is nearly the same, and how much so. */
  readonly nearDuplicateOf?: { readonly url: CanonicalUrl; readonly jaccard: number };
  /** What speaks for spam; absent where nothing does. */
  readonly spam?: SpamScore;
  /** How far it is on the topic of a focused crawl, 0 to 1, and why. */
  readonly topic?: { readonly relevance: number; readonly why: string };
  readonly etag?: string;
  readonly lastModified?: string;
  /** Only where there are no validators, and the body is worth sparing. */
  readonly signs?: BodySigns;
  readonly title?: string;
  readonly canonical?: string;
  /** Robots directives that were found, for `explain`. */
  readonly directives: readonly string[];
  readonly noindex: boolean;
  /** It asks that no excerpt of it is shown. */
  readonly nosnippet?: true;
  /** It asks that no copy of it is shown. */
  readonly noarchive?: true;
  readonly linkCount: number;
  /** Links beyond `max-links-per-page`, which were left out; absent where there were none. */
  readonly omittedLinks?: number;
  /** Bytes at its end that were not searched for links, because the reader of large pages had no time or failed. */
  readonly unreadBytes?: number;
  /** What the document says of itself; absent where `text` was off. */
  readonly about?: PageAbout;
  /** What its publisher allows and disallows; absent where nothing is said. */
  readonly usage?: UsageFacts;
  readonly location?: ArchiveLocation;
  /** What a browser made of it; absent where none was asked. */
  readonly rendered?: RenderedFacts;
  /** The kind of crawler that fetched it, where that has a name: the setting `profile`. */
  readonly profile?: string;
  readonly address?: string;
  readonly fetchMs: number;
  /** When the request was sent, by the system clock: the date of its archive record. */
  readonly requestedAt: number;
}
