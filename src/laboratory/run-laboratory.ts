import { OrbweaverError } from '../base/errors.ts';
import type { RevisitPolicyName } from '../contracts/revisit.ts';
import { type Budget, visitsPerPageAndDay } from './budget.ts';
import { type ChangeRecord, changesWithin, DAY_MS, lastDays } from './change-record.ts';
import { compareOrders } from './compare-orders.ts';
import { compareRevisits, costsOfGoal, forecastCurve, type RevisitComparison } from './compare-revisits.ts';
import type { LaboratoryReport, OrderMeasures, ReportSource } from './laboratory-report.ts';
import type { LaboratorySource } from './laboratory-source.ts';
import { REVISIT_POLICIES } from './named-methods.ts';
import type { RecordedGraph } from './recorded-graph.ts';

export interface LaboratoryOptions {
  /** What to compare; where neither is named, everything that the source allows. */
  readonly policies?: readonly RevisitPolicyName[];
  readonly orders?: readonly string[];
  readonly budgets?: readonly Budget[];
  /** Only the last days of a history; how long a crawl by an order may take. */
  readonly days?: number;
  readonly seed: number;
  readonly knownRates?: boolean;
  /** A freshness, 0 to 1, of which the cost is wanted. */
  readonly goal?: number;
  /** URLs that crawls by an order start from; the first page of the graph where none is given. */
  readonly start?: readonly string[];
  readonly onDone?: (what: string) => void;
}

export const COMPARED_ORDERS = ['breadth-first', 'depth-first', 'in-degree', 'opic', 'pagerank', 'best-first'] as const;
export const FOCUSED_ORDERS = ['breadth-first', 'pagerank', 'best-first', 'topic'] as const;
const DEFAULT_BUDGETS: readonly Budget[] = [0.01, 0.03, 0.1].map((budget) => ({ visitsPerPageAndDay: budget }));

/** Runs the crawler's own orders and re-visit policies over what is known of a web, in virtual time. */
export async function runLaboratory(source: LaboratorySource, options: LaboratoryOptions): Promise<LaboratoryReport> {
  const { policies, orders, goal } = options;
  const unsaid = policies === undefined && orders === undefined;
  const wantsRevisits = policies !== undefined || goal !== undefined || (unsaid && source.changes !== undefined);
  const wantsOrders = orders !== undefined || (unsaid && goal === undefined && source.graph !== undefined);
  const whole = wantsRevisits ? changesOf(source, unsaid && wantsOrders) : undefined;
  const record = whole === undefined ? undefined : lastDays(whole, options.days);
  const graph = wantsOrders ? graphOf(source) : undefined;
  const comparison: RevisitComparison = { ...options, policies: policies ?? REVISIT_POLICIES };
  const budgets = options.budgets ?? (goal === undefined ? DEFAULT_BUDGETS : []);
  const found = graph === undefined ? undefined : await ordersOf(graph, source, options);
  return {
    source: sourceOf(source, graph, record),
    seed: options.seed,
    revisits: record === undefined ? [] : compareRevisits(record, budgets, comparison),
    orders: found?.orders ?? [],
    goals: record === undefined || goal === undefined ? [] : costsOfGoal(record, goal, comparison),
    forecast: record === undefined || goal === undefined ? [] : forecastCurve(record, comparison.policies),
    notes: found?.notes ?? [],
  };
}

/** `optional`: nobody has asked for re-visits, so that a source without changes is no fault. */
function changesOf(source: LaboratorySource, optional: boolean): ChangeRecord | undefined {
  const record = source.changes?.();
  if (record !== undefined && record.to > record.from && changesWithin(record) > 0) return record;
  if (optional) return undefined;
  throw new OrbweaverError('USAGE', `Nothing is known of changes in the ${source.kind} ${source.name}.`, {
    remedy:
      source.kind === 'recorded crawl'
        ? 'Re-visits can be replayed where pages were visited more than once; or give a history with --changes FILE.'
        : 'Give a history with --changes FILE, or a synthetic web that changes: --spec \'{"changingShare": 0.5}\'.',
  });
}

function graphOf(source: LaboratorySource): RecordedGraph {
  const graph = source.graph?.();
  if (graph !== undefined) return graph;
  throw new OrbweaverError('USAGE', `Orders need links, but the ${source.kind} ${source.name} has none.`, {
    remedy: 'Add --graph EDGES --nodes NODES, or use --crawl FOLDER or --spec JSON.',
  });
}

async function ordersOf(
  graph: RecordedGraph,
  { topic, start: first = 0 }: LaboratorySource,
  options: LaboratoryOptions,
): Promise<{ readonly orders: OrderMeasures[]; readonly notes: string[] }> {
  const { orders = topic === undefined ? COMPARED_ORDERS : FOCUSED_ORDERS, start = [], onDone } = options;
  const { budgets = [], days = 1 } = options;
  const pages = graph.urls.length;
  const measured = await compareOrders(graph, {
    orders,
    seeds: start.length === 0 ? [first] : start.map((url) => numberOf(graph, url)),
    budgets: budgets.map((budget) => Math.max(1, Math.round(visitsPerPageAndDay(budget, pages) * pages * days))),
    ...(topic === undefined ? {} : { topic }),
    ...(onDone === undefined ? {} : { onDone }),
  });
  const reached = Math.max(...measured.map(({ requests }) => requests));
  const unreached = budgets.length === 0 && reached < pages;
  const from = start.length === 0 ? graph.urls[first] : start.join(', ');
  const { passedOver = 0 } = graph;
  return {
    orders: measured,
    notes: [
      ...(unreached ? [`From ${from} links lead to ${reached} of the ${pages} pages. Other pages: --start URL.`] : []),
      ...(passedOver === 0 ? [] : [`Lines of the graph taken for the rest of the words of a link: ${passedOver}.`]),
    ],
  };
}

function numberOf(graph: RecordedGraph, url: string): number {
  const page = graph.urls.indexOf(url);
  if (page >= 0) return page;
  throw new OrbweaverError('USAGE', `--start ${url}: there is no such page in the graph.`, {
    remedy: `Give a URL as it is written there, such as ${graph.urls[0]}.`,
  });
}

function sourceOf(
  { kind, name }: LaboratorySource,
  graph: RecordedGraph | undefined,
  record: ChangeRecord | undefined,
): ReportSource {
  return {
    kind,
    name,
    pages: record?.pages.length ?? graph?.urls.length ?? 0,
    ...(graph === undefined ? {} : { links: graph.targets.length }),
    ...(record === undefined
      ? {}
      : {
          changes: changesWithin(record),
          from: new Date(record.from).toISOString(),
          to: new Date(record.to).toISOString(),
          days: (record.to - record.from) / DAY_MS,
        }),
  };
}
