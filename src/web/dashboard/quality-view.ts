import type { AgePoint } from '../../crawl/quality/age-curve.ts';
import type { CrawlQuality } from '../../crawl/quality/measure-quality.ts';
import type { RankCurve } from '../../crawl/quality/rank-curve.ts';
import { card } from '../frame/data-table.ts';
import { type Html, html } from '../frame/html.ts';
import { formatCount, formatDuration } from '../frame/written-amount.ts';
import { writtenMinute } from '../frame/written-date.ts';
import type { TimeBins } from './time-bins.ts';
import { timeChart } from './time-chart.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MOST_COLUMNS = 120;

/** How good the pages were that came first, and how old the copies were, over the course of the crawl. */
export function qualityView({ measuredAt, pages, pageRank, age }: CrawlQuality): Html {
  const ages = (title: string, daysOf: (point: AgePoint) => number | undefined): Html | false =>
    age.length > 1 &&
    age.some((point) => daysOf(point) !== undefined) &&
    timeChart({ title, bins: ageBins(age, daysOf), format: (days) => formatDuration(days * DAY_MS) });
  const charts = html`<div class="charts">
${pageRank !== undefined && pageRank.by !== 'tenth' && pageRank.bins.length > 0 && timeChart({ title: `PageRank by the ${pageRank.by} of the first fetch, 1 = average`, bins: rankBins(pageRank), format: (rank) => rank.toFixed(2) })}
${ages('Time since the last visit of a copy', ({ sinceVisitDays }) => sinceVisitDays)}
${ages('Age of a copy, estimated by rates of change', ({ ageDays }) => ageDays)}
</div>`;
  return card(
    'Quality over time',
    html`<p class="quiet">Averages of ${formatCount(pages)} ${pages === 1 ? 'page' : 'pages'}, as of ${writtenMinute(measuredAt)}; measured again by <code>orbweaver quality</code>.</p>
${charts}${pageRank?.by === 'tenth' && tenths(pageRank)}`,
  );
}

/** A short crawl has no days: its pages in the order in which they came. */
function tenths({ bins }: RankCurve): Html {
  const most = Math.max(...bins.map(({ pageRank }) => pageRank));
  const rows = bins.map(
    ({ pageRank }, at) =>
      html`<li><span>Tenth ${at + 1}</span><meter min="0" max="${most}" value="${pageRank}" aria-hidden="true"></meter><b>${pageRank.toFixed(2)}</b></li>`,
  );
  return html`<h3>PageRank of the pages in the order of their first fetch, 1 = average</h3><ul class="counts">${rows}</ul>`;
}

/** Steps of many days together, so that there are no more columns than can be told apart. */
function rankBins({ by, bins }: RankCurve): TimeBins {
  const unitMs = by === 'day' ? DAY_MS : HOUR_MS;
  const from = bins[0].from;
  const units = Math.round((bins[bins.length - 1].to - from) / unitMs);
  const stepMs = unitMs * Math.ceil(units / MOST_COLUMNS);
  const steps = Math.ceil((units * unitMs) / stepMs);
  const sums = new Float64Array(steps);
  const pages = new Float64Array(steps);
  for (const bin of bins) {
    const step = Math.floor((bin.from - from) / stepMs);
    sums[step] += bin.pageRank * bin.pages;
    pages[step] += bin.pages;
  }
  return { from, stepMs, values: Array.from(sums, (sum, step) => (pages[step] === 0 ? undefined : sum / pages[step])) };
}

function ageBins(age: readonly AgePoint[], daysOf: (point: AgePoint) => number | undefined): TimeBins {
  const from = age[0].at;
  const stepMs = age[1].at - from;
  const values: (number | undefined)[] = Array.from({
    length: Math.round((age[age.length - 1].at - from) / stepMs) + 1,
  });
  for (const point of age) values[Math.round((point.at - from) / stepMs)] = daysOf(point);
  return { from, stepMs, values };
}
