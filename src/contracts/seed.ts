import type { Settings } from '../base/settings/schema.ts';

/** How far a crawl may go from one seed, where that is other than the settings say. */
export interface SeedScope {
  readonly scope?: Settings['scope'];
  /** Links from the seeds on, at most. */
  readonly depth?: number;
}

/** Where a crawl begins, as the user wrote it. */
export interface Seed extends SeedScope {
  /** Absolute, not yet canonical. */
  readonly url: string;
  /** The user wrote no scheme: the one of `url` is a guess. */
  readonly assumed?: true;
}
