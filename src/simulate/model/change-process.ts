import { hash32, unit } from './seeded-hash.ts';

const PURPOSE = { total: 120, half: 121, moment: 122, angle: 123 } as const;
/** 2 ** 40 ms are 34 years; a power of two, so that halves of halves are exact. */
const HORIZON_MS = 2 ** 40;
/** So few changes are placed one by one. */
const PLACED = 16;
/** Above this a binomial number with even chances cannot be told from a rounded normal one. */
const NORMAL = 4096;
/** Above this the total is drawn as a rounded normal number: it is spread so wide over the years that nobody can tell. */
const SUMMED = 256;

/**
 * When a page changes: a Poisson process that can be asked about any moment without walking through those before.
 * The number of changes in the whole span is drawn, then how many of them fall into its first half, then into the half of
 * that half ...: each step is a function of the seed, the page and the place of the interval, so that the history of a
 * page is the same in whatever order and process it is asked for.
 */
export class ChangeProcess {
  readonly #seed: number;
  readonly #since: number;

  /** `since`: the moment before which nothing changes, in ms since the epoch. */
  constructor(seed: number, since: number) {
    this.#seed = seed;
    this.#since = since;
  }

  /** How often the page has changed up to `now`. */
  versionAt(page: number, changesPerDay: number, now: number): number {
    const at = now - this.#since;
    if (at < 0 || changesPerDay === 0) return 0;
    let count = this.#total(page, changesPerDay);
    if (at >= HORIZON_MS) return count;
    let before = 0;
    let start = 0;
    let width = HORIZON_MS;
    let node = 1;
    while (count > PLACED) {
      const left = this.#leftHalf(page, node, count);
      width /= 2;
      if (at < start + width) {
        count = left;
        node *= 2;
      } else {
        before += left;
        count -= left;
        start += width;
        node = node * 2 + 1;
      }
    }
    for (const moment of this.#moments(page, node, start, width, count)) if (moment <= at) before++;
    return before;
  }

  /** When change number `version` came, in ms since the epoch; that of version 0 is the beginning. */
  changedAt(page: number, changesPerDay: number, version: number): number {
    if (version <= 0) return this.#since;
    let count = this.#total(page, changesPerDay);
    if (version > count) return Number.POSITIVE_INFINITY;
    let wanted = version;
    let start = 0;
    let width = HORIZON_MS;
    let node = 1;
    while (count > PLACED) {
      const left = this.#leftHalf(page, node, count);
      width /= 2;
      if (wanted <= left) {
        count = left;
        node *= 2;
      } else {
        wanted -= left;
        count -= left;
        start += width;
        node = node * 2 + 1;
      }
    }
    const moments = this.#moments(page, node, start, width, count).sort((a, b) => a - b);
    return this.#since + moments[wanted - 1];
  }

  #total(page: number, changesPerDay: number): number {
    const mean = (changesPerDay * HORIZON_MS) / 86_400_000;
    if (mean > SUMMED) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.#normal(page, 0)));
    // The sum of gaps with an exponential length, counted until they fill the span.
    let count = -1;
    for (let filled = 0; filled <= mean; count++) {
      filled -= Math.log(1 - unit(hash32(this.#seed, page, count, PURPOSE.total)));
    }
    return count;
  }

  /** How many of `count` changes fall into the first half of the interval `node`. */
  #leftHalf(page: number, node: number, count: number): number {
    if (count > NORMAL) {
      const drawn = Math.round(count / 2 + (Math.sqrt(count) / 2) * this.#normal(page, node));
      return Math.min(count, Math.max(0, drawn));
    }
    let left = 0;
    for (let bits = count, word = 0; bits > 0; bits -= 32, word++) {
      const drawn = hash32(this.#seed ^ Math.imul(node, 0x9e3779b1), page, word, PURPOSE.half);
      left += ones(bits >= 32 ? drawn : drawn & ((1 << bits) - 1));
    }
    return left;
  }

  #moments(page: number, node: number, start: number, width: number, count: number): number[] {
    return Array.from({ length: count }, (_, number) => {
      const drawn = hash32(this.#seed ^ Math.imul(node, 0x9e3779b1), page, number, PURPOSE.moment);
      return start + width * unit(drawn);
    });
  }

  #normal(page: number, node: number): number {
    const radius = 1 - unit(hash32(this.#seed, page, node, PURPOSE.moment));
    const angle = unit(hash32(this.#seed, page, node, PURPOSE.angle));
    return Math.sqrt(-2 * Math.log(radius)) * Math.cos(2 * Math.PI * angle);
  }
}

/** Bits that are set. */
function ones(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
