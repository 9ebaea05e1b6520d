import type { CrawlLoad } from '../events.ts';
import type { HostBudgets, PolitenessPolicy } from './frontier-options.ts';

/** A crawl at one moment of a run. Sums are those of the whole crawl, so that a rate is a difference, however many samples are left out in between. */
export interface CrawlSample {
  readonly at: number;
  /** When the run began that it belongs to: nothing is known of the time between two runs. */
  readonly run: number;
  readonly pages: number;
  readonly requests: number;
  readonly bytes: number;
  readonly failed: number;
  readonly refused: number;
  /** Exact copies and near-duplicates. */
  readonly duplicates: number;
  readonly queued: number;
  readonly hosts: number;
  readonly inFlight: number;
  /** Resident memory of the crawling process, in bytes. */
  readonly memory: number;
  /** How long the crawl will still take, in ms, where the estimate holds. */
  readonly leftMs?: number;
}

/** Something that went wrong, as it came. */
export interface CrawlTrouble {
  readonly at: number;
  readonly url: string;
  readonly host: string;
  /** Such as "failed: connect-refused", "HTTP 503". */
  readonly what: string;
}

/** What was asked of a host since its crawl is monitored, and how it was spaced. */
export interface HostTally {
  readonly host: string;
  readonly requests: number;
  readonly failures: number;
  /** By class: 2 to 5 for 2xx to 5xx. */
  readonly status: Readonly<Record<'2' | '3' | '4' | '5', number>>;
  readonly gaps: HostGaps;
  readonly lastError?: { readonly at: number; readonly what: string };
}

/** Pauses between the end of a request and the start of the next to the same host. */
export interface HostGaps {
  readonly count: number;
  /** Pauses that were shorter than owed. */
  readonly early: number;
  /** The tightest one: least time beyond what was owed. Absent before the second request. */
  readonly tightest?: { readonly gapMs: number; readonly owedMs: number };
}

/** The pauses of all hosts. */
export interface PolitenessRecord {
  readonly count: number;
  readonly early: number;
  /** Pauses by how many times what was owed they lasted, in the classes of `GAP_CLASSES`. */
  readonly classes: readonly number[];
}

/** By what a crawl spaces its requests and bounds its hosts; as of its last run. */
export interface MonitoredRules {
  readonly politeness: Pick<PolitenessPolicy, 'minimumDelayMs' | 'delayFactor' | 'maxAdaptiveDelayMs'>;
  /** Absent where there is no limit. */
  readonly budgets: Partial<HostBudgets>;
}

/** All that changed since the last write. */
export interface MonitorEntry {
  readonly sample: CrawlSample;
  readonly hosts: readonly HostTally[];
  readonly troubles: readonly CrawlTrouble[];
  /** Answers by status code. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly politeness: PolitenessRecord;
  /** Absent where the crawl does not watch its load. */
  readonly load?: CrawlLoad;
}

/** What a crawl has noted of itself while it ran; read also while it runs. */
export interface MonitorReader extends Disposable {
  /** Oldest first; those after a time where one is given. */
  samples(after?: number): CrawlSample[];
  /** Newest first. */
  troubles(limit: number): CrawlTrouble[];
  statuses(): Readonly<Record<string, number>>;
  politeness(): PolitenessRecord | undefined;
  rules(): MonitoredRules | undefined;
  /** As of the last sample. */
  load(): CrawlLoad | undefined;
  host(host: string): HostTally | undefined;
  /** Hosts whose pauses were the tightest of all, beside what they were owed. */
  tightest(limit: number): HostTally[];
}

/** One process writes. Bounded: samples are thinned with age, troubles beyond a number are dropped. */
export interface MonitorStore extends MonitorReader {
  begin(rules: MonitoredRules): void;
  write(entry: MonitorEntry): void;
}
