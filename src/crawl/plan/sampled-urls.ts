import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { hostKeyOf } from '../../url/host-key.ts';

interface Sighting {
  listed: boolean;
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

  /** Known without a link: a seed. */
  visit(url: CanonicalUrl): void {
    this.#at(url);
  }

  /** Its links were read. */
  read(url: CanonicalUrl): void {
    this.#at(url);
    this.#of(url).read++;
  }

  link(url: CanonicalUrl): void {
    this.#at(url).links++;
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

  /** Of the hosts without sitemaps: URLs that one link alone led to. */
  seenOnce(): number {
    let once = 0;
    for (const { urls } of this.#hosts.values()) {
      const seen = [...urls.values()];
      if (!seen.some(({ listed }) => listed)) once += seen.filter(({ links }) => links === 1).length;
    }
    return once;
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
    const made: Sighting = { listed: false, links: 0 };
    urls.set(url, made);
    return made;
  }
}
