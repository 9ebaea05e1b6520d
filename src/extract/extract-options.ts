/** Makes references to a base absolute; undefined where that cannot be. */
export interface Resolve {
  (reference: string): string | undefined;
  /** Bases with the same folder resolve a reference alike, unless it begins with a fragment, a query or white space. */
  readonly folder?: string | undefined;
}

/** Takes a base. */
export type UrlResolverFactory = (base: string) => Resolve;

export interface ExtractOptions {
  /** Where the document came from. */
  readonly url: string;
  /** How references become absolute; the platform's URL parser when absent. */
  readonly resolver?: UrlResolverFactory;
  /**
   * Percent-encodes the characters beyond ASCII of a query. Browsers send queries in the encoding of the page that holds the
   * link; when absent, they are sent in UTF-8.
   */
  readonly encodeQuery?: (query: string) => string;
  /** Schemes that can be fetched besides the usual ones, in lower case, without their colons. */
  readonly schemes?: ReadonlySet<string>;
  /** Also list images, scripts, style sheets and other parts of the page. */
  readonly resources?: boolean;
  /** Links that are kept, in document order; the rest are only counted. 50,000 when absent. */
  readonly maxLinks?: number;
  /** Also gather the visible text. */
  readonly text?: boolean;
  /** The document was rendered by a browser: what stands in `<noscript>` is not part of it. */
  readonly scripting?: boolean;
  /** The document was sent as XHTML: `<script/>` is an empty script, and CDATA sections exist everywhere. */
  readonly xhtml?: boolean;
  /** Names of META tags that address us, in lower case, beside `robots` and the names of other crawlers. */
  readonly agents?: readonly string[];
}
