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
