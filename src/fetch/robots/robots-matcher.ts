import { matchesRobotsPattern, type RobotsPattern, type StepMeter } from './robots-pattern.ts';
import { WildcardMatcher } from './wildcard-matcher.ts';

/** Up to this many patterns with wildcards are tried one by one: nearly every file has fewer, and finding all at once takes memory. */
const TRIED_ONE_BY_ONE = 32;

/** What begins with the same text, as numbers of patterns. */
interface Start {
  /** The first pattern that is this text and no more; Infinity where there is none. */
  prefix: number;
  /** The same for patterns that end in `$`. */
  exact: number;
  /** Patterns that go on with a wildcard, the first first. */
  readonly searched: number[];
}

/**
 * Finds the first of many patterns that matches a path. The time is bounded by the length of the path plus the length of all
 * patterns, never by their product: a hostile file of 500 KiB must not hold up the crawl at every URL of its host.
 */
export class RobotsMatcher {
  readonly #patterns: readonly RobotsPattern[];
  readonly #starts = new Map<string, Start>();
  /** Distinct lengths of the texts that patterns start with; their sum is at most the length of the file. */
  readonly #lengths: readonly number[];
  readonly #wildcards: WildcardMatcher | undefined;

  /** `patterns` lie in the order in which they win. */
  constructor(patterns: readonly RobotsPattern[]) {
    this.#patterns = patterns;
    for (const [number, { parts, anchored }] of patterns.entries()) {
      const start = this.#startOf(parts[0].text);
      if (parts.length > 1) start.searched.push(number);
      else if (anchored) start.exact = Math.min(start.exact, number);
      else start.prefix = Math.min(start.prefix, number);
    }
    this.#lengths = [...new Set([...this.#starts.keys()].map(({ length }) => length))].sort((a, b) => a - b);
    const wild = patterns.filter(({ parts }) => parts.length > 1).length;
    this.#wildcards = wild > TRIED_ONE_BY_ONE ? new WildcardMatcher(patterns) : undefined;
  }

  /** Estimated bytes of memory. */
  get bytes(): number {
    return this.#patterns.length * 250 + (this.#wildcards?.bytes ?? 0);
  }

  /** The number of the first pattern that matches, or -1. `path` is in normal form. */
  firstMatch(path: string, meter?: StepMeter): number {
    let best = Number.POSITIVE_INFINITY;
    const wild: [start: number, numbers: readonly number[]][] = [];
    for (const length of this.#lengths) {
      if (length > path.length) break;
      if (meter !== undefined) meter.steps += length + 1;
      const start = this.#starts.get(path.slice(0, length));
      if (start === undefined) continue;
      best = Math.min(best, start.prefix, length === path.length ? start.exact : best);
      if (start.searched.length > 0) wild.push([length, start.searched]);
    }
    if (this.#wildcards !== undefined) best = this.#wildcards.firstMatch(path, wild, best, meter);
    else {
      for (const [, numbers] of wild) {
        const found = numbers.find(
          (number) => number >= best || matchesRobotsPattern(this.#patterns[number], path, meter),
        );
        if (found !== undefined) best = Math.min(best, found);
      }
    }
    return best === Number.POSITIVE_INFINITY ? -1 : best;
  }

  #startOf(text: string): Start {
    let start = this.#starts.get(text);
    if (start === undefined) {
      start = { prefix: Number.POSITIVE_INFINITY, exact: Number.POSITIVE_INFINITY, searched: [] };
      this.#starts.set(text, start);
    }
    return start;
  }
}
