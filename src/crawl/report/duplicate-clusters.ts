import type { DuplicateListing } from '../../contracts/state/duplicate-listing.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { chooseCanonical } from '../../dedupe/near/choose-canonical.ts';
import { Clusters } from '../../dedupe/near/clusters.ts';

export interface DuplicateCluster {
  /** The page that stands for all of them. */
  readonly canonical: CanonicalUrl;
  readonly members: readonly ClusterMember[];
}

export interface ClusterMember {
  readonly url: CanonicalUrl;
  /** 'exact': the same bytes; 'near': a text that is nearly the same. Absent for the first that had it. */
  readonly kind?: 'exact' | 'near';
  /** The page it was compared with. */
  readonly of?: CanonicalUrl;
  readonly jaccard?: number;
}

/** Pages that say the same, each cluster with the page that stands for it; the largest first. */
export function duplicateClusters(listing: DuplicateListing): DuplicateCluster[] {
  const clusters = new Clusters<CanonicalUrl>();
  const told = new Map<CanonicalUrl, ClusterMember>();
  for (const { url, of, jaccard } of listing.edges()) {
    clusters.join(of, url);
    told.set(url, { url, of, ...(jaccard === undefined ? { kind: 'exact' } : { kind: 'near', jaccard }) });
  }
  return clusters
    .all()
    .map((urls) => urls.map((url) => told.get(url) ?? { url }))
    .map((members) => ({ canonical: canonicalOf(listing, members), members }))
    .sort((a, b) => b.members.length - a.members.length || (a.canonical < b.canonical ? -1 : 1));
}

function canonicalOf(listing: DuplicateListing, members: readonly ClusterMember[]): CanonicalUrl {
  const pages = members.flatMap(({ url }) => {
    const page = listing.page(url);
    if (page === undefined) return [];
    const { foundAt, canonical } = page;
    return [{ url, firstSeen: foundAt, ...(canonical === undefined ? {} : { canonical }) }];
  });
  return (pages.length === 0 ? members[0] : chooseCanonical(pages)).url as CanonicalUrl;
}
