import { readTime } from '../../base/dates/read-time.ts';
import { badLine } from '../input-error.ts';

/** Seconds since the epoch stay below this until the year 5138, milliseconds have been above it since 1973. */
const SECONDS_BELOW = 1e11;
/** No date is further from the epoch. */
const MOST_MS = 8.64e15;
const ONE_UNIT = 'Use one unit within a file, or name it in a first line: {"unit": "s"} or {"unit": "ms"}.';

type Unit = 's' | 'ms';

/**
 * The times of one file: dates, in UTC where they name no zone, or numbers in a unit that is said or is told by their size. One unit for all: a file that
 * mixes them would be replayed over half a century that never was.
 */
export class FileTimes {
  readonly #file: string;
  readonly #form: string;
  #unit: Unit | undefined;
  #said = false;

  /** `form`: how a line should be, for those who have written it otherwise. */
  constructor(file: string, form: string) {
    this.#file = file;
    this.#form = form;
  }

  setUnit(unit: unknown, line: number): void {
    if (unit !== 's' && unit !== 'ms') {
      throw badLine(this.#file, line, `"unit" is ${JSON.stringify(unit)}, which is no unit of time.`, ONE_UNIT);
    }
    this.#unit = unit;
    this.#said = true;
  }

  /** In ms since the epoch. */
  of(value: unknown, name: string, line: number): number {
    const ms = typeof value === 'string' ? (readTime(value) ?? Number.NaN) : this.#ofNumber(value, name, line);
    if (Math.abs(ms) <= MOST_MS) return ms;
    throw badLine(this.#file, line, `"${name}" holds ${JSON.stringify(value)}, which is no time.`, this.#form);
  }

  #ofNumber(value: unknown, name: string, line: number): number {
    if (typeof value !== 'number') return Number.NaN;
    const looksLike: Unit = value < SECONDS_BELOW ? 's' : 'ms';
    this.#unit ??= looksLike;
    if (!this.#said && looksLike !== this.#unit) {
      const [here, before] = looksLike === 's' ? ['seconds', 'milliseconds'] : ['milliseconds', 'seconds'];
      const what = `"${name}" holds ${value}, ${here} by its size, but the times before were ${before}.`;
      throw badLine(this.#file, line, what, ONE_UNIT);
    }
    return this.#unit === 's' ? value * 1000 : value;
  }
}
