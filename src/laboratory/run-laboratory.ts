import { OrbweaverError } from '../base/errors.ts';
import type { RevisitPolicyName } from '../contracts/revisit.ts';
import { type Budget, visitsPerPageAndDay } from './budget.ts';
import { compareModes } from './cluster/compare-modes.ts';
import { compareOrders } from './compare-orders.ts';
import { forecastCurve, type RevisitComparison } from './compare-revisits.ts';
import type { LaboratorySource } from './laboratory-source.ts';
import { REVISIT_POLICIES } from './named-methods.ts';
import { plainNumber } from './plots/plain-number.ts';
import { compareFrontiers, type FrontierComparison } from './queues/compare-frontiers.ts';
import { type ChangeRecord, changesWithin, DAY_MS, lastDays, type OutsideRecord } from './replay/change-record.ts';
import type { RecordedGraph } from './replay/recorded-graph.ts';
import { hostOf } from './replay/replay-graph.ts';
import type { LaboratoryReport, OrderMeasures, ReportSource } from './report/laboratory-report.ts';
import { revisitJobs } from './revisit-jobs.ts';
import { runRevisitJobs } from './revisit-workers.ts';

export interface LaboratoryOptions {
  /** What to compare; where neither is named, everything that the source allows. */
  readonly policies?: readonly RevisitPolicyName[];
  readonly orders?: readonly string[];
  readonly budgets?: readonly Budget[];
  /** Only the last days of a history; how long a crawl by an order may take. */
  readonly days?: number;
  readonly seed: number;
  readonly knownRates?: boolean;
  /** Policies begin with what a crawl of the days before those that are compared has learnt. */
  readonly priorDays?: number;
  /** A freshness, 0 to 1, of which the cost is wanted. */
  readonly goal?: number;
  /** URLs that crawls by an order start from; the first page of the graph where none is given. */
  readonly start?: readonly string[];
  /** Replays of changes may run on this many threads; the measures are the same. One where nothing is said. */
  readonly threads?: number;
  /** How nodes share a crawl is compared, for this many of them; nothing else. */
  readonly nodes?: number;
  /** Frontiers are compared; nothing else. */
  readonly frontier?: Pick<FrontierComparison, 'threads' | 'backQueues' | 'choices' | 'lanes' | 'rest'>;
  readonly onDone?: (what: string) => void;
}

const COMPARED_ORDERS = ['breadth-first', 'depth-first', 'in-degree', 'opic', 'pagerank', 'best-first'] as const;
/** One that never moves a URL, and one that does. */
const QUEUED_ORDERS = ['breadth-first', 'best-first'] as const;
const FOCUSED_ORDERS = ['breadth-first', 'pagerank', 'best-first', 'topic'] as const;
const UNLIKELY_YEARS = 60;
const DEFAULT_BUDGETS: readonly Budget[] = [0.01, 0.03, 0.1].map((budget) => ({ visitsPerPageAndDay: budget }));

/** Runs the crawler's own orders and re-visit policies over what is known of a web, in virtual time. */
export async function runLaboratory(source: LaboratorySource, options: LaboratoryOptions): Promise<LaboratoryReport> {
  if (options.frontier !== undefined) return await frontierReport(source, options, options.frontier);
  if (options.nodes !== undefined) return await clusterReport(source, options, options.nodes);
  const { policies, orders, goal } = options;
  const unsaid = policies === undefined && orders === undefined;
  const wantsRevisits = policies !== undefined || goal !== undefined || (unsaid && source.changes !== undefined);
  const wantsOrders = orders !== undefined || (unsaid && goal === undefined && source.graph !== undefined);
  const whole = wantsRevisits ? changesOf(source, unsaid && wantsOrders) : undefined;
  const record = whole === undefined ? undefined : comparedDays(whole, options);
  const graph = wantsOrders ? graphOf(source) : undefined;
  const comparison: RevisitComparison = {
    ...{ policies: policies ?? REVISIT_POLICIES, seed: options.seed, knownRates: options.knownRates === true },
    ...(options.priorDays === undefined ? {} : { priorDays: options.priorDays }),
    ...(options.onDone === undefined ? {} : { onDone: options.onDone }),
  };
  const budgets = options.budgets ?? (goal === undefined ? DEFAULT_BUDGETS : []);
  const visited =
    record === undefined
      ? undefined
      : await runRevisitJobs(record, revisitJobs(budgets, goal, comparison), comparison, options.threads ?? 1);
  const found = graph === undefined ? undefined : await ordersOf(graph, source, options);
  return {
    source: sourceOf(source, graph, record),
    seed: options.seed,
    revisits: visited?.revisits ?? [],
    orders: found?.orders ?? [],
    goals: visited?.goals ?? [],
    forecast: record === undefined || goal === undefined ? [] : forecastCurve(record, comparison.policies),
    notes: [
      ...differingPages(graph, record),
      ...(found?.notes ?? []),
      ...(record === undefined ? [] : notesOn(record)),
      ...(record === undefined || options.priorDays === undefined
        ? []
        : [`Policies begin with what visits in the ${plainNumber(options.priorDays)} days before have shown.`]),
    ],
  };
}

/** The last days, with enough of them before to learn from. */
function comparedDays(whole: ChangeRecord, { days, priorDays = 0 }: LaboratoryOptions): ChangeRecord {
  const all = (whole.to - whole.from) / DAY_MS;
  const record = lastDays(whole, days ?? (priorDays > 0 ? all - priorDays : undefined));
  if (record.to > record.from && record.from - priorDays * DAY_MS >= whole.from - 1) return record;
  throw new OrbweaverError(
    'USAGE',
    `--prior-days ${priorDays}: the history has ${plainNumber(Math.floor(all))} days, which is not enough for them and for those that are compared.`,
    { remedy: 'Give fewer days with --prior-days, or with --days those that are compared.' },
  );
}

async function frontierReport(
  source: LaboratorySource,
  { seed, start, orders = QUEUED_ORDERS, onDone }: LaboratoryOptions,
  frontier: NonNullable<LaboratoryOptions['frontier']>,
): Promise<LaboratoryReport> {
  const graph = graphOf(source);
  const frontiers = await compareFrontiers(graph, {
    ...{ ...frontier, orders, seed },
    seeds: start === undefined ? (source.start ?? [0]) : start.map((url) => numberOf(graph, url)),
    ...(onDone === undefined ? {} : { onDone }),
  });
  const { threads, rest } = frontier;
  const hosts = new Set(graph.urls.map(hostOf)).size;
  const busiest = Math.min(1, hosts / ((rest + 1) * threads));
  return {
    ...{ source: sourceOf(source, graph, undefined), seed, frontiers },
    ...{ revisits: [], orders: [], goals: [], forecast: [] },
    notes: [
      `${plainNumber(threads)} threads; a host rests ${plainNumber(rest)} times as long as a request takes. With all ${plainNumber(hosts)} hosts at once ${(100 * busiest).toFixed(0)} % of the threads could be at work.`,
    ],
  };
}

async function clusterReport(
  source: LaboratorySource,
  { seed, start, orders, onDone }: LaboratoryOptions,
  nodes: number,
): Promise<LaboratoryReport> {
  const graph = graphOf(source);
  const cluster = await compareModes(graph, {
    ...{ nodes, seed },
    ...(start === undefined ? {} : { start: start.map((url) => numberOf(graph, url)) }),
    ...(orders === undefined ? {} : { orders }),
    ...(onDone === undefined ? {} : { onDone }),
  });
  const { notes, ...measures } = cluster;
  return {
    ...{ source: sourceOf(source, graph, undefined), seed, notes, cluster: measures },
    ...{ revisits: [], orders: [], goals: [], forecast: [] },
  };
}

/** `optional`: nobody has asked for re-visits, so that a source without changes is no fault. */
function changesOf(source: LaboratorySource, optional: boolean): ChangeRecord | undefined {
  const record = source.changes?.();
  if (record !== undefined && record.to > record.from && changesWithin(record) > 0) return record;
  if (optional) return undefined;
  const { kind, name } = source;
  const span =
    record === undefined || !(record.to > record.from)
      ? ''
      : ` between ${dateOf(record.from)} and ${dateOf(record.to)}`;
  throw new OrbweaverError('USAGE', `Nothing is known of changes in the ${kind} ${name}${span}.`, {
    remedy: REMEDIES.get(kind) ?? 'Give a history with --changes FILE.',
  });
}

/** What to do where no changes are known. */
const REMEDIES: ReadonlyMap<ReportSource['kind'], string> = new Map([
  [
    'recorded crawl',
    'Re-visits can be replayed where pages were visited more than once; or give a history with --changes FILE.',
  ],
  [
    'change history',
    'Changes count from the first moment of a file to its last, which a first line {"start": time, "end": time} can set apart.',
  ],
  ['synthetic web', 'Let it change: --spec \'{"changingShare": 0.5}\'; or give a history with --changes FILE.'],
]);

function dateOf(time: number): string {
  return new Date(time).toISOString();
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
  { topic, start: first = [0] }: LaboratorySource,
  options: LaboratoryOptions,
): Promise<{ readonly orders: OrderMeasures[]; readonly notes: string[] }> {
  const { orders = topic === undefined ? COMPARED_ORDERS : FOCUSED_ORDERS, start = [], onDone } = options;
  const { budgets = [], days = 1 } = options;
  const pages = graph.urls.length;
  const measured = await compareOrders(graph, {
    orders,
    seeds: start.length === 0 ? first : start.map((url) => numberOf(graph, url)),
    budgets: budgets.map((budget) => Math.max(1, Math.round(visitsPerPageAndDay(budget, pages) * pages * days))),
    ...(topic === undefined ? {} : { topic }),
    ...(onDone === undefined ? {} : { onDone }),
  });
  const reached = Math.max(...measured.map(({ requests }) => requests));
  const unreached = budgets.length === 0 && reached < pages;
  const from = (start.length === 0 ? first.map((page) => graph.urls[page]) : start).join(', ');
  const { passedOver = 0 } = graph;
  return {
    orders: measured,
    notes: [
      ...(unreached
        ? [
            `From ${from} links lead to ${plainNumber(reached)} of the ${plainNumber(pages)} pages of the graph. Other pages: --start URL.`,
          ]
        : []),
      ...(passedOver === 0 ? [] : [`Lines of the graph taken for the rest of the words of a link: ${passedOver}.`]),
    ],
  };
}

/** Redirects and errors have links that lead to them, but no content that could change. */
function differingPages(graph: RecordedGraph | undefined, record: ChangeRecord | undefined): string[] {
  const [inGraph, onRecord] = [graph?.urls.length, record?.pages.length];
  if (inGraph === undefined || onRecord === undefined || inGraph === onRecord) return [];
  const re = `Re-visits are compared over the ${plainNumber(onRecord)} pages of which changes are known`;
  return [`${re}, orders over the ${plainNumber(inGraph)} addresses of the graph, whatever is found there.`];
}

function notesOn({ from, to, outside }: ChangeRecord): string[] {
  const years = (to - from) / DAY_MS / 365;
  return [
    ...(outside === undefined ? [] : [formatOutside(outside)]),
    // Numbers in milliseconds that count from 0 look like seconds.
    ...(years < UNLIKELY_YEARS
      ? []
      : [
          `The history spans ${Math.round(years)} years. If its times are milliseconds, say so in a first line: {"unit": "ms"}.`,
        ]),
  ];
}

function formatOutside({ changes, pages }: OutsideRecord): string {
  const later = pages === 0 ? '' : `, and pages that came to be only afterwards: ${pages}`;
  return `Left out, before "start" or after "end" of the heading: changes: ${changes}${later}.`;
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
          from: dateOf(record.from),
          to: dateOf(record.to),
          days: (record.to - record.from) / DAY_MS,
        }),
  };
}
