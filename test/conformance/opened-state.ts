import type { VirtualClock } from '../../src/base/virtual-clock.ts';
import type { ChangeLog } from '../../src/contracts/change-log.ts';
import type { Frontier } from '../../src/contracts/frontier.ts';
import type { PageStore } from '../../src/contracts/page-store.ts';
import type { CrawlState } from '../../src/contracts/state/crawl-state.ts';
import type { FrontierOptions } from '../../src/contracts/state/frontier-options.ts';
import type { PartitionLease } from '../../src/contracts/state/partitions.ts';
import { noBudgets } from '../../src/frontier/budgets.ts';
import { defaultPoliteness } from '../../src/frontier/politeness.ts';
import type { FrontierEngine, OpenedFrontier, SuiteOptions } from './opened-frontier.ts';

/** What the suite looks at of an owned partition. */
export interface PartitionUnderTest {
  readonly lease: PartitionLease;
  readonly frontier: Frontier;
  readonly pages: PageStore;
  readonly changes: ChangeLog;
}

export interface StateUnderTest extends Omit<CrawlState, 'open'> {
  open(lease: PartitionLease): Promise<PartitionUnderTest>;
}

/** One state, and the processes that share it. */
export interface SharedState {
  /** The process of a node opens the state. One that comes back under its name has ended before. */
  node(name: string, clock: VirtualClock, options: SuiteOptions): Promise<StateUnderTest>;
  /** Ends the process of a node as kill -9 does. */
  kill(name: string): Promise<void>;
  /** Lets the process that is next at this step of a transaction die there, where the engine can: by throwing. */
  readonly crashAt?: (atStep: (step: 'before commit' | 'after commit') => void) => void;
  close(): Promise<void>;
}

export interface StateEngine {
  readonly name: string;
  /** The engine knows several partitions, and nodes that take them from each other. */
  readonly isShared: boolean;
  /** Knows who takes part. */
  readonly knowsNodes?: boolean;
  /** Keeps what is visited again, and contents that are compared. */
  readonly keepsPages: boolean;
  /** `clock`: that of the store, where it has one. */
  create(clock: VirtualClock, options: { readonly partitions: number; readonly leaseMs: number }): Promise<SharedState>;
}

/** What an engine is told, from what a case says of it. */
export function frontierOptionsOf(options: SuiteOptions): FrontierOptions {
  return {
    ...{ leaseMs: 600_000, lanes: 8, laneChoice: 'strict', order: 'fifo', maxRefusals: 1000 },
    ...{ addressFirst: false, byAddress: false, byDomain: false },
    ...options,
    politeness: { ...defaultPoliteness, ...options.politeness },
    budgets: { ...noBudgets, ...options.budgets },
  };
}

/** A state of one partition with one owner, for the cases that are about the frontier alone. */
export function soleOwnerOf(engine: StateEngine): FrontierEngine {
  return {
    name: engine.name,
    keepsPages: engine.keepsPages,
    open: async (clock, options) => {
      const shared = await engine.create(clock, { partitions: 1, leaseMs: Number.POSITIVE_INFINITY });
      return await openSole(shared, clock, options);
    },
  };
}

async function openSole(shared: SharedState, clock: VirtualClock, options: SuiteOptions): Promise<OpenedFrontier> {
  const state = await shared.node('sole', clock, options);
  const [lease] = await state.partitions.acquire(1);
  const { frontier, pages, changes } = await state.open(lease);
  let isOpen = true;
  return {
    ...{ frontier, pages, changes },
    async crash(next = options) {
      isOpen = false;
      await shared.kill('sole');
      return await openSole(shared, clock, next);
    },
    async close() {
      if (isOpen) await shared.close();
      isOpen = false;
    },
  };
}
