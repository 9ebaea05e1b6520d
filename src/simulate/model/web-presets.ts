import type { WebSpecOverrides } from './web-spec.ts';

/** Page sizes and markup like those of today's web: 20 to 200 KB, about 60 links, nested, one block in seven malformed. */
export const MODERN_PAGES = {
  linksPerPage: 60,
  pageBytes: [20_000, 200_000],
  malformedShare: 0.15,
  zipfExponent: 1,
} as const satisfies WebSpecOverrides;

/** Everything that a crawl must get right, in shares that show even in a small web; no traps, nothing that waits long. */
export const RICH_WEB = {
  hosts: 24,
  pagesPerHost: 60,
  crawlDelaySeconds: 0.1,
  slowRobotsMs: 50,
  pages: {
    broken: 0.01,
    redirectLoop: 0.01,
    copy: 0.04,
    nearCopy: 0.05,
    directiveForOthers: 0.02,
    tooManyRequests: 0.004,
    unavailable: 0.004,
  },
  links: { oddSpelling: 0.5, base: 0.1, area: 0.03, iframe: 0.03, refresh: 0.05, canonical: 0.3, alternate: 0.15 },
  robots: {
    missing: 0.08,
    broken: 0.04,
    moved: 0.06,
    movedChain: 0.06,
    movedAway: 0.06,
    forbidden: 0.06,
    tooManyRequests: 0.04,
    empty: 0.06,
    html: 0.06,
    huge: 0.06,
  },
  sites: { mirror: 0.15, sitemap: 0.4, feed: 0.4, softNotFound: 0.2, validators: 0.5 },
  charsetShare: 0.2,
  changingShare: 0.3,
  gzipShare: 0.4,
} as const satisfies WebSpecOverrides;

/** Every kind of trap on a fifth of the hosts. A crawl of it ends only if something ends it. */
export const TRAP_WEB = {
  traps: {
    calendar: 0.2,
    sessionQuery: 0.2,
    sessionPath: 0.2,
    endlessPath: 0.2,
    endlessSubdomains: 0.2,
    tarpit: 0.2,
    maze: 0.2,
    redirectMaze: 0.2,
    facets: 0.2,
    bomb: 0.2,
  },
} as const satisfies WebSpecOverrides;

/**
 * Forty sites of a thousand pages, about four of them with each kind of trap, some with several, on domains of their own
 * and in words and forms that differ from host to host; and honest parts that look like traps: articles by date, numbered
 * archives, products told by a number, deep folders, wikis with one way in.
 */
export const TRAP_GAUNTLET = {
  seed: 1,
  hosts: 40,
  pagesPerHost: 1000,
  linksPerPage: 16,
  pageBytes: [2_000, 7_000],
  malformedShare: 0.05,
  hostNames: 'domains',
  trapStyle: 'disguised',
  pages: {
    private: 0.01,
    opened: 0.01,
    wildcard: 0.01,
    broken: 0,
    redirectChain: 0.01,
    redirectLoop: 0,
    notFound: 0.01,
    copy: 0.01,
    nearCopy: 0.01,
    tooManyRequests: 0,
    unavailable: 0,
    dated: 0.12,
    listing: 0.08,
    product: 0.12,
    deep: 0.06,
  },
  links: { oddSpelling: 0.2 },
  robots: { broken: 0, crawlDelay: 0, slow: 0 },
  sites: { wiki: 0.3, softNotFound: 0.1 },
  traps: {
    calendar: 0.1,
    sessionQuery: 0.1,
    sessionPath: 0.1,
    endlessPath: 0.1,
    endlessSubdomains: 0.1,
    tarpit: 0.1,
    maze: 0.1,
    redirectMaze: 0.1,
    facets: 0.1,
    bomb: 0.1,
    unknownSession: 0.1,
    pagination: 0.1,
    variants: 0.1,
    brokenLinks: 0.1,
  },
  mazeBytesPerSecond: 2_000,
} as const satisfies WebSpecOverrides;

/** Every spam technique on a few pages in a hundred, with as many look-alikes. Few links leave a host, so farms stand out. */
export const SPAM_WEB = {
  hosts: 60,
  pagesPerHost: 80,
  linksPerPage: 12,
  pageBytes: [2_000, 8_000],
  malformedShare: 0.05,
  hostNames: 'domains',
  pages: { broken: 0, tooManyRequests: 0, unavailable: 0 },
  links: { interHost: 0.01, refresh: 0.005 },
  robots: { broken: 0, crawlDelay: 0, slow: 0 },
  spam: {
    termStuffing: 0.04,
    repeatedWords: 0.06,
    hiddenText: 0.04,
    hiddenParts: 0.08,
    doorway: 0.04,
    movedPage: 0.04,
    cloaking: 0.02,
    otherAds: 0.03,
    linkFarm: 0.12,
    webRing: 0.15,
  },
} as const satisfies WebSpecOverrides;

/** A third of the hosts show what another shows: as www., as staging., or under a domain of their own. */
export const MIRROR_WEB = {
  hosts: 40,
  pagesPerHost: 150,
  linksPerPage: 12,
  pageBytes: [2_000, 8_000],
  hostNames: 'domains',
  pages: { broken: 0, tooManyRequests: 0, unavailable: 0 },
  robots: { broken: 0, crawlDelay: 0, slow: 0 },
  sites: { mirror: 0.35 },
} as const satisfies WebSpecOverrides;

/** By the names that the command line knows them by. */
export const WEB_PRESETS = {
  modern: MODERN_PAGES,
  rich: RICH_WEB,
  traps: TRAP_WEB,
  gauntlet: TRAP_GAUNTLET,
  spam: SPAM_WEB,
  mirrors: MIRROR_WEB,
} as const satisfies Readonly<Record<string, WebSpecOverrides>>;
