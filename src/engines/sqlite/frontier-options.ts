import type { HostKey } from '../../contracts/url.ts';
import type { HostBudgets } from '../../frontier/budgets.ts';
import type { LaneChoice } from '../../frontier/front-queues.ts';
import type { PolitenessPolicy } from '../../frontier/politeness.ts';

export interface FrontierOptions {
  readonly politeness: PolitenessPolicy;
  readonly budgets: HostBudgets;
  readonly leaseMs: number;
  /** K front queues. */
  readonly lanes: number;
  readonly laneChoice: LaneChoice;
  readonly order: 'fifo' | 'lifo';
  /** Hosts wait until their address is told; implied by `byAddress`. */
  readonly addressFirst: boolean;
  readonly byAddress: boolean;
  readonly byDomain: boolean;
  /** Distinct refused links that are kept; beyond it they are only counted. */
  readonly maxRefusals: number;
  readonly owns: (host: HostKey) => boolean;
}
