import type { ConversionLimits } from '../../contracts/content/document.ts';

/** Enough for books and large workbooks, small enough for a worker that has other pages to read. */
export const DEFAULT_CONVERSION_LIMITS: ConversionLimits = {
  maxMs: 10_000,
  maxPages: 2_000,
  maxText: 4_000_000,
  maxUnpacked: 128 * 1024 * 1024,
  maxLinks: 10_000,
};

/** Milliseconds that only go forward. */
export type Stopwatch = () => number;

/** What one conversion has left of time and bytes. Once something ran out it stays so, and `exhausted` names it. */
export class ConversionBudget {
  readonly limits: ConversionLimits;
  readonly #now: Stopwatch;
  readonly #deadline: number;
  #unpacked = 0;
  #exhausted: 'time' | 'size' | undefined;
  #bomb = false;

  constructor(limits: ConversionLimits, now: Stopwatch = () => performance.now()) {
    this.limits = limits;
    this.#now = now;
    this.#deadline = now() + limits.maxMs;
  }

  get exhausted(): 'time' | 'size' | undefined {
    return this.#exhausted;
  }

  /** A part unpacks to more than honest documents do. */
  get bomb(): boolean {
    return this.#bomb;
  }

  /** Whether there is time left; to be asked every few thousand steps. */
  hasTime(): boolean {
    if (this.#exhausted === undefined && this.#now() > this.#deadline) this.#exhausted = 'time';
    return this.#exhausted === undefined;
  }

  /** Counts unpacked bytes; answers whether more may be unpacked. */
  unpack(bytes: number): boolean {
    this.#unpacked += bytes;
    if (this.#exhausted === undefined && this.#unpacked > this.limits.maxUnpacked) this.#exhausted = 'size';
    return this.hasTime();
  }

  reportBomb(): void {
    this.#bomb = true;
    this.#exhausted ??= 'size';
  }
}
