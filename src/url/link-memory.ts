import type { CanonicalUrl } from '../contracts/url.ts';

/** Links of all folders together. */
const MOST_LINKS = 8192;
/** Longer links are not kept. */
const LONGEST = 256;

/** The links of the pages of a folder, as they were written, in canonical form. */
export type FolderLinks = Map<string, CanonicalUrl>;

/**
 * Links that were made canonical: the pages of a folder have most of theirs in common, and a page has the same ones several times. The same
 * string each time also spares those who look it up its hash. With too many it begins anew, since those that come now are not those of
 * before. One per thread.
 */
export class LinkMemory {
  readonly #folders = new Map<string, FolderLinks>();
  #links = 0;

  /** Those of a folder, with its scheme and host. To be asked for once a page: it may begin anew. */
  linksOf(folder: string): FolderLinks {
    if (this.#links >= MOST_LINKS) {
      this.#folders.clear();
      this.#links = 0;
    }
    let links = this.#folders.get(folder);
    if (links === undefined) {
      links = new Map();
      this.#folders.set(folder, links);
    }
    return links;
  }

  /** The link must not be a part of a larger text: it would keep that in memory. */
  keep(links: FolderLinks, link: string, url: CanonicalUrl): void {
    if (link.length > LONGEST || url.length > 2 * LONGEST || this.#links >= MOST_LINKS) return;
    this.#links++;
    links.set(link, url);
  }
}
