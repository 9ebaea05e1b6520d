import type { ContentSketch } from '../content/content-sketch.ts';
import type { CanonicalUrl } from '../url.ts';

/** A stored page that says what another says. */
export interface DuplicateEdge {
  readonly url: CanonicalUrl;
  readonly of: CanonicalUrl;
  /** Absent where the bytes are the same. */
  readonly jaccard?: number;
}

/** What is known of a page that belongs to a cluster. */
export interface ClusterPage {
  readonly url: CanonicalUrl;
  readonly canonical?: string;
  readonly foundAt: number;
}

export interface DuplicateListing {
  /** Every pair of pages that was found to be the same or nearly so. */
  edges(): Iterable<DuplicateEdge>;
  page(url: CanonicalUrl): ClusterPage | undefined;
  /** The sketch of every page whose text is compared, in no order of meaning; none where the crawl keeps none. */
  sketches(): Iterable<readonly [url: CanonicalUrl, sketch: ContentSketch]>;
}
