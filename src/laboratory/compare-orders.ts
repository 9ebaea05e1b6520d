import type { CrawlOrder } from '../contracts/crawl-order.ts';
import { createOrder, LANES_OF_SCORED_ORDERS } from '../rank/orders/create-order.ts';
import { parseOrderMix } from '../rank/orders/order-mix.ts';
import { createTopicJudge } from '../rank/topic/topic-judge.ts';
import { FocusedOrder } from './focused-order.ts';
import { isPlainOrder } from './named-methods.ts';
import type { RecordedGraph } from './replay/recorded-graph.ts';
import { ranksOf, replayGraph } from './replay/replay-graph.ts';
import type { OrderMeasures, OrderPoint } from './report/laboratory-report.ts';
import type { TopicPages } from './topic-pages.ts';

export interface OrderComparison {
  /** Names of orders, or mixes such as `pagerank:3,in-degree:1`. */
  readonly orders: readonly string[];
  /** Numbers of the pages that every crawl starts from. */
  readonly seeds: readonly number[];
  /** Numbers of pages to be measured after; the greatest is where it ends. Without any: when nothing is left. */
  readonly budgets: readonly number[];
  /** What a focused crawl is after: the harvest is measured, and orders that weigh the topic know what links promise. */
  readonly topic?: TopicPages;
  /** Told after each replay, for whoever waits. */
  readonly onDone?: (what: string) => void;
}

/** Shares of the pages at which orders are always measured. */
export const ORDER_SHARES = [0.01, 0.05, 0.1, 0.25, 0.5, 1] as const;
/** The beginning of a crawl, where orders differ most, is measured more closely. */
export const EARLY_SHARE = 0.25;
/** Pages off topic in a row that a focused crawl passes through. */
const TUNNEL = 3;
const CURVE_POINTS = 40;

/** Every order over the same graph, from the same pages. */
export async function compareOrders(
  graph: RecordedGraph,
  { orders, seeds, budgets, topic, onDone }: OrderComparison,
): Promise<OrderMeasures[]> {
  const pages = graph.urls.length;
  const budget = Math.min(pages, budgets.length === 0 ? pages : Math.max(...budgets));
  const checkpoints = checkpointsOf(pages, budget, budgets);
  const ranks = ranksOf(graph);
  const measures: OrderMeasures[] = [];
  for (const order of orders) {
    const focused = topic === undefined ? order : focusedOrder(order, topic, graph);
    const { fetched, course } = await replayGraph({ graph, seeds, order: focused, budget, checkpoints, ranks });
    const points = pointsOf(course, ranks, [...checkpoints.filter((count) => count < fetched), fetched], topic);
    measures.push({ order, requests: fetched, course: points });
    onDone?.(`${order}: ${fetched} pages`);
  }
  return measures;
}

/** With a judge of its own, which learns from the pages that this crawl visits. */
function focusedOrder(order: string, topic: TopicPages, graph: RecordedGraph): CrawlOrder | string {
  if (isPlainOrder(order) || (parseOrderMix(order).get('topic') ?? 0) === 0) return order;
  const inner = createOrder({ order, lanes: LANES_OF_SCORED_ORDERS, now: () => 0 });
  // It is not to end early: every crawl is measured over the same number of pages.
  const dryAfter = graph.urls.length;
  const judge = createTopicJudge({ description: topic.description, tunnel: TUNNEL, dryAfter });
  return new FocusedOrder(inner, judge, topic, graph);
}

function pointsOf(
  course: Uint32Array,
  ranks: Float64Array,
  checkpoints: readonly number[],
  topic: TopicPages | undefined,
): OrderPoint[] {
  let relevant = 0;
  if (topic !== undefined) for (let page = 0; page < ranks.length; page++) if (topic.isOnTopic(page)) relevant++;
  let done = 0;
  let pageRank = 0;
  let found = 0;
  return checkpoints.map((pages): OrderPoint => {
    for (; done < pages; done++) {
      pageRank += ranks[course[done]];
      if (topic?.isOnTopic(course[done]) === true) found++;
    }
    const harvest = topic === undefined ? {} : { harvestRate: found / pages, recall: found / Math.max(1, relevant) };
    return { pages, share: pages / ranks.length, pageRank, ...harvest };
  });
}

function checkpointsOf(pages: number, budget: number, budgets: readonly number[]): number[] {
  const wanted = [
    ...ORDER_SHARES.map((share) => Math.round(share * pages)),
    ...budgets.map((count) => Math.round(count)),
    ...evenly(budget),
    ...evenly(EARLY_SHARE * pages),
  ].filter((count) => count >= 1 && count <= budget);
  return [...new Set(wanted)].sort((one, other) => one - other);
}

function evenly(upTo: number): number[] {
  return Array.from({ length: CURVE_POINTS }, (_, at) => Math.round((upTo * (at + 1)) / CURVE_POINTS));
}
