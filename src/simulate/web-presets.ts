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
