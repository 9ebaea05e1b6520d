/** A link from one host to another. Domains are registrable ones: what somebody can buy. */
export interface HostEdge {
  readonly fromDomain: string;
  readonly fromHost: string;
  readonly toDomain: string;
  readonly toHost: string;
}

interface Site {
  /** Domains that it links to, and domains that link to it. */
  readonly to: Set<string>;
  readonly from: Set<string>;
  readonly hosts: Set<string>;
  pages: number;
  /** Pages with more links to other sites than words would need. */
  barePages: number;
}

export type SiteLinksSnapshot = readonly (readonly [string, readonly string[], readonly string[], number, number])[];

/** A site with more neighbours is a directory, a platform or a newspaper: who exactly they are no longer matters. */
const MOST_NEIGHBOURS = 256;
const MOST_HOSTS = 64;
/** Words for each link to another site that honest pages have at least. */
const WORDS_PER_LINK = 4;
const MANY_LINKS = 8;

/** Who links to whom, by registrable domain. */
export class SiteLinks {
  readonly #sites = new Map<string, Site>();
  readonly #maxDomains: number;

  constructor(maxDomains: number) {
    this.#maxDomains = Math.max(16, maxDomains);
  }

  get domains(): Iterable<string> {
    return this.#sites.keys();
  }

  get size(): number {
    return this.#sites.size;
  }

  add({ fromDomain, fromHost, toDomain, toHost }: HostEdge): void {
    if (fromDomain === toDomain) {
      // Departments, languages and regions of one owner.
      const own = this.#sites.get(fromDomain);
      if (own !== undefined) addTo(own.hosts, fromHost, MOST_HOSTS);
      return;
    }
    const from = this.#siteOf(fromDomain);
    addTo(from.to, toDomain, MOST_NEIGHBOURS);
    addTo(from.hosts, fromHost, MOST_HOSTS);
    const to = this.#siteOf(toDomain);
    addTo(to.from, fromDomain, MOST_NEIGHBOURS);
    addTo(to.hosts, toHost, MOST_HOSTS);
  }

  addPage(domain: string, words: number, foreignLinks: number): void {
    const site = this.#siteOf(domain);
    site.pages++;
    if (foreignLinks >= MANY_LINKS && words < WORDS_PER_LINK * foreignLinks) site.barePages++;
  }

  linksTo(domain: string): ReadonlySet<string> {
    return this.#sites.get(domain)?.to ?? NOBODY;
  }

  linkedBy(domain: string): ReadonlySet<string> {
    return this.#sites.get(domain)?.from ?? NOBODY;
  }

  hostsOf(domain: string): ReadonlySet<string> {
    return this.#sites.get(domain)?.hosts ?? NOBODY;
  }

  /** Share of the pages that are nothing but links; undefined where no page was reported. */
  bareShare(domain: string): number | undefined {
    const site = this.#sites.get(domain);
    return site === undefined || site.pages === 0 ? undefined : site.barePages / site.pages;
  }

  snapshot(): SiteLinksSnapshot {
    return [...this.#sites].map(([domain, { to, hosts, pages, barePages }]) => [
      domain,
      [...to],
      [...hosts],
      pages,
      barePages,
    ]);
  }

  restore(snapshot: SiteLinksSnapshot): void {
    this.#sites.clear();
    for (const [domain, , hosts, pages, barePages] of snapshot) {
      const site = this.#siteOf(domain);
      for (const host of hosts) site.hosts.add(host);
      site.pages = pages;
      site.barePages = barePages;
    }
    for (const [domain, to] of snapshot) {
      for (const other of to) {
        this.#siteOf(domain).to.add(other);
        addTo(this.#siteOf(other).from, domain, MOST_NEIGHBOURS);
      }
    }
  }

  #siteOf(domain: string): Site {
    let site = this.#sites.get(domain);
    if (site === undefined) {
      if (this.#sites.size >= this.#maxDomains) this.#makeRoom();
      site = { to: new Set(), from: new Set(), hosts: new Set(), pages: 0, barePages: 0 };
      this.#sites.set(domain, site);
    }
    return site;
  }

  /** Forgets the sites with the fewest neighbours, a tenth at a time: members of a farm have many. */
  #makeRoom(): void {
    const few = [...this.#sites]
      .map(([domain, { to, from }]) => ({ domain, neighbours: to.size + from.size }))
      .sort((a, b) => a.neighbours - b.neighbours)
      .slice(0, Math.ceil(this.#maxDomains / 10));
    for (const { domain } of few) {
      const site = this.#sites.get(domain);
      this.#sites.delete(domain);
      for (const other of site?.to ?? []) this.#sites.get(other)?.from.delete(domain);
      for (const other of site?.from ?? []) this.#sites.get(other)?.to.delete(domain);
    }
  }
}

const NOBODY: ReadonlySet<string> = new Set();

function addTo(set: Set<string>, member: string, most: number): void {
  if (set.size < most) set.add(member);
}
