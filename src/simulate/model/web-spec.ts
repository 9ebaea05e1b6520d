import { checkWebSpec, refuseUnknownParameters } from './check-web-spec.ts';
import type { WebSpec } from './web-parameters.ts';

export type {
  LinkShares,
  PageShares,
  RobotsShares,
  SiteShares,
  SpamShares,
  TrapKind,
  TrapShares,
  WebSpec,
} from './web-parameters.ts';

type Groups = 'pages' | 'links' | 'robots' | 'sites' | 'traps' | 'spam';

export type WebSpecOverrides = Partial<Omit<WebSpec, Groups>> & {
  readonly [Group in Groups]?: Partial<WebSpec[Group]>;
};

export const DEFAULT_WEB_SPEC: WebSpec = {
  seed: 1,
  hosts: 10,
  pagesPerHost: 100,
  linksPerPage: 20,
  zipfExponent: 0.8,
  pageBytes: [4_000, 60_000],
  malformedShare: 0.1,
  pages: {
    private: 0.03,
    opened: 0.02,
    wildcard: 0.03,
    wildcardEscape: 0.01,
    notFound: 0.02,
    gone: 0.01,
    broken: 0.005,
    redirect: 0.03,
    redirectAway: 0.01,
    redirectChain: 0.02,
    redirectLoop: 0.005,
    copy: 0.03,
    nearCopy: 0,
    metaNoindex: 0.02,
    metaNofollow: 0.02,
    headerNoindex: 0.01,
    headerNofollow: 0.01,
    directiveForOthers: 0.01,
    tooManyRequests: 0.002,
    unavailable: 0.002,
    query: 0.08,
    escaped: 0.03,
    dated: 0,
    listing: 0,
    product: 0,
    deep: 0,
  },
  links: {
    interHost: 0.1,
    nofollow: 0.04,
    oddSpelling: 0.3,
    tracking: 0.04,
    area: 0.01,
    iframe: 0.01,
    refresh: 0.01,
    base: 0.05,
    phantom: 0.6,
    canonical: 0,
    alternate: 0,
  },
  robots: {
    missing: 0.15,
    broken: 0.05,
    moved: 0.05,
    movedChain: 0.05,
    movedAway: 0.05,
    forbidden: 0,
    tooManyRequests: 0,
    empty: 0,
    html: 0,
    huge: 0,
    crawlDelay: 0.1,
    slow: 0.05,
    namedGroup: 0.15,
  },
  sites: { mirror: 0, sitemap: 0, feed: 0, softNotFound: 0, validators: 0, wiki: 0 },
  traps: {
    calendar: 0,
    sessionQuery: 0,
    sessionPath: 0,
    endlessPath: 0,
    endlessSubdomains: 0,
    tarpit: 0,
    maze: 0,
    redirectMaze: 0,
    facets: 0,
    bomb: 0,
    unknownSession: 0,
    pagination: 0,
    variants: 0,
    brokenLinks: 0,
  },
  spam: {
    termStuffing: 0,
    repeatedWords: 0,
    hiddenText: 0,
    hiddenParts: 0,
    doorway: 0,
    movedPage: 0,
    cloaking: 0,
    otherAds: 0,
    linkFarm: 0,
    webRing: 0,
  },
  hostNames: 'numbered',
  trapStyle: 'plain',
  crawlDelaySeconds: 1,
  slowRobotsMs: 300,
  namedAgent: 'orbweaver',
  retryAfterSeconds: 1,
  charsetShare: 0,
  changingShare: 0,
  changesPerDay: [0.01, 24],
  changesSince: Date.UTC(2025, 0, 1),
  sitemapEntries: 500,
  latencyMs: [0, 0],
  bytesPerSecond: [0, 0],
  gzipShare: 0,
  tarpitBytesPerSecond: 20,
  mazeBytesPerSecond: 0,
  bombBytes: 100_000_000,
};

/** All special shares at 0: a web of plain pages with plain robots.txt, to switch on one trait at a time. */
export const PLAIN_SHARES: Pick<WebSpec, Groups> = {
  pages: zeros(DEFAULT_WEB_SPEC.pages),
  links: { ...zeros(DEFAULT_WEB_SPEC.links), interHost: DEFAULT_WEB_SPEC.links.interHost },
  robots: zeros(DEFAULT_WEB_SPEC.robots),
  sites: zeros(DEFAULT_WEB_SPEC.sites),
  traps: zeros(DEFAULT_WEB_SPEC.traps),
  spam: zeros(DEFAULT_WEB_SPEC.spam),
};

/** The defaults with `overrides`; refuses unknown names and values that make no web. */
export function webSpec(overrides: WebSpecOverrides = {}): WebSpec {
  refuseUnknownParameters(overrides, DEFAULT_WEB_SPEC);
  const spec: WebSpec = {
    ...DEFAULT_WEB_SPEC,
    ...overrides,
    pages: { ...DEFAULT_WEB_SPEC.pages, ...overrides.pages },
    links: { ...DEFAULT_WEB_SPEC.links, ...overrides.links },
    robots: { ...DEFAULT_WEB_SPEC.robots, ...overrides.robots },
    sites: { ...DEFAULT_WEB_SPEC.sites, ...overrides.sites },
    traps: { ...DEFAULT_WEB_SPEC.traps, ...overrides.traps },
    spam: { ...DEFAULT_WEB_SPEC.spam, ...overrides.spam },
  };
  checkWebSpec(spec);
  return spec;
}

function zeros<T extends object>(shares: T): T {
  return Object.fromEntries(Object.keys(shares).map((name) => [name, 0])) as T;
}
