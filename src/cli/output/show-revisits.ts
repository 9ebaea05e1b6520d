import type { RevisitPolicyName } from '../../contracts/revisit.ts';
import type { CrawlStatus, RevisitStatus } from '../../crawl/report/crawl-status.ts';
import { counted, percent, writtenBytes, writtenCount, writtenDuration } from './written-amount.ts';

const DAY = 86_400_000;
/** Ways to spend the same requests that a reader may have thought of. */
const COMPARED: readonly RevisitPolicyName[] = ['uniform', 'proportional'];

/** How fresh a continuous crawl keeps its pages, what it costs, and what the plain ways would give for it. */
export function formatSchedule({
  planned,
  upkeep,
  totals,
}: Pick<CrawlStatus, 'planned' | 'upkeep' | 'totals'>): string[] {
  if (upkeep === undefined) return [];
  const looks = Object.values(totals.revisits ?? {}).reduce((sum, count) => sum + count, 0);
  const { forecast, policy, due } = upkeep;
  const figures = [
    { policy, ...forecast },
    ...COMPARED.flatMap((name) => forecast.others.filter((other) => other.policy === name)),
  ];
  const width = Math.max(...figures.map((one) => one.policy.length)) + 2;
  return [
    `  upkeep    ${counted(planned, 'page')} to be visited again${due > 0 ? `, ${due} of them due` : ''}; ${formatCost(upkeep)}`,
    ...(upkeep.full === undefined
      ? []
      : [`            max-pages (${upkeep.full}) is reached: no new pages are taken in`]),
    ...(upkeep.dry === undefined ? [] : ['            dry-after is reached: no new pages are taken in']),
    ...formatHeads(upkeep.heads),
    `            expected of it, and of the same requests spent in other ways, ${grounds(looks, planned)}:`,
    `            ${''.padEnd(width)}${'fresh'.padStart(7)}   age`,
    ...figures.map(
      ({ policy: name, freshness, ageDays }) =>
        `            ${name.padEnd(width)}${percent(freshness, 1).padStart(7)}   ${writtenDuration(ageDays * DAY)}`,
    ),
  ];
}

/** A forecast is as good as what it rests on; the reader should know how much that is. */
function grounds(looks: number, pages: number): string {
  if (looks === 0) return 'by a guess, since no page was visited again yet';
  if (looks < 2 * pages) return `by only ${counted(looks, 'visit')} so far`;
  return `by ${counted(looks, 'visit')}`;
}

function formatHeads(heads: RevisitStatus['heads']): string[] {
  if (heads === undefined || heads.asked === 0) return [];
  const { asked, settled, spared, believed, refusing } = heads;
  const known = `lengths are believed on ${counted(believed, 'host')}`;
  const deaf = refusing === 0 ? '' : `; ${counted(refusing, 'host')} will not be asked so`;
  return [
    `            HEAD settled ${settled} of ${counted(asked, 'visit')} where it was tried, ${writtenBytes(spared)} not sent; ${known}${deaf}`,
  ];
}

function formatCost({ forecast, freshnessGoal, requestsPerDay }: RevisitStatus): string {
  const { requestsPerDay: cost, freshness, asOftenAsAllowed = false } = forecast;
  const perDay = `${cost < 10 ? cost.toFixed(1) : writtenCount(cost)} requests a day`;
  if (freshnessGoal !== undefined) {
    const goal = `the goal of ${percent(freshnessGoal, 1)} fresh`;
    if (freshness < freshnessGoal - 0.005)
      return `${goal} is out of reach: with ${perDay}, as many as revisit-min allows, it is ${percent(freshness, 1)}`;
    const spare = freshness > freshnessGoal + 0.02;
    return `${goal} costs ${perDay}${spare ? '; that is more than it needs, because revisit-max allows no fewer visits' : ''}`;
  }
  if (requestsPerDay !== undefined) {
    const idle = asOftenAsAllowed && cost < 0.9 * requestsPerDay;
    return `${perDay} planned, ${requestsPerDay.toLocaleString('en')} allowed${idle ? '; revisit-min allows no more visits' : ''}`;
  }
  return `${perDay}, one for each page in a week (requests-per-day or freshness-goal change it)`;
}
