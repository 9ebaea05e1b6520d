import type { HostKey } from '../../contracts/url.ts';
import type { HostBudgets } from '../../frontier/budgets.ts';
import type { LaneChoice } from '../../frontier/front-queues.ts';
import type { PolitenessPolicy } from '../../frontier/politeness.ts';

export interface VisitAllowance {
  available(now: number): number;
  spend(visits: number): void;
  /** When the next one may begin; `now` where one may at once. */
  nextAt(now: number): number;
}

export interface FrontierOptions {
  readonly politeness: PolitenessPolicy;
  readonly budgets: HostBudgets;
  readonly leaseMs: number;
  /** K front queues. */
  readonly lanes: number;
  readonly laneChoice: LaneChoice;
  readonly order: 'fifo' | 'lifo';
  /** Waiting URLs can be found by their fingerprint, to be moved or recalled; costs a row for each. */
  readonly movable?: boolean;
  /**
   * Pages are visited again when their time has come. Without it such visits are kept, but take no part: they do not keep
   * a crawl from its end.
   */
  readonly revisits?: boolean;
  /** With `revisits`: once so many pages were given, no new ones are claimed, and those are visited again. */
  readonly maxPages?: number;
  /** How many visits again may begin by now; those beyond wait, the longest due first. */
  readonly allowance?: VisitAllowance;
  /** Hosts wait until their address is told; implied by `byAddress`. */
  readonly addressFirst: boolean;
  readonly byAddress: boolean;
  readonly byDomain: boolean;
  /** Distinct refused links that are kept; beyond it they are only counted. */
  readonly maxRefusals: number;
  readonly owns: (host: HostKey) => boolean;
}
