import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import type { PageDiscoveries } from './urls-by-sample.ts';

interface Sighting {
  listed: boolean;
  /** Known before a link led to it: a seed, or where a redirect led. */
  visited: boolean;
  /** Pages that link to it. */
  links: number;
}

interface HostSightings {
  readonly urls: Map<CanonicalUrl, Sighting>;
  read: number;
  /** Sitemaps on this host that an index names; those that were read; those of them that list pages. */
  readonly announced: Set<CanonicalUrl>;
  readonly readFiles: Set<CanonicalUrl>;
  readonly listing: Set<CanonicalUrl>;
}

export interface HostCounts {
  readonly host: HostKey;
  /** URLs that the crawl may ask for, by links or sitemaps. */
  readonly known: number;
  /** Of these, in sitemaps; in links; in both. */
  readonly listed: number;
  readonly linked: number;
  readonly both: number;
  /** Pages whose links were read. */
  readonly read: number;
  readonly sitemaps: SitemapCounts;
}

/** Files that were read, those of them that list pages, and those that an index names and that were not read. */
export interface SitemapCounts {
  readonly read: number;
  readonly listing: number;
  readonly waiting: number;
}

/** Which URLs a sample has come across, and how. */
export class SampledUrls {
  readonly #hosts = new Map<HostKey, HostSightings>();
  readonly #read: { readonly host: HostKey; links: number; unknown: number }[] = [];

  /** Known without a link: a seed. */
  visit(url: CanonicalUrl): void {
    this.#at(url).visited = true;
  }

  /** Its links are read from now on. */
  read(url: CanonicalUrl): void {
    this.#at(url).visited = true;
    this.#of(url).read++;
    this.#read.push({ host: hostKeyOf(url), links: 0, unknown: 0 });
  }

  /** A link of the page that is read. */
  link(url: CanonicalUrl): void {
    const sighting = this.#at(url);
    const page = this.#read.at(-1);
    const isUnknown = sighting.links === 0 && !sighting.visited;
    sighting.links++;
    if (page === undefined) return;
    page.links++;
    if (isUnknown) page.unknown++;
  }

  /** A sitemap was read. */
  readSitemap(file: CanonicalUrl): void {
    this.#of(file).readFiles.add(file);
  }

  /** A sitemap names it. */
  list(url: CanonicalUrl, file: CanonicalUrl): void {
    this.#at(url).listed = true;
    this.#of(file).listing.add(file);
  }

  /** A sitemap that an index names. */
  announce(file: CanonicalUrl): void {
    this.#of(file).announced.add(file);
  }

  hosts(): HostCounts[] {
    return [...this.#hosts].map(([host, { urls, read, announced, readFiles, listing }]) => {
      const waiting = [...announced].filter((file) => !readFiles.has(file)).length;
      const seen = [...urls.values()];
      return {
        host,
        known: seen.length,
        listed: seen.filter(({ listed }) => listed).length,
        linked: seen.filter(({ links }) => links > 0).length,
        both: seen.filter(({ listed, links }) => listed && links > 0).length,
        read,
        sitemaps: { read: readFiles.size, listing: listing.size, waiting },
      };
    });
  }

  /** For each page of the hosts without sitemaps, in order. */
  discoveries(): PageDiscoveries[] {
    const unlisted = new Set(this.hosts().flatMap(({ host, listed }) => (listed === 0 ? host : [])));
    return this.#read.filter(({ host }) => unlisted.has(host)).map(({ links, unknown }) => ({ links, unknown }));
  }

  #of(url: CanonicalUrl): HostSightings {
    const host = hostKeyOf(url);
    const before = this.#hosts.get(host);
    if (before !== undefined) return before;
    const made: HostSightings = {
      urls: new Map(),
      read: 0,
      announced: new Set(),
      readFiles: new Set(),
      listing: new Set(),
    };
    this.#hosts.set(host, made);
    return made;
  }

  #at(url: CanonicalUrl): Sighting {
    const { urls } = this.#of(url);
    const before = urls.get(url);
    if (before !== undefined) return before;
    const made: Sighting = { listed: false, visited: false, links: 0 };
    urls.set(url, made);
    return made;
  }
}
