import type { CanonicalUrl } from '../url.ts';

/** A visit that tells how a page was: a copy came, it was as before, or the page was gone or had moved. */
export interface CourseVisit {
  readonly at: number;
  readonly found: 'copy' | 'same' | 'gone';
}

/** The visits of a page of which a copy is held, or was. */
export interface PageCourse {
  readonly url: CanonicalUrl;
  /** The first visit that brought a copy. */
  readonly firstAt: number;
  /** Oldest first. Of many visits the oldest are not kept. */
  readonly visits: readonly CourseVisit[];
  /** Expected changes per day, as estimated last; of a crawl that visits pages again by their changes. */
  readonly rate?: number;
}
