import type { PageFacts } from '../content/page-facts.ts';
import type { Outcome } from '../outcome.ts';
import type { ChangeHistory } from '../revisit.ts';
import type { CanonicalUrl, HostKey } from '../url.ts';

/** A page whose visit has ended, that waits for no other, and was not given up. */
export interface SettledPage {
  readonly url: CanonicalUrl;
  readonly host: HostKey;
  readonly outcome: Outcome;
  readonly visitedAt: number;
  readonly facts?: PageFacts;
  readonly changes?: ChangeHistory;
}

export interface PlannedVisit {
  readonly at: number;
  readonly why?: string;
  /** Kept with the page, where it has changed. */
  readonly history?: ChangeHistory;
  /** Front queue; that of the call where it is not given. */
  readonly lane?: number;
}

/** A page that waits for a planned visit. */
export interface PlannedPage extends Omit<SettledPage, 'host' | 'facts'> {
  readonly nextVisit: number;
}
