/** Which spellings of an address count as one. Every option widens what is held to be the same page. */
export interface UrlOptions {
  /** 'strip': /a/ becomes /a. 'add': /a becomes /a/ unless its last segment holds a dot. The root is always "/". */
  readonly trailingSlash: 'keep' | 'strip' | 'add';
  /** 'collapse': /a//b becomes /a/b, but /web/2020/http://example.com/ stays. */
  readonly duplicateSlashes: 'keep' | 'collapse';
  /** Parameters by name; those of one name keep their order, for it can carry meaning. */
  readonly sortQuery: boolean;
  /** Removes empty and nameless parameters, and the "=" of an empty value. */
  readonly tidyQuery: boolean;
  /** Removes parameters that only tell where a click came from. */
  readonly stripTracking: boolean;
  /** Removes session ids from query and path. */
  readonly stripSessionIds: boolean;
  /** 'strip': www.example.com becomes example.com, where that is still a name below a public suffix. */
  readonly www: 'keep' | 'strip';
  /** http://example.com/ becomes https://example.com/; where a port is named, the scheme stays. Absent in crawls that were begun before. */
  readonly plainHttp?: 'https';
  /** Schemes beside http and https, with their colons, separated by blanks; nothing follows from them for other URLs. */
  readonly schemes?: string;
  /** Files of this machine have URLs; a page can name one only where it is a file itself. */
  readonly files?: true;
  /** Without a base, example.com/x is taken for http://example.com/x: for addresses typed by people. */
  readonly assumeHttp: boolean;
}

/** What a crawl uses: the policy of crawler-commons (Nutch, StormCrawler). An address within a path keeps its slashes. */
export const defaultUrlOptions: UrlOptions = Object.freeze({
  trailingSlash: 'keep',
  duplicateSlashes: 'collapse',
  sortQuery: true,
  tidyQuery: true,
  stripTracking: true,
  stripSessionIds: true,
  www: 'keep',
  assumeHttp: false,
});

/** The same for an address that a person typed. */
export const typedUrlOptions: UrlOptions = Object.freeze({ ...defaultUrlOptions, assumeHttp: true });
