import type {
  ChangeHistory,
  ChangeObservation,
  ChangeSignal,
  NextVisit,
  PageWeight,
  RevisitForecast,
  RevisitPlanner,
  RevisitPolicyName,
} from '../contracts/revisit.ts';
import { BudgetPace } from './budget-pace.ts';
import { equivalentRate, expectedChanges } from './change-forecast.ts';
import {
  burstsOf,
  evidenceOf,
  isUntried,
  newHistory,
  nextHistory,
  presentSteadyRateOf,
  surenessOf,
  untriedRate,
} from './change-history.ts';
import { ChangePopulation } from './change-population.ts';
import { type CellSnapshot, type FrequencyBounds, frequencyOf, PageHistogram } from './page-histogram.ts';
import { SpareVisits } from './spare-visits.ts';
import { type CalendarSnapshot, type UsualPlan, VisitCalendar } from './visit-calendar.ts';
import { formatPace, formatSignal, type PaceReason } from './visit-reasons.ts';
import { type RevisitObjective, visitWorth, WORTHIEST_CHANGES, worthScale } from './visit-worth.ts';

export interface RevisitPlannerOptions {
  readonly policy: RevisitPolicyName;
  /** Budget: in all, or for each page known; one visit per page and week where nothing is said. */
  readonly requestsPerDay?: number;
  readonly requestsPerPageAndDay?: number;
  /** Instead of a budget: the share of pages, 0 to 1, that shall be as they are stored. */
  readonly freshnessGoal?: number;
  readonly minIntervalMs: number;
  readonly maxIntervalMs: number;
  readonly random: () => number;
  readonly now: number;
  /** All visits are planned again: what was planned for when is forgotten. */
  readonly reset?: boolean;
}

const DAY = 86_400_000;
const FIRST_RATE = 1 / 30;
const FIRST_CHANGES_PER_VISIT = 0.25;
const DEFAULT_PER_PAGE_AND_DAY = 1 / 7;
/** Of a small budget at most this share goes to looks that are not worth it by what is known. */
const RARE_LOOKS_SHARE = 0.1;
/** The effort is found again once so large a share of the pages was planned again. */
const SOLVE_AFTER_SHARE = 1 / 4;
/** Of what can be reached at all by visits as often as is allowed. The last bit would be beyond any price. */
const REACHED = 0.998;
const ALL_OF_THEM = 0.99;
const POLICIES: readonly RevisitPolicyName[] = ['uniform', 'proportional', 'freshness', 'age'];

interface PlannerSnapshot {
  readonly version: 1;
  readonly cells: CellSnapshot[];
  readonly population: unknown;
  readonly calendar?: CalendarSnapshot;
  /** Absent in folders of earlier versions. */
  readonly spare?: number;
}

/** A planner; `kept`: what an earlier one gave as `toJSON`, of whatever policy. */
export function createRevisitPlanner(options: RevisitPlannerOptions, kept?: unknown): RevisitPlanner {
  return new PricedRevisitPlanner(options, isKept(kept) ? kept : undefined);
}

/** See `RevisitPlanner`. A page's interval follows from its rate, its weight and the effort that the budget allows. */
class PricedRevisitPlanner implements RevisitPlanner {
  readonly #options: RevisitPlannerOptions;
  readonly #pages: PageHistogram;
  readonly #population: ChangePopulation;
  /** By which a visit is valued where the policy itself has no price. */
  readonly #objective: RevisitObjective;
  readonly #isLevelled: boolean;
  #effort = 1;
  #bounds: FrequencyBounds = { least: 0, most: Number.POSITIVE_INFINITY, leastOfFast: 0 };
  readonly #pace: BudgetPace;
  readonly #spare: SpareVisits;
  #plansUntilSolved = 0;
  readonly #calendar: VisitCalendar;
  #usual: UsualPlan = () => 0;

  constructor(options: RevisitPlannerOptions, kept: PlannerSnapshot | undefined) {
    this.#options = options;
    this.#objective = options.policy === 'age' ? 'age' : 'freshness';
    this.#pages = new PageHistogram(kept?.cells);
    this.#population = new ChangePopulation(() => this.#firstRate(), kept?.population);
    this.#pace = new BudgetPace(options.now);
    this.#spare = new SpareVisits(options.now, options.reset === true ? undefined : kept?.spare);
    this.#calendar = new VisitCalendar(options.reset === true ? undefined : kept?.calendar);
    // Where there is no budget, none is lost.
    this.#isLevelled = isPriced(options.policy) && options.freshnessGoal === undefined;
    this.#solve();
  }

  adopt(earlier: ChangeHistory, seen: ChangeObservation): ChangeHistory {
    this.#population.count(evidenceOf(earlier), 1);
    const history = seen.changed === undefined ? { ...earlier, visitedAt: seen.at } : this.observe(earlier, seen);
    return { ...history, since: seen.at };
  }

  observe(before: ChangeHistory | undefined, seen: ChangeObservation): ChangeHistory {
    const population = this.#population;
    if (before !== undefined) {
      const days = (seen.at - before.visitedAt) / DAY;
      if (days > 0) {
        const steady = presentSteadyRateOf(before, population);
        population.learn(steady, surenessOf(before, population), burstsOf(before), days, seen.changed === true);
      }
      population.count(evidenceOf(before), -1);
    }
    const history =
      before === undefined
        ? newHistory(seen, population, this.#rateOf)
        : nextHistory(before, seen, population, this.#rateOf);
    population.count(evidenceOf(history), 1);
    return history;
  }

  next(history: ChangeHistory, weight: PageWeight, before?: ChangeHistory): NextVisit {
    const matters = weightOf(weight);
    if (before !== undefined) {
      this.#visited(history.visitedAt);
      this.#pages.remove(countedRateOf(before), matters);
    }
    this.#pages.add(countedRateOf(history), matters);
    if (--this.#plansUntilSolved <= 0) this.#solve();
    const { policy } = this.#options;
    const frequency = frequencyOf(policy, this.#effort, history.rate, matters, this.#bounds);
    if (!(frequency > 0)) return { why: formatPace(history, 'hopeless', Number.POSITIVE_INFINITY) };
    const days = 1 / frequency;
    // Pages that were found together must not fall due together ever after.
    const spread = before === undefined && history.since === history.visitedAt;
    const reason = spread ? 'spread' : this.#reasonFor(history.rate, frequency);
    const { minIntervalMs } = this.#options;
    const soonest = history.visitedAt + minIntervalMs;
    const latest = history.visitedAt + days * DAY;
    const wanted = spread ? soonest + Math.max(minIntervalMs, latest - soonest) * (1 - this.#options.random()) : latest;
    return {
      at: this.#isLevelled ? this.#calendar.plan(history.visitedAt, wanted, this.#usual, soonest) : wanted,
      // Put into words only if somebody asks: it would take longer than all the rest.
      get why() {
        return formatPace(history, reason, days);
      },
    };
  }

  again(history: ChangeHistory, weight: PageWeight, now: number): NextVisit {
    const { policy, random, minIntervalMs } = this.#options;
    const matters = weightOf(weight);
    const frequency = frequencyOf(policy, this.#effort, history.rate, matters, this.#bounds);
    if (!(frequency > 0)) return { why: formatPace(history, 'hopeless', Number.POSITIVE_INFINITY) };
    const days = 1 / frequency;
    const reason = this.#reasonFor(history.rate, frequency);
    // A visit in the future was noted by a clock that was wrong.
    const visitedAt = Math.min(history.visitedAt, now);
    const due = visitedAt + days * DAY;
    const soonest = Math.max(now, visitedAt + minIntervalMs);
    // Those that would all be due at once, by the new settings or because they were found together, are spread.
    const spread = due <= now ? days * DAY : history.visits <= 1 ? due - now : 0;
    const wanted = Math.max(soonest, spread === 0 ? due : now + spread * random());
    return {
      at: this.#isLevelled ? this.#calendar.plan(now, wanted, this.#usual, soonest) : wanted,
      get why() {
        return formatPace(history, reason, days);
      },
    };
  }

  get longestIntervalMs(): number {
    const { least, leastOfFast } = this.#bounds;
    return DAY / Math.min(least, leastOfFast);
  }

  hurry(history: ChangeHistory, weight: PageWeight, planned: number, signal: ChangeSignal): NextVisit {
    if (signal.from === 'user') return this.#moveUp(planned, signal.at, signal);
    const changedAt = Math.min(signal.at, signal.changedAt ?? signal.at);
    if (changedAt <= history.visitedAt) return { at: planned, why: formatSignal(signal, 'old news') };
    const soonest = Math.max(signal.at, history.visitedAt + this.#options.minIntervalMs);
    const at = Math.max(soonest, this.#wantedBy(history, weight, planned, soonest, signal));
    return this.#moveUp(planned, at, signal);
  }

  #moveUp(planned: number, at: number, signal: ChangeSignal): NextVisit {
    if (at >= planned) return { at: planned, why: formatSignal(signal, 'not worth it') };
    if (this.#isLevelled) this.#calendar.move(planned, at);
    return { at, why: formatSignal(signal, 'hurry') };
  }

  forget(history: ChangeHistory): void {
    this.#pages.remove(countedRateOf(history), 1);
    this.#population.count(evidenceOf(history), -1);
  }

  forecast(): RevisitForecast {
    const { policy } = this.#options;
    this.#solve();
    const planned = this.#pages.measure(policy, this.#effort, this.#bounds);
    const others = POLICIES.filter((name) => name !== policy).map((name) => {
      const effort = this.#pages.effortFor(name, { requestsPerDay: planned.requestsPerDay }, this.#bounds);
      const { freshness, ageDays } = this.#pages.measure(name, effort, this.#bounds);
      return { policy: name, freshness, ageDays };
    });
    const pages = this.#pages.pages;
    const asOftenAsAllowed = pages > 0 && planned.requestsPerDay > ALL_OF_THEM * this.#bounds.most * pages;
    return { pages, ...planned, ...(asOftenAsAllowed ? { asOftenAsAllowed } : {}), others };
  }

  toJSON(): PlannerSnapshot {
    return {
      version: 1,
      cells: this.#pages.toJSON(),
      population: this.#population.toJSON(),
      calendar: this.#calendar.toJSON(),
      spare: this.#spare.share,
    };
  }

  #visited(at: number): void {
    const interval = this.#meanInterval();
    this.#pace.visited(at, interval);
    if (this.#options.freshnessGoal !== undefined) return;
    // What is left over must find takers at once.
    if (this.#spare.visited(at, interval, this.#pages.pages / interval)) this.#plansUntilSolved = 0;
  }

  /** Expected changes per day until the next visit. */
  readonly #rateOf = (steady: number, sureness: number, bursts: readonly number[]): number => {
    const forecast = this.#population.forecast(steady, sureness, bursts);
    const { policy } = this.#options;
    if (isPriced(policy)) return equivalentRate(forecast, policy, this.#price(), this.#options.minIntervalMs / DAY);
    const days = this.#pages.pages > 0 ? this.#meanInterval() : 1;
    return expectedChanges(forecast, days) / days;
  };

  /** What a visit must be worth, in days of freshness or of age. */
  #price(): number {
    const { policy } = this.#options;
    if (isPriced(policy)) return 1 / this.#effort;
    // The worth of a visit to a page like most.
    const rate = this.#population.meanRate;
    return visitWorth(this.#objective, rate * this.#meanInterval()) / worthScale(this.#objective, rate, 1);
  }

  #meanInterval(): number {
    const pages = Math.max(1, this.#pages.pages);
    const { freshnessGoal, requestsPerDay } = this.#options;
    if (freshnessGoal !== undefined)
      return pages / Math.max(1e-9, this.#pages.costOf(this.#options.policy, this.#effort, this.#bounds));
    const wanted = requestsPerDay === undefined ? 1 / this.#perPage() : pages / requestsPerDay;
    return Math.max(wanted, this.#options.minIntervalMs / DAY);
  }

  /**
   * Before a change was seen a page is taken to change once in a few visits, at most monthly. Were it taken to change much
   * oftener than it can be visited, all would seem hopeless at a small budget, and none be worth a visit more than another.
   */
  #firstRate(): number {
    if (this.#options.freshnessGoal !== undefined) return FIRST_RATE;
    return Math.min(FIRST_RATE, FIRST_CHANGES_PER_VISIT / this.#meanInterval());
  }

  #perPage(): number {
    return this.#options.requestsPerPageAndDay ?? DEFAULT_PER_PAGE_AND_DAY;
  }

  /** When a visit is worth its price in the light of a signal, if that is before `planned`. */
  #wantedBy(
    history: ChangeHistory,
    weight: PageWeight,
    planned: number,
    soonest: number,
    signal: ChangeSignal,
  ): number {
    const { policy } = this.#options;
    const matters = weightOf(weight);
    if (signal.from !== 'neighbour' && signal.from !== 'changefreq') {
      const saved = this.#savedBy(Math.min(signal.at, signal.changedAt ?? signal.at), soonest, planned);
      return saved * signal.trust * matters >= this.#price() ? soonest : planned;
    }
    if (!isPriced(policy)) return planned;
    // A visit is due when the copy is as likely stale as it will be at the end of its interval. A hint adds to the changes
    // that are expected by now; so the visit comes as much earlier as it would take the page by itself to gather as many.
    const days = 1 / frequencyOf(policy, this.#effort, history.rate, matters, this.#bounds);
    return Math.max(planned, history.visitedAt + days * DAY) + (Math.log1p(-signal.trust) / history.rate) * DAY;
  }

  /** Days of freshness, or of age times days, that a visit at `soonest` instead of `planned` saves if the signal is true. */
  #savedBy(changedAt: number, soonest: number, planned: number): number {
    const days = (planned - soonest) / DAY;
    if (this.#objective === 'freshness') return days;
    return (days * ((planned + soonest) / 2 - changedAt)) / DAY;
  }

  #reasonFor(rate: number, frequency: number): PaceReason {
    const { policy } = this.#options;
    if (frequency >= this.#bounds.most) return 'as often as allowed';
    if (policy === 'uniform') return 'even';
    if (policy === 'freshness' && frequency <= this.#bounds.leastOfFast && rate > WORTHIEST_CHANGES * frequency)
      return 'hopeless';
    if (frequency <= this.#bounds.least) return 'rare look';
    return policy === 'proportional' ? 'in proportion' : 'worth it';
  }

  #solve(): void {
    const { policy, freshnessGoal, requestsPerDay, minIntervalMs, maxIntervalMs } = this.#options;
    const pages = this.#pages.pages;
    this.#plansUntilSolved = pages * SOLVE_AFTER_SHARE;
    const most = DAY / Math.max(1, minIntervalMs);
    const possible = most * Math.max(1, pages);
    const budget = Math.min(requestsPerDay ?? this.#perPage() * Math.max(1, pages), possible);
    const rare = DAY / maxIntervalMs;
    const even = freshnessGoal === undefined ? budget / Math.max(1, pages) : 1 / this.#meanInterval();
    const least = Math.min(most, freshnessGoal === undefined ? Math.min(rare, RARE_LOOKS_SHARE * even) : rare);
    const share = freshnessGoal !== undefined ? RARE_LOOKS_SHARE : budget < possible ? this.#spare.share : 1;
    this.#bounds = { least, most, leastOfFast: Math.min(most, Math.max(least, share * even)) };
    if (pages === 0) {
      this.#effort = policy === 'uniform' ? even : 1;
      return;
    }
    this.#pages.takeUntriedFor(untriedRate(this.#population, this.#rateOf));
    const goal =
      freshnessGoal === undefined
        ? { requestsPerDay: Math.min(budget * this.#pace.correction(budget), REACHED * possible) }
        : {
            freshness: Math.min(freshnessGoal, REACHED * this.#pages.measure('uniform', most, this.#bounds).freshness),
          };
    this.#effort = this.#pages.effortFor(policy, goal, this.#bounds, this.#effort);
    if (!this.#isLevelled) return;
    this.#calendar.setMeanInterval(this.#meanInterval());
    this.#usual = this.#pages.plannedAhead(policy, this.#effort, this.#bounds);
  }
}

/** Clicks come on top of links: a page that people open never counts less than one like it that nobody opens. */
function weightOf({ importance = 1, opened = 0 }: PageWeight): number {
  const weight = importance + opened;
  return weight > 0 && Number.isFinite(weight) ? weight : 1e-3;
}

/** Nothing where all that is known of the page is known of pages at large. */
function countedRateOf(history: ChangeHistory): number | undefined {
  return isUntried(history) ? undefined : history.rate;
}

/** The policies that visit a page when that is worth a price. */
function isPriced(policy: RevisitPolicyName): policy is RevisitObjective {
  return policy === 'freshness' || policy === 'age';
}

function isKept(kept: unknown): kept is PlannerSnapshot {
  return typeof kept === 'object' && kept !== null && (kept as Partial<PlannerSnapshot>).version === 1;
}
