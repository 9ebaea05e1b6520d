/** One page of a site: its address, and the pages of the same site it links to. */
export interface SitePage {
  /** Path and query in canonical form. */
  readonly path: string;
  readonly title: string;
  /** Paths, in the order of the page. */
  readonly links: readonly string[];
  /** Length of its own text. */
  readonly words: number;
}

export interface SiteOptions {
  readonly seed: number;
  /** About how many pages the site has. */
  readonly pages: number;
}

/**
 * A shape of honest sites: a pure function from seed and size to pages. The first page is the home page, `/`. Every page
 * is reachable from it by links, has a text of its own, and no address occurs twice.
 */
export type SiteShape = (options: SiteOptions) => readonly SitePage[];
