const DAY = 86_400_000;
const HOUR = 3_600_000;

/** What the lastmod values of one sitemap look like together. */
export interface LastmodShape {
  readonly entries: number;
  readonly dated: number;
  /** 'now': nearly all say that they changed when the file was asked for. 'equal': nearly all say the same. */
  readonly flaw?: 'now' | 'equal' | 'future';
}

/** The time that a value leaves open, ms. Midnight in GMT is what a date without a time becomes: a whole day. */
export function lastmodSpan(lastModified: number): number {
  return lastModified % DAY === 0 ? DAY : 0;
}

/** Fewer dates than this can look alike by chance. */
const MIN_DATED = 8;
const NEARLY_ALL = 0.95;

/**
 * Looks at the lastmod values of one sitemap while it is read, in constant memory. Values that all say "now" come from
 * software that writes the time of the request; values that are all equal, from one that writes the time of the build.
 */
export class LastmodSurvey {
  readonly #fetchedAt: number;
  #entries = 0;
  #dated = 0;
  #now = 0;
  #future = 0;
  /** Boyer and Moore's majority vote: a value that makes up more than half is the candidate in the end. */
  #candidate = Number.NaN;
  #lead = 0;
  /** Since the candidate took its place. Too low by no more than the values that differ: few, where it matters. */
  #candidateCount = 0;

  constructor(fetchedAt: number) {
    this.#fetchedAt = fetchedAt;
  }

  add(lastModified: number | undefined): void {
    this.#entries++;
    if (lastModified === undefined || !Number.isFinite(lastModified)) return;
    this.#dated++;
    if (lastModified > this.#fetchedAt + DAY) this.#future++;
    // A date alone is "now" for a whole day; that much of a fresh site may well be from today.
    else if (lastmodSpan(lastModified) === 0 && Math.abs(this.#fetchedAt - lastModified) < HOUR) this.#now++;
    if (lastModified === this.#candidate) {
      this.#lead++;
      this.#candidateCount++;
    } else if (this.#lead === 0) {
      this.#candidate = lastModified;
      this.#lead = 1;
      this.#candidateCount = 1;
    } else this.#lead--;
  }

  shape(): LastmodShape {
    const shape = { entries: this.#entries, dated: this.#dated };
    const most = NEARLY_ALL * this.#dated;
    if (this.#dated < MIN_DATED) return shape;
    if (this.#future >= most) return { ...shape, flaw: 'future' };
    if (this.#now >= most) return { ...shape, flaw: 'now' };
    return this.#candidateCount >= most ? { ...shape, flaw: 'equal' } : shape;
  }
}
