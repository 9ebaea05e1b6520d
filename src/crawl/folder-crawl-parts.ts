import type { Clock } from '../base/clock.ts';
import type { Settings } from '../base/settings/schema.ts';
import type { ControlStore } from '../contracts/crawl-control.ts';
import type { CrawlOrder } from '../contracts/crawl-order.ts';
import type { CrawlEvents } from '../contracts/events.ts';
import type { OwnedPartition } from '../contracts/state/owned-partition.ts';
import type { Plugins } from '../plugins/plugins.ts';
import type { LiveSettings } from './control/live-settings.ts';
import type { RowSettling } from './extraction/row-settling.ts';
import type { ImportRun } from './foreign/import-run.ts';
import type { OpenedNode } from './nodes/open-node.ts';
import type { OpenedShipping } from './open-shipping.ts';
import type { Rendering } from './rendering/open-rendering.ts';
import type { EventHub } from './report/event-hub.ts';
import type { RunRecord } from './report/run-record.ts';
import type { RoundRecord } from './revisits/round.ts';
import type { WorkerPool, WorkerReports } from './workers/worker-pool.ts';

export interface FolderCrawlParts {
  readonly folder: string;
  /** As they are when the crawl is opened. */
  readonly settings: Settings;
  readonly live: LiveSettings;
  readonly control: ControlStore;
  readonly random: () => number;
  readonly state: OwnedPartition;
  readonly startWorkers: (reports: WorkerReports) => WorkerPool;
  readonly order: CrawlOrder;
  readonly plugins: Plugins;
  /** Main texts of sample pages. */
  readonly fetchTexts: (urls: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, string>>;
  readonly events: EventHub<CrawlEvents>;
  readonly clock: Clock;
  /** How the folder was crawled before; for a new one what this run begins with. */
  readonly run: RunRecord;
  /** Of a crawl that several nodes share. */
  readonly node?: Pick<OpenedNode, 'name' | 'publish' | 'membership' | 'share'>;
  /** Absent where archive files stay in the folder. */
  readonly shipping?: Pick<OpenedShipping, 'finish'>;
  /** Absent where no page is shown in a browser. Pages that wait for it hold their hosts: while it is full nothing is claimed. */
  readonly rendering?: Pick<Rendering, 'isFull' | 'save'>;
  /** Where the rows go that rules read from pages. */
  readonly rows?: RowSettling;
  /** Every known page is visited once more. */
  readonly round?: RoundRecord;
  /** Every capture of foreign archives is visited, and nothing else. */
  readonly importing?: ImportRun;
  /** Folders were crawled before: files that are known may be visited again. */
  readonly againFiles: boolean;
  /** What the user is to know of how the folder was opened. */
  readonly notices?: readonly string[];
  /** Closes everything that was opened, last first. */
  readonly close: () => Promise<void>;
}

/** Known pages are visited again, though the crawl has an end. */
export function visitsAgain({ round, importing, againFiles }: FolderCrawlParts): boolean {
  return round !== undefined || importing !== undefined || againFiles;
}
