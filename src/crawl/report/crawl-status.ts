import type { RenderingTotals } from '../../contracts/content/renderer.ts';
import type { Harvest } from '../../contracts/content/topic.ts';
import type { ControlState } from '../../contracts/crawl-control.ts';
import type { CrawlTotals, HostRecord } from '../../contracts/page-store.ts';
import type { QueueCounts } from '../../contracts/state/state-reader.ts';
import type { PatternReport } from '../../contracts/trap-guard.ts';
import type { RevisitSchedulerSnapshot } from '../revisits/revisit-scheduler.ts';
import type { HeadStatus } from '../visit/head-requests.ts';
import type { RunRecord } from './run-record.ts';

/** How a crawl stands. */
export interface CrawlStatus extends QueueCounts {
  readonly folder: string;
  readonly run: Omit<RunRecord, 'rules' | 'urlOptions' | 'kept'> | undefined;
  readonly totals: CrawlTotals;
  /** The hosts with the longest queues. */
  readonly busiest: readonly HostRecord[];
  /** Of a continuous crawl, when it last wrote it down. */
  readonly upkeep?: RevisitStatus;
  /** Of a focused crawl. */
  readonly harvest?: Harvest;
  /** What was shown in a browser; absent where nothing was. */
  readonly rendering?: RenderingTotals;
  /** Large patterns of new pages that lead to ever more of their kind, on hosts that the user asked for. */
  readonly growing?: readonly PatternReport[];
  /** What was asked of the crawl while it ran, and holds; of a crawl in a folder. */
  readonly control?: ControlState;
}

/** How fresh a continuous crawl keeps its pages, and what that costs. */
export interface RevisitStatus
  extends Pick<
    RevisitSchedulerSnapshot,
    'policy' | 'freshnessGoal' | 'requestsPerDay' | 'forecast' | 'savedAt' | 'full' | 'dry'
  > {
  /** What HEAD has brought. */
  readonly heads?: HeadStatus;
  /** Visits whose time has come. */
  readonly due: number;
}
