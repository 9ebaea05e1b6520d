import { OrbweaverError } from '../base/errors.ts';

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
}

/** Shares of the hosts. What the first five leave over have a plain robots.txt; the others are traits on top. */
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
  readonly crawlDelay: number;
  readonly slow: number;
  /** Has a group of its own for `namedAgent`. */
  readonly namedGroup: number;
}

/** The parameters of a synthetic web. The web is a pure function of them (and of the addresses it is served at). */
export interface WebSpec {
  readonly seed: number;
  readonly hosts: number;
  readonly pagesPerHost: number;
  /** On average; a page has between half and one and a half of it. */
  readonly linksPerPage: number;
  /** 1: every page is linked as often as any other. Larger: in-links crowd on the pages and hosts with low numbers. */
  readonly popularitySkew: number;
  /** Smallest and largest page; sizes are spread evenly over their logarithm. */
  readonly pageBytes: readonly [number, number];
  /** Share of the blocks of text that are not well-formed. */
  readonly malformedShare: number;
  readonly pages: PageShares;
  readonly links: LinkShares;
  readonly robots: RobotsShares;
  readonly crawlDelaySeconds: number;
  readonly slowRobotsMs: number;
  /** Product token with a robots.txt group of its own on some hosts. */
  readonly namedAgent: string;
  readonly retryAfterSeconds: number;
  /** Smallest and largest latency; each host has one of its own. */
  readonly latencyMs: readonly [number, number];
}

export type WebSpecOverrides = Partial<Omit<WebSpec, 'pages' | 'links' | 'robots'>> & {
  readonly pages?: Partial<PageShares>;
  readonly links?: Partial<LinkShares>;
  readonly robots?: Partial<RobotsShares>;
};

export const DEFAULT_WEB_SPEC: WebSpec = {
  seed: 1,
  hosts: 10,
  pagesPerHost: 100,
  linksPerPage: 20,
  popularitySkew: 2,
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
    metaNoindex: 0.02,
    metaNofollow: 0.02,
    headerNoindex: 0.01,
    headerNofollow: 0.01,
    directiveForOthers: 0.01,
    tooManyRequests: 0.002,
    unavailable: 0.002,
    query: 0.08,
    escaped: 0.03,
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
  },
  robots: {
    missing: 0.15,
    broken: 0.05,
    moved: 0.05,
    movedChain: 0.05,
    movedAway: 0.05,
    crawlDelay: 0.1,
    slow: 0.05,
    namedGroup: 0.15,
  },
  crawlDelaySeconds: 1,
  slowRobotsMs: 300,
  namedAgent: 'orbweaver',
  retryAfterSeconds: 1,
  latencyMs: [0, 0],
};

/** All special shares at 0: a web of plain pages with plain robots.txt, to switch on one trait at a time. */
export const PLAIN_SHARES: Required<Pick<WebSpecOverrides, 'pages' | 'links' | 'robots'>> = {
  pages: zeros(DEFAULT_WEB_SPEC.pages),
  links: { ...zeros(DEFAULT_WEB_SPEC.links), interHost: DEFAULT_WEB_SPEC.links.interHost },
  robots: zeros(DEFAULT_WEB_SPEC.robots),
};

/** The defaults with `overrides`; refuses unknown names and values that make no web. */
export function webSpec(overrides: WebSpecOverrides = {}): WebSpec {
  refuseUnknown(overrides, DEFAULT_WEB_SPEC, '');
  refuseUnknown(overrides.pages ?? {}, DEFAULT_WEB_SPEC.pages, 'pages.');
  refuseUnknown(overrides.links ?? {}, DEFAULT_WEB_SPEC.links, 'links.');
  refuseUnknown(overrides.robots ?? {}, DEFAULT_WEB_SPEC.robots, 'robots.');
  const spec: WebSpec = {
    ...DEFAULT_WEB_SPEC,
    ...overrides,
    pages: { ...DEFAULT_WEB_SPEC.pages, ...overrides.pages },
    links: { ...DEFAULT_WEB_SPEC.links, ...overrides.links },
    robots: { ...DEFAULT_WEB_SPEC.robots, ...overrides.robots },
  };
  checkRange('seed', spec.seed, 0, 0xffffffff, true);
  checkRange('hosts', spec.hosts, 1, 1_000_000, true);
  checkRange('pagesPerHost', spec.pagesPerHost, 1, 100_000_000, true);
  checkRange('hosts × pagesPerHost', spec.hosts * spec.pagesPerHost, 1, 0x7fffffff, true);
  checkRange('linksPerPage', spec.linksPerPage, 0, 10_000, true);
  checkRange('popularitySkew', spec.popularitySkew, 1, 10);
  checkRange('malformedShare', spec.malformedShare, 0, 1);
  checkRange('crawlDelaySeconds', spec.crawlDelaySeconds, 0, 86_400);
  checkRange('slowRobotsMs', spec.slowRobotsMs, 0, 600_000);
  checkRange('retryAfterSeconds', spec.retryAfterSeconds, 0, 86_400, true);
  checkPair('pageBytes', spec.pageBytes, 500, 20_000_000);
  checkPair('latencyMs', spec.latencyMs, 0, 600_000);
  checkShares('pages', spec.pages, Object.values(spec.pages));
  checkShares('links', spec.links, [spec.links.area, spec.links.iframe]);
  const { missing, broken, moved, movedChain, movedAway } = spec.robots;
  checkShares('robots', spec.robots, [missing, broken, moved, movedChain, movedAway]);
  return spec;
}

function zeros<T extends object>(shares: T): T {
  return Object.fromEntries(Object.keys(shares).map((name) => [name, 0])) as T;
}

function refuseUnknown(given: object, known: object, prefix: string): void {
  for (const name of Object.keys(given)) {
    if (!(name in known)) {
      throw new OrbweaverError('SETTING_UNKNOWN', `The synthetic web has no parameter "${prefix}${name}".`, {
        remedy: `Parameters here: ${Object.keys(known).join(', ')}.`,
      });
    }
  }
}

function checkRange(name: string, value: unknown, min: number, max: number, whole = false): void {
  if (typeof value !== 'number' || !(value >= min && value <= max) || (whole && !Number.isInteger(value))) {
    const kind = whole ? 'a whole number' : 'a number';
    throw new OrbweaverError(
      'SETTING_INVALID',
      `${name} of a synthetic web is ${kind} from ${min} to ${max}, not ${value}.`,
    );
  }
}

function checkPair(name: string, pair: readonly [number, number], min: number, max: number): void {
  checkRange(`${name}[0]`, pair[0], min, max);
  checkRange(`${name}[1]`, pair[1], pair[0], max);
}

function checkShares(name: string, shares: object, exclusive: readonly number[]): void {
  for (const [key, share] of Object.entries(shares)) checkRange(`${name}.${key}`, share, 0, 1);
  const sum = exclusive.reduce((total, share) => total + share, 0);
  if (sum > 1 + 1e-9) {
    throw new OrbweaverError(
      'SETTING_INVALID',
      `The shares of ${name} exclude each other and add up to ${sum}, over 1.`,
    );
  }
}
