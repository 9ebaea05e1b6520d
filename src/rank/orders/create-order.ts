import { OrbweaverError } from '../../base/errors.ts';
import type { CrawlOrder } from '../../contracts/crawl-order.ts';
import type { Evidence } from './evidence.ts';
import { HostNumbers, HostRank, HostSize } from './host-evidence.ts';
import { InDegree, OutDegree, TopicPromise } from './link-evidence.ts';
import { OpicCash } from './opic-cash.ts';
import { type EvidenceKind, parseOrderMix } from './order-mix.ts';
import { PageRankFlow } from './page-rank-flow.ts';
import { PageTable } from './page-table.ts';
import { breadthFirst, depthFirst, randomOrder } from './plain-orders.ts';
import { RankForecast } from './rank-forecast.ts';
import { ScoredOrder } from './scored-order.ts';
import { SitemapPriority } from './sitemap-priority.ts';
import { type UrlBoost, UrlBoosts, type UrlEvidence } from './url-boosts.ts';
import { FeedItems, LinkDepth, PathChildren, PathDepth, UserBoost } from './url-evidence.ts';

export interface OrderOptions {
  /** `breadth-first`, `depth-first`, `random`, `best-first`, or a mix such as `pagerank:3,in-degree:1`. */
  readonly order: string;
  readonly lanes: number;
  /** What the user wants sooner; counts with a weight of 1 where the mix names none. */
  readonly boosts?: readonly UrlBoost[];
  /** What plug-ins say for a URL, in doublings; counts like a boost. */
  readonly evidence?: UrlEvidence;
  /** Links kept for PageRank, 4 bytes each. */
  readonly maxEdges?: number;
  readonly now: () => number;
}

/** Lanes that tell scores apart well enough; breadth-first without boosts needs no more than depths. */
export const LANES_OF_SCORED_ORDERS = 64;
const MAX_LANES = 0xffff;
const MAX_EDGES = 50_000_000;

/** Kinds that are computed over the graph of all pages, visited ones too. */
const OVER_THE_GRAPH: readonly EvidenceKind[] = ['opic', 'pagerank', 'rank-forecast'];

export function createOrder(options: OrderOptions): CrawlOrder {
  const { lanes } = options;
  if (!Number.isInteger(lanes) || lanes < 1 || lanes > MAX_LANES) {
    throw new OrbweaverError('SETTING_INVALID', `${lanes} lanes are not possible.`, {
      remedy: `Give a whole number from 1 to ${MAX_LANES}.`,
    });
  }
  const name = options.order.trim();
  const boosts = new UrlBoosts(options.boosts ?? [], options.evidence);
  if (name === 'breadth-first') return breadthFirst(lanes, boosts);
  if (name === 'depth-first') return depthFirst(lanes, boosts);
  if (name === 'random') return randomOrder(lanes, boosts);
  const mix = new Map(parseOrderMix(name));
  if (boosts.any && !mix.has('boost')) mix.set('boost', 1);
  const table = new PageTable();
  const makers = evidenceMakers(table, boosts, options);
  const evidences = [...mix]
    .filter(([, weight]) => weight > 0)
    .map(([kind, weight]) => ({ evidence: makers[kind](), weight }));
  const keepsVisited = OVER_THE_GRAPH.some((kind) => (mix.get(kind) ?? 0) > 0);
  return new ScoredOrder({ table, evidences, lanes, keepsVisited });
}

function evidenceMakers(
  table: PageTable,
  boosts: UrlBoosts,
  options: OrderOptions,
): Record<EvidenceKind, () => Evidence> {
  let hosts: HostNumbers | undefined;
  const hostNumbers = (): HostNumbers => (hosts ??= new HostNumbers(table));
  const maxEdges = options.maxEdges ?? MAX_EDGES;
  return {
    'in-degree': () => new InDegree(table),
    'out-degree': () => new OutDegree(table),
    opic: () => new OpicCash(table),
    pagerank: () => new PageRankFlow(table, maxEdges),
    'rank-forecast': () => new RankForecast(new PageRankFlow(table, maxEdges, hostNumbers().of), hostNumbers()),
    'host-rank': () => new HostRank(table, hostNumbers()),
    'host-size': () => new HostSize(hostNumbers()),
    topic: () => new TopicPromise(table),
    feeds: () => new FeedItems(table, options.now),
    'sitemap-priority': () => new SitemapPriority(table),
    depth: () => new LinkDepth(table),
    'path-depth': () => new PathDepth(table),
    'path-children': () => new PathChildren(table),
    boost: () => new UserBoost(table, boosts),
  };
}
