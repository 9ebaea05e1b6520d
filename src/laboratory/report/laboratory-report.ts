import type { RevisitPolicyName } from '../../contracts/revisit.ts';
import type { ClusterMode } from '../cluster/cluster-mode.ts';

/** Where the experiment took place. Times are ISO 8601. */
export interface ReportSource {
  readonly kind:
    | 'synthetic web'
    | 'generated graph'
    | 'web of topics'
    | 'recorded crawl'
    | 'graph'
    | 'change history'
    | 'graph and change history';
  readonly name: string;
  readonly pages: number;
  readonly links?: number;
  readonly changes?: number;
  readonly from?: string;
  readonly to?: string;
  readonly days?: number;
}

/** One re-visit policy at one budget. */
export interface RevisitMeasures {
  readonly policy: RevisitPolicyName;
  /** The budget: visits per page and day, and the same in requests per day over all pages. */
  readonly visitsPerPageAndDay: number;
  readonly requestsPerDay: number;
  /** Requests that were made. */
  readonly requests: number;
  /** Share of pages whose copy was right, 0 to 1, on average over time. */
  readonly freshness: number;
  /** Mean days since the copies ceased to be right; 0 while they are. */
  readonly ageDays: number;
  /** As time goes on: the day since the beginning, and what was measured in the days since the point before. */
  readonly course: readonly CoursePoint[];
}

export interface CoursePoint {
  readonly day: number;
  readonly freshness: number;
  readonly requests: number;
}

/** One order of crawling. */
export interface OrderMeasures {
  readonly order: string;
  /** Pages that were fetched in the end. */
  readonly requests: number;
  /** What the pages fetched so far are worth, at chosen moments. */
  readonly course: readonly OrderPoint[];
}

export interface OrderPoint {
  readonly pages: number;
  /** Share of all pages. */
  readonly share: number;
  /** Sum of the PageRanks of the pages fetched, of 1 for the whole graph. */
  readonly pageRank: number;
  /** Share of pages on the topic among those fetched; with a topic only. */
  readonly harvestRate?: number;
  /** Share of all pages on the topic that were fetched; with a topic only. */
  readonly recall?: number;
}

/** What a goal of freshness costs by one policy. */
export interface GoalMeasures {
  readonly policy: RevisitPolicyName;
  readonly goal: number;
  /** Undefined where no budget reaches it. */
  readonly visitsPerPageAndDay?: number;
  readonly requestsPerDay?: number;
  /** What formulas say from the rates in hindsight, for pages that change by chance alone. */
  readonly forecastRequestsPerDay?: number;
}

/** One point of what freshness costs by the formulas. */
export interface ForecastMeasures
  extends Pick<RevisitMeasures, 'policy' | 'visitsPerPageAndDay' | 'requestsPerDay' | 'freshness'> {
  /** Undefined where a page that changes is never visited. */
  readonly ageDays?: number;
}

/** How nodes do a crawl together in one of the modes. Shares are of the pages that links lead to from the seeds. */
export interface ClusterMeasures {
  readonly name: string;
  readonly mode: ClusterMode;
  /** Different pages fetched by the time when all nodes together had made as many requests as there are pages. */
  readonly coverage: number;
  /** Requests beyond these, for each different page. */
  readonly overlap: number;
  /** The same when nothing was left to do. */
  readonly finalCoverage: number;
  readonly finalOverlap: number;
  /** By order: share of the most important quarter of the pages, by PageRank, among the first quarter of the requests. */
  readonly quality: Readonly<Record<string, number>>;
  /** Between nodes. */
  readonly linksPerPage: number;
  readonly messagesPerPage: number;
  /** Share of all requests that the busiest node made. */
  readonly largestShare: number;
}

/** One frontier, with one order. */
export interface FrontierMeasures {
  readonly order: string;
  /** How a front queue is selected. */
  readonly choice: 'strict' | 'biased';
  /** Mercator's B; absent: a queue for every host, as a crawl has. */
  readonly backQueues?: number;
  readonly requests: number;
  /** From the first request to the last, in times that a request takes. */
  readonly fetchTimes: number;
  /** Share of the threads that were at work, on average. */
  readonly busy: number;
  /** Share of all PageRank after 10 % and 25 % of the pages; shorter where the crawl ended before. */
  readonly pageRank: readonly number[];
  /** Share of the waiting URLs in back queues, where no order reaches them, on average; with back queues. */
  readonly boundShare?: number;
}

/** Everything one run has measured: what `--json` prints. */
export interface LaboratoryReport {
  readonly source: ReportSource;
  readonly seed: number;
  readonly revisits: readonly RevisitMeasures[];
  readonly orders: readonly OrderMeasures[];
  readonly goals: readonly GoalMeasures[];
  readonly forecast: readonly ForecastMeasures[];
  /** With `--cluster`: the modes of the textbook, and what batches and remembered links save of the exchange. */
  readonly cluster?: { readonly modes: readonly ClusterMeasures[]; readonly exchange: readonly ClusterMeasures[] };
  /** With `--frontier`: front and back queues. */
  readonly frontiers?: readonly FrontierMeasures[];
  /** What a reader should know: what was left out, and why. */
  readonly notes: readonly string[];
}

/** As one JSON document. If there is but one result, its measures stand at the top as well, ready to be picked. */
export function reportAsJson(report: LaboratoryReport): string {
  const { revisits, orders } = report;
  const [only] = revisits.length + orders.length === 1 ? [...revisits, ...orders] : [];
  if (only === undefined) return JSON.stringify(report);
  const { course, ...measures } = only;
  const last = 'order' in only ? only.course.at(-1) : undefined;
  return JSON.stringify({ ...measures, ...last, ...report });
}
