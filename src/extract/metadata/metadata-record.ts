/** A value and where it was read, e.g. `meta og:title`, `json-ld NewsArticle.headline`, `h1`, `url`. */
export interface Told<T> {
  readonly value: T;
  readonly source: string;
}

export interface ToldDate extends Told<number> {
  /** The calendar day as its author wrote it, YYYY-MM-DD: `value` is ms since the epoch, and may lie on another day in UTC. */
  readonly day: string;
}

/** What a page says of itself. Pure data; what nobody said is absent. */
export interface PageMetadata {
  /** The headline, without the name of the site. */
  readonly title?: Told<string>;
  readonly authors: readonly Told<string>[];
  readonly published?: ToldDate;
  readonly modified?: ToldDate;
  readonly siteName?: Told<string>;
  /** As declared: a language tag, its case and separators made regular. */
  readonly language?: Told<string>;
  readonly description?: Told<string>;
  /** Absolute. */
  readonly image?: Told<string>;
  /** As written: `article`, `NewsArticle`, `website`. */
  readonly type?: Told<string>;
  readonly tags: readonly Told<string>[];
  readonly categories: readonly Told<string>[];
  /** A short name where it is a known licence (`CC BY-SA 4.0`), else the URL or text as written. */
  readonly license?: Told<string>;
  /** META tags that speak of the use of the page, as written; `usage-preferences` reads them. */
  readonly usageMetas: readonly (readonly [name: string, content: string])[];
}
