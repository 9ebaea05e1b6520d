import type { UnshippedFiles } from '../archive/shipping/archive-shipper.ts';
import type { CrawlEvents, CrawlProgress, ThreadUse } from '../contracts/events.ts';
import type { FrontierCounts } from '../contracts/frontier.ts';
import type { CrawlTotals } from '../contracts/page-store.ts';
import type { Seed } from '../contracts/seed.ts';
import type { EndReason } from './conductor.ts';

/** What a run came to. Totals are those of the whole crawl; time, CPU and memory those of this run. */
export interface CrawlSummary extends CrawlTotals {
  readonly ended: EndReason;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly maxRssMb: number;
  readonly frontier: FrontierCounts;
  /** URLs that wait because the crawl suspects a trap, or because a domain has used up its budget. */
  readonly heldBack?: HeldBackUrls;
}

/** What a crawl holds back by what it has learnt; most URLs first. */
export interface HeldBackUrls {
  readonly urls: number;
  readonly reasons: readonly HeldBackReason[];
}

export interface HeldBackReason {
  readonly by: 'trap' | 'budget';
  readonly rule: string;
  readonly urls: number;
  /** Of a suspected trap: what `traps --open` takes. */
  readonly pattern?: string;
}

/** A crawl in its folder. Dispose of it with `await using`, or the folder stays locked until the process ends. */
export interface Crawl extends AsyncDisposable {
  /** Canonical or not; URLs that are known already change nothing. */
  addSeeds(seeds: readonly (string | Seed)[]): Promise<void>;
  /** Whether any URL is known, visited or not. A seed counts that is forgotten. */
  hasWork(): Promise<boolean>;
  /** Until nothing is left, a limit is reached, or `stop` is called. */
  run(): Promise<CrawlSummary>;
  /** Claims nothing more; `run` ends when what is under way is settled. */
  stop(): void;
  readonly stopping: boolean;
  /** Folders and files of this machine among its seeds. */
  readonly folders: readonly string[];
  /**
   * Ships the last archive files, after `run`; gives up where the store is away. Undefined where files stay in the folder. Disposing of the crawl does so as well.
   */
  ship(): Promise<UnshippedFiles | undefined>;
  progress(): Promise<CrawlProgress>;
  /** What the threads that work on pages have used; none before `run`, and where the calling thread does it. */
  threads(): Promise<readonly ThreadUse[]>;
  on<Name extends keyof CrawlEvents>(name: Name, listener: (event: CrawlEvents[Name]) => void): Disposable;
}
