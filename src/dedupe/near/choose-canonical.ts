export interface ClusterPage {
  readonly url: string;
  /** The page that its canonical link names. */
  readonly canonical?: string;
  /** Links from other pages. */
  readonly inlinks?: number;
  /** ms. */
  readonly firstSeen: number;
}

/**
 * The page that stands for a cluster: the one that most others name as canonical; then the one with most in-links, the
 * shortest URL, the oldest. A canonical link that leads out of the cluster counts for nothing, nor does a page that names
 * itself. A cluster has at least one page.
 */
export function chooseCanonical<Page extends ClusterPage>(pages: readonly Page[]): Page {
  const named = new Map<string, number>();
  for (const { url, canonical } of pages) {
    if (canonical !== undefined && canonical !== url) named.set(canonical, (named.get(canonical) ?? 0) + 1);
  }
  const order = (a: Page, b: Page): number =>
    (named.get(b.url) ?? 0) - (named.get(a.url) ?? 0) ||
    (b.inlinks ?? 0) - (a.inlinks ?? 0) ||
    a.url.length - b.url.length ||
    a.firstSeen - b.firstSeen ||
    (a.url < b.url ? -1 : 1);
  return pages.reduce((best, page) => (order(page, best) < 0 ? page : best));
}
