import type { AgePoint } from '../../../crawl/quality/age-curve.ts';
import type { CrawlQuality } from '../../../crawl/quality/measure-quality.ts';
import type { RankCurve } from '../../../crawl/quality/rank-curve.ts';
import type { Chart, Line } from '../../../laboratory/plots/chart.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** A crawl that took less is shown in hours, and one of minutes in minutes. */
const FEW_UNITS = 3;

/** Both curves as plots; none where there is nothing to draw. */
export function qualityCharts({ pageRank, age, from = 0 }: CrawlQuality): Chart[] {
  return [
    ...(pageRank === undefined || pageRank.bins.length === 0 ? [] : [rankChart(pageRank, from)]),
    ...(age.length === 0 ? [] : [ageChart(age, from)]),
  ];
}

function rankChart({ by, bins }: RankCurve, from: number): Chart {
  const stepMs = by === 'day' ? DAY_MS : HOUR_MS;
  const begin = Math.floor(from / stepMs) * stepMs;
  const place = (at: number): number =>
    by === 'tenth' ? (at + 1) / bins.length : (bins[at].from - begin) / stepMs + 1;
  const points = bins.map(({ pageRank }, at): [number, number] => [place(at), pageRank]);
  return {
    kind: 'lines',
    name: 'quality',
    title: `Average PageRank by ${by === 'tenth' ? 'tenth' : by} of the crawl`,
    x: by === 'tenth' ? 'pages fetched' : `${by} of the crawl`,
    y: 'PageRank of the pages first fetched, 1 = average of all',
    lines: [
      { label: 'pages fetched', points },
      { label: 'average', dashed: true, points: [points[0], points[points.length - 1]].map(([x]) => [x, 1] as const) },
    ],
    ...(by === 'tenth' ? { xAxis: { percent: true } } : {}),
  };
}

function ageChart(age: readonly AgePoint[], from: number): Chart {
  const across = unitFor(age[age.length - 1].at - from);
  const up = unitFor(Math.max(...age.map(({ sinceVisitDays }) => sinceVisitDays)) * DAY_MS);
  const line = (label: string, daysOf: (point: AgePoint) => number | undefined, dashed = false): Line => ({
    label,
    ...(dashed ? { dashed } : {}),
    points: age.flatMap((point) => {
      const days = daysOf(point);
      return days === undefined ? [] : [[(point.at - from) / across.ms, (days * DAY_MS) / up.ms] as const];
    }),
  });
  const lines = [
    line('since last visit', ({ sinceVisitDays }) => sinceVisitDays),
    line('age, estimated', ({ ageDays }) => ageDays, true),
    line('age by the next visit', ({ lookedAgeDays }) => lookedAgeDays, true),
  ];
  const drawn = lines.filter(({ points }) => points.length > 0);
  return {
    kind: 'lines',
    name: 'age',
    // One line has no name beside it.
    title:
      drawn.length > 1 ? 'Age of the copies over the course of the crawl' : 'Time since the last visit of the copies',
    x: `${across.name} since the first fetch`,
    y: `${up.name}, average of all copies`,
    lines: drawn,
  };
}

function unitFor(ms: number): { readonly ms: number; readonly name: string } {
  if (ms >= FEW_UNITS * DAY_MS) return { ms: DAY_MS, name: 'days' };
  return ms >= FEW_UNITS * HOUR_MS ? { ms: HOUR_MS, name: 'hours' } : { ms: 60_000, name: 'minutes' };
}
