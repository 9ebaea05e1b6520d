/**
 * The best use of a budget of visits for many pages: `npx node bench/revisits.ts [--pages 1000000] [--seed 1]`.
 *
 * Rates and weights are log-normal (the middle page changes once in 30 days, one page in six ten times as often; one in six
 * matters three times as much). The share of the optimum is proven, not estimated: at any price for a visit the pages' best
 * worth less what their visits cost, plus the price of the whole budget, is more than any plan can reach (the Lagrangian dual),
 * and what the plan reaches is set against that. For age it is the other way round: the bound is what no plan can undercut.
 * Seconds are of CPU time on one core.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { textTable } from '../src/laboratory/plots/text-table.ts';
import { ageOf, freshnessOf } from '../src/revisit/freshness-and-age.ts';
import { optimalFrequencies } from '../src/revisit/optimal-frequencies.ts';
import { changesPerVisitWorth, type RevisitObjective, worthScale } from '../src/revisit/visit-worth.ts';

export interface SolverMeasures {
  readonly objective: RevisitObjective;
  readonly visitsPerPageAndDay: number;
  readonly cpuSeconds: number;
  /** Weighted mean freshness, or age in days. */
  readonly reached: number;
  readonly bound: number;
  /** At least this share of the optimum, 0 to 1. */
  readonly share: number;
  /** Visits planned to visits allowed. */
  readonly used: number;
}

export interface Population {
  readonly rates: Float64Array;
  readonly weights: Float64Array;
}

export function population(pages: number, seed: number): Population {
  const random = randomNumbers(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const rates = new Float64Array(pages);
  const weights = new Float64Array(pages);
  for (let page = 0; page < pages; page++) {
    rates[page] = (1 / 30) * 10 ** normal();
    weights[page] = 3 ** normal();
  }
  return { rates, weights };
}

export function measure(
  { rates, weights }: Population,
  objective: RevisitObjective,
  visitsPerPageAndDay: number,
): SolverMeasures {
  const budget = visitsPerPageAndDay * rates.length;
  const began = process.cpuUsage();
  const { frequencies, price } = optimalFrequencies(rates, weights, budget, objective);
  const { user, system } = process.cpuUsage(began);
  const measureOf = objective === 'freshness' ? freshnessOf : ageOf;
  const sign = objective === 'freshness' ? 1 : -1;
  let reached = 0;
  let bound = sign * price * budget;
  let all = 0;
  let visits = 0;
  for (let page = 0; page < rates.length; page++) {
    const [rate, weight] = [rates[page], weights[page]];
    const alone = rate / changesPerVisitWorth(objective, price * worthScale(objective, rate, weight));
    reached += weight * measureOf(rate, frequencies[page]);
    bound += weight * measureOf(rate, alone) - sign * price * alone;
    all += weight;
    visits += frequencies[page];
  }
  return {
    objective,
    visitsPerPageAndDay,
    cpuSeconds: (user + system) / 1e6,
    reached: reached / all,
    bound: bound / all,
    share: objective === 'freshness' ? reached / bound : bound / reached,
    used: visits / budget,
  };
}

/** Numbers in [0, 1), the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296;
  };
}

function main(): void {
  const { values } = parseArgs({
    options: { pages: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
  });
  const pages = population(Number(values.pages), Number(values.seed));
  const rows = [0.01, 0.1, 1].flatMap((budget) =>
    (['freshness', 'age'] as const).map((objective) => {
      const { cpuSeconds, reached, bound, share, used } = measure(pages, objective, budget);
      const figures = objective === 'freshness' ? [reached, bound].map(percent) : [reached, bound].map(inDays);
      return [
        objective,
        String(budget),
        cpuSeconds.toFixed(2),
        ...figures,
        `${(Math.floor(1e8 * share) / 1e6).toFixed(6)} %`,
        used.toFixed(9),
      ];
    }),
  );
  const columns = [
    ...['objective', 'visits/page/day', 'CPU s', 'reached', 'bound'],
    ...['share of the optimum, at least', 'budget used'],
  ];
  process.stdout.write(`${Number(values.pages)} pages\n${textTable({ columns, rows })}\n`);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(4)} %`;
}

function inDays(days: number): string {
  return `${days.toFixed(4)} days`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
