import type { RevisitPolicyName } from '../contracts/revisit.ts';
import type { CrawlStatus, UpkeepStatus } from '../crawl/crawl-reader.ts';
import { counted, percent, writtenCount, writtenDuration } from './written-amount.ts';

const DAY = 86_400_000;
/** Ways to spend the same requests that a reader may have thought of. */
const COMPARED: readonly RevisitPolicyName[] = ['uniform', 'proportional'];

/** How fresh a continuous crawl keeps its pages, what it costs, and what the plain ways would give for it. */
export function upkeepInWords({ planned, upkeep }: Pick<CrawlStatus, 'planned' | 'upkeep'>): string[] {
  if (upkeep === undefined) return [];
  const { forecast, policy, due } = upkeep;
  const figures = [
    { policy, ...forecast },
    ...COMPARED.flatMap((name) => forecast.others.filter((other) => other.policy === name)),
  ];
  const width = Math.max(...figures.map((one) => one.policy.length)) + 2;
  return [
    `  upkeep    ${counted(planned, 'page')} to be visited again${due > 0 ? `, ${due} of them due` : ''}; ${costInWords(upkeep)}`,
    `            expected of it, and of the same requests spent in other ways:`,
    `            ${''.padEnd(width)}${'fresh'.padStart(7)}   age`,
    ...figures.map(
      ({ policy: name, freshness, ageDays }) =>
        `            ${name.padEnd(width)}${percent(freshness, 1).padStart(7)}   ${writtenDuration(ageDays * DAY)}`,
    ),
  ];
}

function costInWords({ forecast, freshnessGoal, requestsPerDay }: UpkeepStatus): string {
  const { requestsPerDay: cost, freshness } = forecast;
  const perDay = `${cost < 10 ? cost.toFixed(1) : writtenCount(cost)} requests a day`;
  if (freshnessGoal !== undefined) {
    return `the goal of ${percent(freshnessGoal, 1)} fresh costs ${perDay}${apart(freshness - freshnessGoal)}`;
  }
  if (requestsPerDay !== undefined) return `${perDay} planned, ${requestsPerDay} allowed`;
  return `${perDay}, one for each page in a week (requests-per-day or freshness-goal change it)`;
}

/** Why a plan gives less than its goal, or more. */
function apart(points: number): string {
  if (points < -0.005) return ', which is out of reach: revisit-min allows no more visits';
  return points > 0.02 ? '; that is more than it needs, because revisit-max allows no fewer visits' : '';
}
