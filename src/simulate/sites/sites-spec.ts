import { checkRange, refuseUnknownParameters } from '../model/check-web-spec.ts';

/** Parameters of a web of sites; together with the port they say all of it. */
export interface SitesSpec {
  readonly seed: number;
  /** Hosts of each shape. */
  readonly sitesPerShape: number;
  /** About how many pages each of them has. */
  readonly pagesPerSite: number;
  /** Hosts with a trap (an endless calendar, a maze), which only links lead to. */
  readonly trapHosts: number;
  /** Share of hosts that answer slowly. */
  readonly slowShare: number;
  /** Share of hosts that ask for a Crawl-delay, and how long. */
  readonly crawlDelayShare: number;
  readonly crawlDelaySeconds: number;
  /** Extra addresses, 127.20.0.1 and so on, among which one host in five is spread: a test can take them off the net. */
  readonly extraAddresses: number;
  /** When pages change, move and vanish, and hosts are out of order; without it nothing ever happens. */
  readonly history?: SitesHistory;
}

export interface SitesHistory {
  /** ms since the epoch: before this moment nothing happens. */
  readonly begins: number;
  readonly spanMs: number;
  /** Shares of the pages. */
  readonly changing: number;
  readonly moving: number;
  readonly vanishing: number;
  /** Share of the hosts that answer 503 for a while, and for how long. */
  readonly outageShare: number;
  readonly outageMs: number;
}

export const DEFAULT_SITES_SPEC: SitesSpec = {
  seed: 1,
  sitesPerShape: 2,
  pagesPerSite: 200,
  trapHosts: 0,
  slowShare: 0,
  crawlDelayShare: 0,
  crawlDelaySeconds: 2,
  extraAddresses: 0,
};

const NO_HISTORY: SitesHistory = {
  begins: 0,
  spanMs: 0,
  changing: 0,
  moving: 0,
  vanishing: 0,
  outageShare: 0,
  outageMs: 0,
};

/** The parameters given over the defaults; refuses names that are none, and values that make no web. */
export function sitesSpec(given: Partial<SitesSpec>): SitesSpec {
  refuseUnknownParameters(given, { ...DEFAULT_SITES_SPEC, history: NO_HISTORY });
  const spec = { ...DEFAULT_SITES_SPEC, ...given };
  checkRange('seed', spec.seed, 0, 0xffffffff, true);
  checkRange('sitesPerShape', spec.sitesPerShape, 1, 10_000, true);
  checkRange('pagesPerSite', spec.pagesPerSite, 1, 1_000_000, true);
  checkRange('trapHosts', spec.trapHosts, 0, 10_000, true);
  checkRange('slowShare', spec.slowShare, 0, 1);
  checkRange('crawlDelayShare', spec.crawlDelayShare, 0, 1);
  checkRange('crawlDelaySeconds', spec.crawlDelaySeconds, 0, 86_400);
  checkRange('extraAddresses', spec.extraAddresses, 0, 1000, true);
  for (const [name, value] of Object.entries({ ...NO_HISTORY, ...spec.history })) {
    checkRange(`history.${name}`, value, 0, name === 'begins' || name.endsWith('Ms') ? 4e12 : 1);
  }
  return spec;
}
