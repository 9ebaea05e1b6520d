import { EARLY_SHARE } from '../compare-orders.ts';
import type { BarChart, Chart, Line, LineChart } from '../plots/chart.ts';
import type {
  CoursePoint,
  ForecastMeasures,
  FrontierMeasures,
  GoalMeasures,
  LaboratoryReport,
  OrderMeasures,
  OrderPoint,
  RevisitMeasures,
} from './laboratory-report.ts';

const BUDGET_AXIS = 'budget, visits per page and day';
const PLAIN = new Set(['uniform', 'proportional', 'breadth-first', 'depth-first']);

/** The plots of a report, each with a name for its file. */
export function reportCharts(report: LaboratoryReport): Chart[] {
  return [
    ...(report.revisits.length === 0 ? [] : revisitCharts(report.revisits)),
    ...(report.forecast.length === 0 ? [] : [forecastChart(report.forecast)]),
    ...goalChart(report.goals),
    ...(report.orders.length === 0 ? [] : orderCharts(report.orders)),
    ...frontierCharts(report.frontiers ?? []),
  ];
}

/** For each order how busy the threads are. */
function frontierCharts(frontiers: readonly FrontierMeasures[]): BarChart[] {
  return Array.from(
    Map.groupBy(frontiers, ({ order }) => order),
    ([order, own], at) => ({
      ...{
        kind: 'bars',
        name: `threads-busy-${at + 1}`,
        title: `Threads at work, ${order}`,
        unit: 'share of the threads',
      },
      percent: true,
      bars: own.map(({ choice, backQueues, busy }) => ({
        label: `${backQueues === undefined ? 'a queue for every host' : `${backQueues} back queues`}, ${choice}`,
        value: busy,
        ...(backQueues === undefined ? {} : { peer: true }),
      })),
    }),
  );
}

function revisitCharts(revisits: readonly RevisitMeasures[]): Chart[] {
  const budgets = [...new Set(revisits.map(({ visitsPerPageAndDay }) => visitsPerPageAndDay))];
  const over = budgets.length > 1 ? overBudgets(revisits) : atOneBudget(revisits);
  return [...over, ...budgets.flatMap((budget, at) => overTime(revisits, budget, at))];
}

function overBudgets(revisits: readonly RevisitMeasures[]): LineChart[] {
  const lines = (value: (one: RevisitMeasures) => number): Line[] =>
    Array.from(
      Map.groupBy(revisits, ({ policy }) => policy),
      ([label, own]) => ({
        label,
        points: own
          .map((one): [number, number] => [one.visitsPerPageAndDay, value(one)])
          .sort(([one], [other]) => one - other),
      }),
    );
  return [
    {
      ...{ kind: 'lines', name: 'freshness-by-budget', title: 'Freshness by budget' },
      ...{ x: BUDGET_AXIS, y: 'freshness: share of copies that are right, mean over time' },
      xAxis: { log: true },
      yAxis: { percent: true, from: 'data' },
      lines: lines(({ freshness }) => freshness),
    },
    {
      ...{ kind: 'lines', name: 'age-by-budget', title: 'Age by budget' },
      ...{ x: BUDGET_AXIS, y: 'age: days since a copy ceased to be right, mean over pages and time' },
      xAxis: { log: true },
      yAxis: { log: true },
      lines: lines(({ ageDays }) => ageDays),
    },
  ];
}

function atOneBudget(revisits: readonly RevisitMeasures[]): BarChart[] {
  const budget = `at ${revisits[0].visitsPerPageAndDay} visits per page and day`;
  const bars = (value: (one: RevisitMeasures) => number): BarChart['bars'] =>
    revisits.map((one) => ({ label: one.policy, value: value(one), peer: PLAIN.has(one.policy) }));
  return [
    {
      ...{ kind: 'bars', name: 'freshness-by-policy', title: `Freshness ${budget}`, percent: true },
      unit: 'share of copies that are right, mean over time (more is better)',
      bars: bars(({ freshness }) => freshness),
    },
    {
      ...{ kind: 'bars', name: 'age-by-policy', title: `Age ${budget}` },
      unit: 'days since a copy ceased to be right, mean over pages and time (less is better)',
      bars: bars(({ ageDays }) => ageDays),
    },
  ];
}

function overTime(revisits: readonly RevisitMeasures[], budget: number, at: number): LineChart[] {
  const own = revisits.filter((one) => one.visitsPerPageAndDay === budget && one.course.length > 1);
  if (own.length === 0) return [];
  const lines = (value: (point: CoursePoint) => number): Line[] =>
    own.map(({ policy, course }) => ({ label: policy, points: course.map((point) => [point.day, value(point)]) }));
  return [
    {
      ...{ kind: 'lines', name: `freshness-over-time-${at + 1}` },
      title: `Freshness over time at ${budget} visits per page and day`,
      ...{ x: 'time since the beginning, days', y: 'freshness: share of copies that are right' },
      yAxis: { percent: true, from: 'data' },
      lines: lines(({ freshness }) => freshness),
    },
  ];
}

function forecastChart(forecast: readonly ForecastMeasures[]): LineChart {
  return {
    ...{ kind: 'lines', name: 'forecast', title: 'What freshness costs, by the formulas' },
    ...{
      x: 'cost, requests per day',
      y: 'expected freshness, if the rates of change are known and changes come by chance',
    },
    xAxis: { log: true },
    yAxis: { percent: true, from: 'data' },
    lines: Array.from(
      Map.groupBy(forecast, ({ policy }) => policy),
      ([label, own]) => ({
        label,
        points: own.map((point) => [point.requestsPerDay, point.freshness]),
      }),
    ),
  };
}

function goalChart(goals: readonly GoalMeasures[]): BarChart[] {
  const reached = goals.flatMap(({ policy, requestsPerDay }) =>
    requestsPerDay === undefined ? [] : [{ label: policy, value: requestsPerDay, peer: PLAIN.has(policy) }],
  );
  if (reached.length === 0) return [];
  return [
    {
      ...{ kind: 'bars', name: 'cost-of-goal', title: `What ${100 * goals[0].goal} % freshness costs` },
      unit: 'requests per day (less is better)',
      bars: reached,
    },
  ];
}

function orderCharts(orders: readonly OrderMeasures[]): LineChart[] {
  const lines = (value: (point: OrderPoint) => number | undefined, upTo = 1): Line[] =>
    orders.map(({ order, course }) => ({
      label: order,
      points: [
        [0, 0] as const,
        ...course.filter(({ share }) => share <= upTo).map((point) => [point.share, value(point) ?? 0] as const),
      ],
    }));
  const beyond = orders.some(({ course }) => course.some(({ share }) => share > 2 * EARLY_SHARE));
  const harvested = orders.some(({ course }) => course.some(({ harvestRate }) => harvestRate !== undefined));
  const chart = (name: string, title: string, y: string, drawn: Line[]): LineChart => ({
    ...{ kind: 'lines', name, title, x: 'pages fetched, share of all pages', y },
    xAxis: { percent: true },
    yAxis: { percent: true },
    lines: drawn,
  });
  const ranks = 'PageRank of the pages fetched, share of all PageRank';
  const first = 'The right pages first';
  const rank = ({ pageRank }: OrderPoint): number => pageRank;
  const found = 'share of all pages on the topic';
  return [
    chart('pagerank-by-pages', first, ranks, lines(rank)),
    ...(beyond ? [chart('pagerank-early', `${first}: the beginning`, ranks, lines(rank, EARLY_SHARE))] : []),
    ...(harvested
      ? [
          chart(
            'found-by-pages',
            'Pages on the topic found',
            found,
            lines(({ recall }) => recall),
          ),
        ]
      : []),
  ];
}
