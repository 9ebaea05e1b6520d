import { ORDER_SHARES } from '../compare-orders.ts';
import { plainNumber } from '../plots/plain-number.ts';
import type { Cell, Table } from '../plots/text-table.ts';
import { QUALITY_SHARES } from '../queues/compare-frontiers.ts';
import type {
  ClusterMeasures,
  ForecastMeasures,
  FrontierMeasures,
  LaboratoryReport,
  OrderMeasures,
  OrderPoint,
  ReportSource,
  RevisitMeasures,
} from './laboratory-report.ts';

export interface TitledTable extends Table {
  readonly title: string;
}

/** The tables of a report; those without rows are left out. */
export function reportTables(report: LaboratoryReport): TitledTable[] {
  return [
    revisitTable(report.revisits),
    goalTable(report),
    forecastTable(report.forecast),
    orderTable(report.orders),
    harvestTable(report.orders),
    modesTable(report.cluster?.modes ?? []),
    exchangeTable(report.cluster?.exchange ?? []),
    frontierTable(report.frontiers ?? []),
  ].filter(({ rows }) => rows.length > 0);
}

/** What was looked at, in one line. */
export function formatSource({ kind, name, pages, links, changes, days, from, to }: ReportSource): string {
  const parts = [
    counted(pages, 'page'),
    ...(links === undefined ? [] : [counted(links, 'link')]),
    ...(changes === undefined ? [] : [counted(changes, 'change')]),
  ];
  const span =
    days === undefined
      ? ''
      : ` in ${plainNumber(Math.round(10 * days) / 10)} days (${from?.slice(0, 10)} to ${to?.slice(0, 10)})`;
  return `${kind[0].toUpperCase()}${kind.slice(1)} ${name}: ${parts.join(', ')}${span}`;
}

function counted(count: number, what: string): string {
  return `${plainNumber(count)} ${what}${count === 1 ? '' : 's'}`;
}

function revisitTable(revisits: readonly RevisitMeasures[]): TitledTable {
  const uniform = new Map(
    revisits.filter(({ policy }) => policy === 'uniform').map((one) => [one.visitsPerPageAndDay, one]),
  );
  return {
    title: 'Re-visits',
    columns: ['visits/page/day', 'requests/day', 'policy', 'freshness', 'points over uniform', 'age, days', 'requests'],
    rows: revisits.map(({ policy, visitsPerPageAndDay, requestsPerDay, freshness, ageDays, requests }): Cell[] => {
      const base = uniform.get(visitsPerPageAndDay);
      const gain = base === undefined || policy === 'uniform' ? undefined : pointsText(freshness - base.freshness);
      return [budgetText(visitsPerPageAndDay), requestsPerDay, policy, percent(freshness, 2), gain, ageDays, requests];
    }),
  };
}

function goalTable({ goals }: LaboratoryReport): TitledTable {
  return {
    title: goals.length === 0 ? '' : `What ${percent(goals[0].goal, 1)} freshness costs`,
    columns: ['policy', 'requests/day', 'visits/page/day', 'by formula, requests/day'],
    rows: goals.map(({ policy, requestsPerDay, visitsPerPageAndDay, forecastRequestsPerDay }): Cell[] => [
      policy,
      requestsPerDay ?? 'out of reach',
      visitsPerPageAndDay === undefined ? undefined : budgetText(visitsPerPageAndDay),
      forecastRequestsPerDay,
    ]),
  };
}

/** Cost down, policies across; every second point of the curve. */
function forecastTable(forecast: readonly ForecastMeasures[]): TitledTable {
  const policies = [...new Set(forecast.map(({ policy }) => policy))];
  const budgets = [...new Set(forecast.map(({ visitsPerPageAndDay }) => visitsPerPageAndDay))];
  return {
    title: 'Freshness by cost, by the formulas: for rates known in hindsight, and changes that come by chance',
    columns: ['requests/day', 'visits/page/day', ...policies],
    rows: budgets
      .filter((_, at) => at % 2 === 0)
      .map((budget): Cell[] => {
        const own = forecast.filter(({ visitsPerPageAndDay }) => visitsPerPageAndDay === budget);
        const of = (policy: string): string | undefined =>
          percent(own.find((one) => one.policy === policy)?.freshness, 2);
        return [own[0].requestsPerDay, budgetText(budget), ...policies.map(of)];
      }),
  };
}

function orderTable(orders: readonly OrderMeasures[]): TitledTable {
  const shares = ORDER_SHARES.filter((share) => orders.some((order) => pointAt(order, share) !== undefined));
  const breadth = orders.find(({ order }) => order === 'breadth-first');
  const compared = shares.includes(0.1) && breadth !== undefined && orders.length > 1;
  return {
    title: 'Orders: share of all PageRank in the pages fetched',
    columns: [
      'order',
      ...shares.map((share) => `${100 * share} % of pages`),
      ...(compared ? ['× breadth-first at 10 %'] : []),
      ...(shares.length < ORDER_SHARES.length ? ['at the end'] : []),
      'requests',
    ],
    rows: orders.map((order): Cell[] => {
      const at = (share: number): OrderPoint | undefined => pointAt(order, share);
      const ours = at(0.1)?.pageRank;
      const theirs = breadth === undefined ? undefined : pointAt(breadth, 0.1)?.pageRank;
      return [
        order.order,
        ...shares.map((share) => percent(at(share)?.pageRank, 1)),
        ...(compared
          ? [ours === undefined || theirs === undefined ? undefined : `${(ours / theirs).toFixed(2)}×`]
          : []),
        ...(shares.length < ORDER_SHARES.length ? [percent(order.course.at(-1)?.pageRank, 1)] : []),
        order.requests,
      ];
    }),
  };
}

function harvestTable(orders: readonly OrderMeasures[]): TitledTable {
  const focused = orders.filter(({ course }) => course.some(({ harvestRate }) => harvestRate !== undefined));
  const shares = ORDER_SHARES.filter((share) => focused.some((order) => pointAt(order, share) !== undefined));
  return {
    title: 'Harvest: share of pages on the topic among those fetched, and of all pages on the topic found',
    columns: ['order', ...shares.flatMap((share) => [`harvest at ${100 * share} %`, 'found'])],
    rows: focused.map((order): Cell[] => [
      order.order,
      ...shares.flatMap((share) => {
        const point = pointAt(order, share);
        return [percent(point?.harvestRate, 1), percent(point?.recall, 1)];
      }),
    ]),
  };
}

function modesTable(modes: readonly ClusterMeasures[]): TitledTable {
  const orders = Object.keys(modes[0]?.quality ?? {});
  return {
    title: `Nodes: modes of sharing a crawl (${modes.at(-1)?.mode.nodes ?? 0} nodes)`,
    columns: [
      ...['mode', 'coverage', 'overlap', 'coverage at the end', 'overlap at the end'],
      ...orders.map((order) => `quality, ${order}`),
      ...['links sent/page', 'messages/page', 'busiest node'],
    ],
    rows: modes.map((one): Cell[] => [
      ...[one.name, percent(one.coverage, 1), percent(one.overlap, 1)],
      ...[percent(one.finalCoverage, 1), percent(one.finalOverlap, 1)],
      ...orders.map((order) => percent(one.quality[order], 1)),
      ...[one.linksPerPage.toFixed(2), one.messagesPerPage.toFixed(2), percent(one.largestShare, 0)],
    ]),
  };
}

function exchangeTable(variants: readonly ClusterMeasures[]): TitledTable {
  const [plain] = variants;
  const saved = (now: number, before: number): string | undefined =>
    before === 0 ? undefined : percent(1 - now / before, 0);
  return {
    title: 'Nodes: what batches, and links that are not sent again, save of the exchange',
    columns: ['exchange', 'partitions/node', 'links sent/page', 'saved', 'messages/page', 'saved'],
    rows: variants.map(({ name, mode, linksPerPage, messagesPerPage }): Cell[] => [
      ...[name, mode.partitions],
      ...[linksPerPage.toFixed(2), saved(linksPerPage, plain.linksPerPage)],
      ...[messagesPerPage.toFixed(2), saved(messagesPerPage, plain.messagesPerPage)],
    ]),
  };
}

function frontierTable(frontiers: readonly FrontierMeasures[]): TitledTable {
  return {
    title: 'Frontiers: threads at work, and share of all PageRank in the pages fetched',
    columns: [
      ...['order', 'selector', 'back queues', 'threads busy', 'fetch times'],
      ...QUALITY_SHARES.map((share) => `${100 * share} % of pages`),
      'waiting in back queues',
    ],
    rows: frontiers.map(({ order, choice, backQueues, busy, fetchTimes, pageRank, boundShare }): Cell[] => [
      ...[order, choice, backQueues === undefined ? 'one per host' : String(backQueues), percent(busy, 1)],
      Math.round(fetchTimes),
      ...QUALITY_SHARES.map((_, at) => percent(pageRank[at], 1)),
      percent(boundShare, 0),
    ]),
  };
}

/** The first point by which so large a share of the pages was fetched, if the crawl came that far. */
function pointAt({ course }: OrderMeasures, share: number): OrderPoint | undefined {
  // A share of the pages is seldom a whole number of them.
  return course.find((point) => point.pages >= Math.round((share * point.pages) / point.share));
}

function percent(share: number | undefined, digits: number): string | undefined {
  return share === undefined ? undefined : `${(100 * share).toFixed(digits)} %`;
}

function pointsText(difference: number): string {
  const points = Math.round(1e4 * difference) / 100;
  return `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(2)}`;
}

function budgetText(visits: number): string {
  return `${Number(visits.toPrecision(3))}`;
}
