import type { AgePoint } from '../../../crawl/quality/age-curve.ts';
import type { CrawlQuality } from '../../../crawl/quality/measure-quality.ts';
import type { RankBin, RankCurve } from '../../../crawl/quality/rank-curve.ts';
import { time } from '../../../crawl/report/format-turn.ts';
import { textTable } from '../../../laboratory/plots/text-table.ts';
import { counted, percent, writtenDuration } from '../../output/written-amount.ts';

const DAY_MS = 86_400_000;
/** Bins that `status` names one by one: the first, and the last. */
const SHOWN_FIRST = 5;
const SHOWN_LAST = 3;
/** Rows of the table of ages. */
const AGE_ROWS = 12;

/** For a terminal: both curves as tables, with what is measured and what is estimated. */
export function formatQuality(name: string, quality: CrawlQuality): string {
  const { pages, from, to, age } = quality;
  if (from === undefined || to === undefined) return `${name} holds no page yet\n`;
  return `${[
    `${name}: ${counted(pages, 'page')}, first fetched from ${time(from)} on, last visited ${time(to)}`,
    ...rankTable(quality),
    'Age of the copies, on average. Measured: the time since the last visit. Estimated: the time since the page is another than its copy,\nby its rate of change ("age"), and by what the next visit found, where there was one ("looked again").',
    ageTable(age),
    ...(age.some(({ ageDays }) => ageDays !== undefined)
      ? []
      : ['No rates of change are known: they are estimated by a crawl with --continuous.']),
  ].join('\n\n')}\n`;
}

/** For `status`. */
export function qualityLines({ pageRank, age, measuredAt }: CrawlQuality): string[] {
  const asOf = `as of ${time(measuredAt)}`;
  const last = age.at(-1);
  const ageText =
    last === undefined
      ? undefined
      : `at ${time(last.at)} copies had been visited ${days(last.sinceVisitDays)} before${last.ageDays === undefined ? '' : ` and were outdated for ${days(last.ageDays)} (estimated)`}, on average`;
  return [
    ...(pageRank === undefined || pageRank.bins.length === 0
      ? []
      : [
          `  quality   PageRank of the pages by the ${stepName(pageRank)} they came in, 1 = average (${asOf}):`,
          `            ${shownBins(pageRank.bins)}`,
        ]),
    ...(ageText === undefined ? [] : [`  age       ${ageText}`]),
  ];
}

/** Columns of which nothing is known are left out. */
function ageTable(age: readonly AgePoint[]): string {
  const isRated = age.some(({ ageDays }) => ageDays !== undefined);
  const isLooked = age.some(({ looked }) => looked > 0);
  return textTable({
    columns: [
      ...['time', 'copies', 'since visit', ...(isRated ? ['age'] : [])],
      ...(isLooked ? ['looked again', 'found unchanged', 'age by that'] : []),
    ],
    rows: spread(age, AGE_ROWS).map((point) => [
      ...[time(point.at), point.copies.toLocaleString('en'), days(point.sinceVisitDays)],
      ...(isRated ? [days(point.ageDays)] : []),
      ...(isLooked ? [percent(point.looked / point.copies), unchangedShare(point), days(point.lookedAgeDays)] : []),
    ]),
  });
}

function rankTable({ pageRank, pages }: CrawlQuality): string[] {
  if (pageRank === undefined)
    return ['PageRank needs the links between pages, which are gathered with the search index: orbweaver index'];
  const { bins, by, ranked } = pageRank;
  const unranked = pages - ranked;
  return [
    `PageRank of the pages by the ${stepName(pageRank)} of their first fetch: measured, on the links as they are known now; 1 is the average of all.`,
    textTable({
      columns: [by, 'pages', 'PageRank'],
      rows: bins.map((bin, at) => [binName(by, bin, at), bin.pages.toLocaleString('en'), bin.pageRank.toFixed(2)]),
    }),
    ...(unranked === 0 ? [] : [`Left out: ${counted(unranked, 'page')} of which no links were gathered.`]),
  ];
}

function binName(by: RankCurve['by'], { from }: RankBin, at: number): string {
  const iso = new Date(from).toISOString();
  if (by === 'day') return iso.slice(0, 10);
  return by === 'hour' ? `${iso.slice(0, 10)} ${iso.slice(11, 13)} h` : `${at + 1}, from ${iso.slice(11, 19)}`;
}

function stepName({ by }: Pick<RankCurve, 'by'>): string {
  return by === 'tenth' ? 'tenth of the crawl' : by;
}

function shownBins(bins: readonly RankBin[]): string {
  const texts = bins.map(({ pageRank }) => pageRank.toFixed(2));
  if (texts.length <= 2 * SHOWN_FIRST) return texts.join('  ');
  const left = texts.length - SHOWN_FIRST - SHOWN_LAST;
  return `${texts.slice(0, SHOWN_FIRST).join('  ')}  … ${left} more …  ${texts.slice(-SHOWN_LAST).join('  ')}`;
}

function unchangedShare({ looked, unchanged }: AgePoint): string {
  return looked === 0 ? '-' : percent(unchanged / looked);
}

function days(value: number | undefined): string {
  return value === undefined ? '-' : writtenDuration(value * DAY_MS);
}

/** So many of them at most, evenly, the last among them. */
function spread<T>(values: readonly T[], most: number): T[] {
  if (values.length <= most) return [...values];
  return Array.from({ length: most }, (_, at) => values[Math.round(((at + 1) * values.length) / most) - 1]);
}
