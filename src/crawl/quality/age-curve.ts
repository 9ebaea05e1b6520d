import type { CourseVisit, PageCourse } from '../../contracts/state/page-course.ts';
import { ageAfter } from '../../revisit/freshness-and-age.ts';

const DAY_MS = 86_400_000;
/** Steps of the curve. */
const STEPS = 60;

/** The copies that were held at one time. Ages are means in days. */
export interface AgePoint {
  readonly at: number;
  readonly copies: number;
  /** Measured: since the last visit that brought the copy or found it unchanged. */
  readonly sinceVisitDays: number;
  /** Estimated: since the page ceased to be as the copy, by its rate of change; absent where no rate is known. */
  readonly ageDays?: number;
  /** Copies whose next visit is known. */
  readonly looked: number;
  /** Of them, those that it found as they were. */
  readonly unchanged: number;
  /** Their age by what that visit found: 0 where nothing had changed, else by when the change is likely to have come. */
  readonly lookedAgeDays?: number;
}

export interface AgeSpan {
  readonly from: number;
  readonly to: number;
}

/** The age of the copies of a crawl over its course, page by page. */
export class AgeCurve {
  readonly #from: number;
  readonly #stepMs: number;
  readonly #copies = new Float64Array(STEPS);
  readonly #since = new Float64Array(STEPS);
  readonly #rated = new Float64Array(STEPS);
  readonly #age = new Float64Array(STEPS);
  readonly #looked = new Float64Array(STEPS);
  readonly #unchanged = new Float64Array(STEPS);
  readonly #lookedAge = new Float64Array(STEPS);

  constructor({ from, to }: AgeSpan) {
    this.#from = from;
    this.#stepMs = Math.max(1, to - from) / STEPS;
  }

  /**
   * `changedAt`: when the crawl noted that the page had changed, ascending; undefined where it keeps no such log, and another body counts
   * as a change.
   */
  add({ visits, rate }: Pick<PageCourse, 'visits' | 'rate'>, changedAt?: readonly number[]): void {
    if (visits.length === 0) return;
    let last = 0;
    const first = Math.max(0, Math.ceil((visits[0].at - this.#from) / this.#stepMs) - 1);
    for (let step = first; step < STEPS; step++) {
      const at = this.#timeOf(step);
      while (last + 1 < visits.length && visits[last + 1].at <= at) last++;
      // Nobody has anything of a copy whose page is gone.
      if (visits[last].found === 'gone') continue;
      const days = Math.max(0, at - visits[last].at) / DAY_MS;
      this.#copies[step]++;
      this.#since[step] += days;
      if (rate !== undefined) {
        this.#rated[step]++;
        this.#age[step] += ageAfter(rate, days);
      }
      const next = visits[last + 1];
      if (next === undefined) continue;
      this.#looked[step]++;
      if (hasChanged(next, visits[last + 2], changedAt))
        this.#lookedAge[step] += ageIfChanged(rate ?? 0, days, (next.at - visits[last].at) / DAY_MS);
      else this.#unchanged[step]++;
    }
  }

  points(): AgePoint[] {
    const points: AgePoint[] = [];
    for (let step = 0; step < STEPS; step++) {
      const copies = this.#copies[step];
      if (copies === 0) continue;
      const looked = this.#looked[step];
      points.push({
        ...{ at: this.#timeOf(step), copies, sinceVisitDays: this.#since[step] / copies },
        ...(this.#rated[step] === 0 ? {} : { ageDays: this.#age[step] / this.#rated[step] }),
        ...{ looked, unchanged: this.#unchanged[step] },
        ...(looked === 0 ? {} : { lookedAgeDays: this.#lookedAge[step] / looked }),
      });
    }
    return points;
  }

  #timeOf(step: number): number {
    return this.#from + (step + 1) * this.#stepMs;
  }
}

/** A change is noted with the visit that found it, or right after it. */
function hasChanged(
  visit: CourseVisit,
  following: CourseVisit | undefined,
  changedAt: readonly number[] | undefined,
): boolean {
  if (visit.found !== 'copy' || changedAt === undefined) return visit.found !== 'same';
  const before = following?.at ?? Number.POSITIVE_INFINITY;
  return changedAt.some((at) => at >= visit.at && at < before);
}

/** Expected age `days` after a visit, if the page had changed by the next one, `interval` days after it. */
function ageIfChanged(rate: number, days: number, interval: number): number {
  if (interval <= 0) return 0;
  const certain = -Math.expm1(-rate * interval);
  // At a low rate there was one change, at any time.
  return rate * interval < 1e-6 ? (days * days) / (2 * interval) : ageAfter(rate, days) / certain;
}
