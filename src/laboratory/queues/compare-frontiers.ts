import { seededRandom } from '../../base/seeded-random.ts';
import type { LaneChoice } from '../../frontier/front-queues.ts';
import { defaultPoliteness } from '../../frontier/politeness.ts';
import { LANES_OF_SCORED_ORDERS } from '../../rank/orders/create-order.ts';
import { isPlainOrder } from '../named-methods.ts';
import type { RecordedGraph } from '../replay/recorded-graph.ts';
import { FETCH_MS, type GraphReplayAnswer, ranksOf, replayGraph } from '../replay/replay-graph.ts';
import type { FrontierMeasures } from '../report/laboratory-report.ts';
import { MercatorFrontier } from './mercator-frontier.ts';

export interface FrontierComparison {
  /** Requests at once: the threads of the lectures. */
  readonly threads: number;
  /** Back queues for each of them. */
  readonly backQueues: readonly number[];
  readonly choices: readonly LaneChoice[];
  /** Front queues; as many as a crawl with the order has where nothing is said. */
  readonly lanes?: number;
  /** How long a host rests after a request, in times that a request takes. */
  readonly rest: number;
  readonly orders: readonly string[];
  /** Numbers of the pages that every crawl starts from. */
  readonly seeds: readonly number[];
  readonly seed: number;
  readonly onDone?: (what: string) => void;
}

/** The setting `lanes`. */
const LANES_OF_PLAIN_ORDERS = 8;

/** Shares of the pages at which the quality is measured. */
export const QUALITY_SHARES = [0.1, 0.25] as const;

/** A queue for every host, as a crawl has, and Mercator's B back queues: the same graph, order and rests. */
export async function compareFrontiers(
  graph: RecordedGraph,
  comparison: FrontierComparison,
): Promise<FrontierMeasures[]> {
  const { threads, backQueues, choices, orders, onDone } = comparison;
  const ranks = ranksOf(graph);
  const measures: FrontierMeasures[] = [];
  for (const order of orders) {
    for (const choice of choices) {
      for (const each of [undefined, ...backQueues]) {
        const variant = each === undefined ? {} : { backQueues: each * threads };
        const { answer, boundShare } = await crawl(graph, comparison, ranks, order, choice, variant.backQueues);
        const bound = boundShare === undefined ? {} : { boundShare };
        measures.push({ order, choice, ...variant, ...measuresOf(answer, threads), ...bound });
        onDone?.(
          `${order}, ${choice}, ${each === undefined ? 'a queue for every host' : `${each} × ${threads} back queues`}`,
        );
      }
    }
  }
  return measures;
}

async function crawl(
  graph: RecordedGraph,
  { threads, lanes, rest, seeds, seed }: FrontierComparison,
  ranks: Float64Array,
  order: string,
  choice: LaneChoice,
  backQueues: number | undefined,
): Promise<{ readonly answer: GraphReplayAnswer; readonly boundShare?: number }> {
  const restMs = rest * FETCH_MS;
  const random = seededRandom(seed);
  let mercator: MercatorFrontier | undefined;
  const answer = await replayGraph({
    ...{ graph, seeds, order, ranks, choice, random, atOnce: threads },
    checkpoints: QUALITY_SHARES.map((share) => Math.max(1, Math.round(share * graph.urls.length))),
    politeness: { ...defaultPoliteness, minimumDelayMs: restMs, delayFactor: 0 },
    lanes: lanes ?? (isPlainOrder(order) ? LANES_OF_PLAIN_ORDERS : LANES_OF_SCORED_ORDERS),
    ...(backQueues === undefined
      ? {}
      : {
          openFrontier: ({ clock, lanes: count }) => {
            mercator = new MercatorFrontier({ clock, lanes: count, choice, backQueues, restMs, random });
            return mercator;
          },
        }),
  });
  return mercator === undefined ? { answer } : { answer, boundShare: mercator.boundShare };
}

function measuresOf(
  { fetched, tookMs, pageRankShares }: GraphReplayAnswer,
  threads: number,
): Pick<FrontierMeasures, 'requests' | 'fetchTimes' | 'busy' | 'pageRank'> {
  const fetchTimes = tookMs / FETCH_MS;
  return { requests: fetched, fetchTimes, busy: fetched / (fetchTimes * threads), pageRank: pageRankShares };
}
