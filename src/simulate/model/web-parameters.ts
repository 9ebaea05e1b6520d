/** Shares of all pages, 0 to 1. What they leave over are plain pages. The first page of a host is always plain. */
export interface PageShares {
  /** Below a plain `Disallow` prefix. */
  readonly private: number;
  /** Below that prefix too, but opened by a longer `Allow`. */
  readonly opened: number;
  /** Disallowed by a rule with `*` or `$`. */
  readonly wildcard: number;
  /** Looks like one of those, but its query string escapes the `$`. */
  readonly wildcardEscape: number;
  readonly notFound: number;
  readonly gone: number;
  /** Always answers 500. */
  readonly broken: number;
  readonly redirect: number;
  /** To a page of another host. */
  readonly redirectAway: number;
  /** Part of a chain of two to four redirects. */
  readonly redirectChain: number;
  /** Two pages that redirect to each other. */
  readonly redirectLoop: number;
  /** The very bytes of another page of the same host. */
  readonly copy: number;
  /** The links and text of another page of the same host, with 1 to 10 % of the words changed. */
  readonly nearCopy: number;
  readonly metaNoindex: number;
  readonly metaNofollow: number;
  readonly headerNoindex: number;
  readonly headerNofollow: number;
  /** META robots or X-Robots-Tag that speak to another robot only: they must change nothing. */
  readonly directiveForOthers: number;
  /** The first request is answered with 429 and Retry-After, every later one with the page. */
  readonly tooManyRequests: number;
  /** The same with 503. */
  readonly unavailable: number;
  /** The address has a query string. */
  readonly query: number;
  /** The address needs percent-escapes. */
  readonly escaped: number;
  /** An article of a blog: its date stands in the path, as in that of a calendar. */
  readonly dated: number;
  /** One of the numbered pages of an archive, each with another list. */
  readonly listing: number;
  /** A thing of a shop, told by a number in the query; it shares a text on delivery with all others of its host. */
  readonly product: number;
  /** Six to eight folders deep. */
  readonly deep: number;
}

/** Shares of the plain pages' traits and of all links. */
export interface LinkShares {
  /** Links that leave the host. */
  readonly interHost: number;
  readonly nofollow: number;
  /** Links not written as a plain root-relative or absolute address: dot segments, fragments, needless escapes ... */
  readonly oddSpelling: number;
  /** Links with utm_* or gclid parameters. */
  readonly tracking: number;
  readonly area: number;
  readonly iframe: number;
  /** Pages whose last link is a META refresh. */
  readonly refresh: number;
  /** Pages with `<base href>`. */
  readonly base: number;
  /** Pages with addresses in comments, scripts and the like, and with links that lead nowhere (mailto:, javascript:). */
  readonly phantom: number;
  /** Pages with `rel=canonical`: most name themselves, a quarter another page; a copy names its original. */
  readonly canonical: number;
  /** Pages with one to three `rel=alternate hreflang`. */
  readonly alternate: number;
}

/** Shares of the hosts. Up to `huge` they exclude each other, and what they leave over is a plain robots.txt. */
export interface RobotsShares {
  readonly missing: number;
  /** Answers 500: the whole host is forbidden. */
  readonly broken: number;
  /** Redirected within the host. */
  readonly moved: number;
  /** Redirected four times within the host. */
  readonly movedChain: number;
  /** Redirected to another host. */
  readonly movedAway: number;
  /** Answers 403: as good as none. */
  readonly forbidden: number;
  /** Always answers 429 with Retry-After: nobody knows what it says, and the whole host is forbidden. */
  readonly tooManyRequests: number;
  readonly empty: number;
  /** An HTML page that says "not found", with 200: no rules. */
  readonly html: number;
  /** Over 500 KiB: the rules right before that limit count, those beyond it do not. */
  readonly huge: number;
  readonly crawlDelay: number;
  readonly slow: number;
  /** Has a group of its own for `namedAgent`. */
  readonly namedGroup: number;
}

/** Shares of the hosts, independent of each other. A mirror shows those of its original. */
export interface SiteShares {
  /** Carries the very bytes of another host at the same paths. */
  readonly mirror: number;
  /** Has sitemaps, named in robots.txt: a file, an index of files, or an index of gzip files. */
  readonly sitemap: number;
  /** Has an RSS or Atom feed, named by the head of every page. */
  readonly feed: number;
  /** Answers 200 with a "not found" page where there is none. */
  readonly softNotFound: number;
  /** Sends ETag, Last-Modified or both, and answers 304. */
  readonly validators: number;
  /** Has a wiki: the last third of its pages, which link to each other and are linked from one page outside alone. */
  readonly wiki: number;
}

/** Shares of the hosts that lay each kind of trap. */
export interface TrapShares {
  /** Next month, and the month after that. */
  readonly calendar: number;
  /** A new session id in the query of every link. */
  readonly sessionQuery: number;
  /** The same in the path. */
  readonly sessionPath: number;
  /** Relative links that make the path longer with each step. */
  readonly endlessPath: number;
  /** Every name below the host's name answers, and links to further ones. Not with addresses instead of names. */
  readonly endlessSubdomains: number;
  /** Bodies that trickle. */
  readonly tarpit: number;
  /** Any address of the maze is a page of random words with links deeper into it. */
  readonly maze: number;
  /** Redirects to redirects, never the same twice. */
  readonly redirectMaze: number;
  /** The same few things, sorted and filtered in every order of parameters. */
  readonly facets: number;
  /** A few KB of gzip that become `bombBytes`. */
  readonly bomb: number;
  /** Like the session ids, under names that say nothing or as a folder of the path: only the pages tell. */
  readonly unknownSession: number;
  /** Numbered pages without end that all show the same list, or an empty one. */
  readonly pagination: number;
  /** To print, to share, in another order: each page of the host again under more and more parameters. */
  readonly variants: number;
  /** Whatever is not there answers 200 and "not found", with links to more that is not there. */
  readonly brokenLinks: number;
}

export type TrapKind = keyof TrapShares;

/** Spam, and honest look-alikes: exclusive shares of the plain pages; `linkFarm` and `webRing` are shares of the hosts. */
export interface SpamShares {
  /** A few words over and over. */
  readonly termStuffing: number;
  /** Honest: glossaries, songs with a chorus, price lists, questions and answers on one matter. */
  readonly repeatedWords: number;
  /** Text in the colour of its ground, off the screen or too small to read, inline or by a style sheet. */
  readonly hiddenText: number;
  /** Honest: closed menus and accordions, labels for screen readers, light text on dark ground, small print. */
  readonly hiddenParts: number;
  /** Text for search engines; visitors are sent on to another host by META refresh or script. */
  readonly doorway: number;
  /** Honest: "this page has moved", and scripts that send on only whoever asks for it. */
  readonly movedPage: number;
  /** Browsers get another page than robots do. */
  readonly cloaking: number;
  /** Honest: browsers and robots get the same page with other advertisements. */
  readonly otherAds: number;
  /** Hosts with little text that link to each other from every page. */
  readonly linkFarm: number;
  /** Honest: hosts with articles, each with a blog roll and a place in a ring. */
  readonly webRing: number;
}

/** The parameters of a synthetic web. The web is a pure function of them (and of the addresses it is served at). */
export interface WebSpec {
  readonly seed: number;
  readonly hosts: number;
  readonly pagesPerHost: number;
  /** On average; a page has between half and one and a half of it. */
  readonly linksPerPage: number;
  /** Zipf's exponent: page k of a host (and host k) is linked in proportion to 1 / k ** exponent. 0: all alike. */
  readonly zipfExponent: number;
  /** Smallest and largest page; sizes are spread evenly over their logarithm. */
  readonly pageBytes: readonly [number, number];
  /** Share of the blocks of text that are not well-formed, and of the sections that are not closed. */
  readonly malformedShare: number;
  readonly pages: PageShares;
  readonly links: LinkShares;
  readonly robots: RobotsShares;
  readonly sites: SiteShares;
  readonly traps: TrapShares;
  readonly spam: SpamShares;
  /** 'numbered': hNNN.synthetic.test. 'domains': a domain for each host; mirrors are www., staging. ... of their original. */
  readonly hostNames: 'numbered' | 'domains';
  /** 'plain': a list of links with the names of the traps. 'disguised': other words, paths and forms on each host. */
  readonly trapStyle: 'plain' | 'disguised';
  readonly crawlDelaySeconds: number;
  readonly slowRobotsMs: number;
  /** Product token with a robots.txt group of its own on some hosts. */
  readonly namedAgent: string;
  readonly retryAfterSeconds: number;
  /** Share of the pages that are not in UTF-8. */
  readonly charsetShare: number;
  /** Share of the pages that change, each as a Poisson process with a rate of its own. */
  readonly changingShare: number;
  /** Smallest and largest rate; rates are spread evenly over their logarithm. */
  readonly changesPerDay: readonly [number, number];
  /** When all pages were new, in ms since the epoch. */
  readonly changesSince: number;
  /** Most addresses in one sitemap file. */
  readonly sitemapEntries: number;
  /** Smallest and largest latency; each host has one of its own. */
  readonly latencyMs: readonly [number, number];
  /** Slowest and fastest line, likewise; [0, 0] is as fast as it goes. */
  readonly bytesPerSecond: readonly [number, number];
  /** Share of the hosts that send pages compressed to whoever takes gzip. */
  readonly gzipShare: number;
  readonly tarpitBytesPerSecond: number;
  /** How fast a maze answers; 0: as its host. */
  readonly mazeBytesPerSecond: number;
  readonly bombBytes: number;
}
