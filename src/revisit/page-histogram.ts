import type { RevisitPolicyName } from '../contracts/revisit.ts';
import { ageOf, freshnessOf } from './freshness-and-age.ts';
import { changesPerVisitWorth, WORTHIEST_CHANGES, worthScale } from './visit-worth.ts';

/** Pages of about the same rate and weight. */
interface Cell {
  rate: number;
  readonly weight: number;
  pages: number;
}

/** Bin of the rate, null where it is not known; bin of the weight; pages. */
export type CellSnapshot = readonly [number | null, number, number];

/** What a plan costs and gives. */
export interface PlanMeasures {
  readonly requestsPerDay: number;
  readonly freshness: number;
  readonly ageDays: number;
}

/** How often a page may and must be visited at all, per day. */
export interface FrequencyBounds {
  readonly least: number;
  readonly most: number;
  /**
   * At least, for a page that changes so fast that it would be worth less, were it still faster. It never lifts a page above
   * the frequency at which it would not be fast any more: else a page that matters more could be visited less.
   */
  readonly leastOfFast: number;
}

const RATE_BINS_PER_OCTAVE = 12;
const WEIGHT_BINS_PER_OCTAVE = 2;
const MIN_RATE = 1e-6;
const MAX_RATE = 1e4;
const MIN_WEIGHT = 1 / 1024;
const MAX_WEIGHT = 1024;
const LEAST_EFFORT = 1e-12;
const MOST_EFFORT = 1e12;
/** Row of the pages of which nothing is known yet, where others have the bin of their rate. */
const UNTRIED = Number.NEGATIVE_INFINITY;

/** How many pages change how often and matter how much: the population as a planner knows it, of a fixed size. */
export class PageHistogram {
  /** By rate, then by weight. */
  readonly #rows = new Map<number, Map<number, Cell>>();
  /** The same in one piece; undefined when a cell came or went. */
  #all: Cell[] | undefined;
  #pages = 0;
  #untriedRate = 1;

  constructor(kept: readonly CellSnapshot[] = []) {
    for (const [rateBin, weightBin, pages] of kept) this.#change(rateBin ?? UNTRIED, weightBin, pages);
  }

  get pages(): number {
    return this.#pages;
  }

  /**
   * What pages that were never seen again are taken for by now. They stay in the count for as long as it takes until their
   * turn comes; were they counted by what was believed when they came, the price would long be wrong for all others.
   */
  takeUntriedFor(rate: number): void {
    this.#untriedRate = rate;
    for (const cell of this.#rows.get(UNTRIED)?.values() ?? []) cell.rate = rate;
  }

  /** `rate` undefined: untried. */
  add(rate: number | undefined, weight: number): void {
    this.#change(rateBinOf(rate), weightBinOf(weight), 1);
  }

  /** The weight that a page had when it was counted in may have changed or be unknown; its row is what must be right. */
  remove(rate: number | undefined, weight: number): void {
    const row = this.#rows.get(rateBinOf(rate));
    if (row === undefined) return;
    const wanted = weightBinOf(weight);
    let nearest: number | undefined;
    for (const [bin, cell] of row) {
      if (cell.pages < 1) continue;
      if (nearest === undefined || Math.abs(bin - wanted) < Math.abs(nearest - wanted)) nearest = bin;
    }
    if (nearest !== undefined) this.#change(rateBinOf(rate), nearest, -1);
  }

  /** What the plan of a policy gives with a given effort (see `frequencyOf`). */
  measure(policy: RevisitPolicyName, effort: number, bounds: FrequencyBounds): PlanMeasures {
    let requestsPerDay = 0;
    let fresh = 0;
    let age = 0;
    let weights = 0;
    for (const { rate, weight, pages } of this.#cells()) {
      const frequency = frequencyOf(policy, effort, rate, weight, bounds);
      requestsPerDay += pages * frequency;
      fresh += pages * weight * freshnessOf(rate, frequency);
      age += pages * weight * ageOf(rate, frequency);
      weights += pages * weight;
    }
    return { requestsPerDay, freshness: weights > 0 ? fresh / weights : 1, ageDays: weights > 0 ? age / weights : 0 };
  }

  /** Requests per day of the plan. */
  costOf(policy: RevisitPolicyName, effort: number, bounds: FrequencyBounds): number {
    let sum = 0;
    for (const { rate, weight, pages } of this.#cells())
      sum += pages * frequencyOf(policy, effort, rate, weight, bounds);
    return sum;
  }

  /** Visits per day that are already planned for a time this many days ahead, if all goes its even course. */
  plannedAhead(policy: RevisitPolicyName, effort: number, bounds: FrequencyBounds): (days: number) => number {
    const plans = this.#cells()
      .map(({ rate, weight, pages }) => {
        const frequency = frequencyOf(policy, effort, rate, weight, bounds);
        return { interval: 1 / frequency, visits: pages * frequency };
      })
      .sort((a, b) => b.interval - a.interval);
    const intervals = Float64Array.from(plans, ({ interval }) => interval);
    const visits = Float64Array.from(plans, (plan) => plan.visits);
    for (let at = 1; at < visits.length; at++) visits[at] += visits[at - 1];
    return (days) => {
      let low = 0;
      let high = intervals.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (intervals[middle] > days) low = middle + 1;
        else high = middle;
      }
      return low === 0 ? 0 : visits[low - 1];
    };
  }

  /** The effort at which the plan costs this many requests per day, or reaches such a freshness; `near` it, if that is known. */
  effortFor(
    policy: RevisitPolicyName,
    goal: { readonly requestsPerDay: number } | { readonly freshness: number },
    bounds: FrequencyBounds,
    near = 1,
  ): number {
    const enough = (effort: number): boolean =>
      'freshness' in goal
        ? this.measure(policy, effort, bounds).freshness >= goal.freshness
        : this.costOf(policy, effort, bounds) >= goal.requestsPerDay;
    let low = near;
    let high = near;
    for (let factor = 1.05; enough(low) && low > LEAST_EFFORT; factor *= factor) low /= factor;
    for (let factor = 1.05; !enough(high) && high < MOST_EFFORT; factor *= factor) high *= factor;
    while (high / low > 1 + 1e-4) {
      const middle = Math.sqrt(low * high);
      if (enough(middle)) high = middle;
      else low = middle;
    }
    return Math.sqrt(low * high);
  }

  toJSON(): CellSnapshot[] {
    return [...this.#rows].flatMap(([rateBin, row]) =>
      [...row].map(([weightBin, cell]): CellSnapshot => [rateBin === UNTRIED ? null : rateBin, weightBin, cell.pages]),
    );
  }

  #cells(): readonly Cell[] {
    this.#all ??= [...this.#rows.values()].flatMap((row) => [...row.values()]);
    return this.#all;
  }

  #change(rateBin: number, weightBin: number, pages: number): void {
    let row = this.#rows.get(rateBin);
    if (row === undefined) {
      row = new Map();
      this.#rows.set(rateBin, row);
    }
    let cell = row.get(weightBin);
    if (cell === undefined) {
      cell = {
        rate: rateBin === UNTRIED ? this.#untriedRate : 2 ** (rateBin / RATE_BINS_PER_OCTAVE),
        weight: 2 ** (weightBin / WEIGHT_BINS_PER_OCTAVE),
        pages: 0,
      };
      row.set(weightBin, cell);
      this.#all = undefined;
    }
    cell.pages += pages;
    this.#pages += pages;
    if (cell.pages <= 0) {
      row.delete(weightBin);
      this.#all = undefined;
    }
  }
}

/**
 * Visits per day of a page under a policy. The effort is what a budget or a goal fixes: for uniform the frequency itself, for
 * proportional visits per change, for the others the inverse of the price that a visit must be worth.
 */
export function frequencyOf(
  policy: RevisitPolicyName,
  effort: number,
  rate: number,
  weight: number,
  bounds: FrequencyBounds,
): number {
  const wanted = wantedFrequency(policy, effort, rate, weight);
  const leastOfFast = policy === 'freshness' ? Math.min(bounds.leastOfFast, rate / WORTHIEST_CHANGES) : 0;
  return Math.min(bounds.most, Math.max(bounds.least, leastOfFast, wanted));
}

function wantedFrequency(policy: RevisitPolicyName, effort: number, rate: number, weight: number): number {
  if (policy === 'uniform') return effort;
  if (policy === 'proportional') return effort * rate;
  return rate / changesPerVisitWorth(policy, worthScale(policy, rate, weight) / effort);
}

function rateBinOf(rate: number | undefined): number {
  if (rate === undefined) return UNTRIED;
  return Math.round(Math.log2(Math.min(MAX_RATE, Math.max(MIN_RATE, rate))) * RATE_BINS_PER_OCTAVE);
}

function weightBinOf(weight: number): number {
  return Math.round(Math.log2(Math.min(MAX_WEIGHT, Math.max(MIN_WEIGHT, weight))) * WEIGHT_BINS_PER_OCTAVE);
}
