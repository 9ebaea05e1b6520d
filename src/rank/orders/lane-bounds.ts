/** Of the waiting URLs this share goes to the first lane; the shares grow from lane to lane by the same factor, up to all. */
const FIRST_SHARE = 1 / 512;
/** Lanes whose URLs come up soon are those with at most this share of the waiting before their end. */
const SOON_SHARE = 1 / 32;
/** So large a share of all in one lane is too much where they come up soon, unless their scores are all alike. */
const COARSE = 1 / 128;
/** A URL stays in a lane that is wrong by less than this part of all lanes: where it comes up soon, and where not. */
const SLACK_SOON = 1 / 32;
const SLACK_LATER = 1 / 8;

/** Doublings by which a new score must pass all that were there at the last fit to be put before them, or behind. */
const BEYOND_ALL = 0.5;
/** So few lanes are all needed for what waits. */
const LEAST_LANES_WITH_ENDS = 8;

/** Until something is known of the scores: lanes that are fine about 0, and reach to some hundred doublings either way. */
const UNFITTED_SCALE = 1 / 3;
const UNFITTED_REACH = 8;

/**
 * Which lane a score belongs to. The lanes are fitted to the scores that wait: fine where the next URLs come from, coarse
 * for those that wait long. A bound that still holds about its share is left where it is, and a URL moves only where that
 * changes what is asked for soon, so that few rows are written for each visit.
 */
export class LaneBounds {
  readonly lanes: number;
  /** Lane n holds the scores from `#bounds[n]` up to that of the lane before. */
  readonly #bounds: Float64Array;
  readonly #shares: Float64Array;
  readonly #step: number;
  readonly #soon: number;
  /** The first and the last lane are empty after a fit: for new scores that lie beyond all others. */
  readonly #ends: 0 | 1;
  #isFitted = false;

  constructor(lanes: number) {
    this.lanes = lanes;
    this.#ends = lanes < LEAST_LANES_WITH_ENDS ? 0 : 1;
    const filled = lanes - 2 * this.#ends;
    this.#step = FIRST_SHARE ** (-1 / filled);
    this.#shares = Float64Array.from({ length: lanes - 1 }, (_, lane) => {
      const last = lane + 1 - this.#ends;
      return last === 0 ? 0 : FIRST_SHARE ** (1 - last / filled);
    });
    this.#soon = this.#shares.filter((share) => share <= SOON_SHARE).length;
    this.#bounds = this.#shares.map((_, lane) => {
      const place = 1 - (2 * (lane + 1)) / lanes;
      return UNFITTED_SCALE * Math.sinh(UNFITTED_REACH * place);
    });
  }

  laneOf(score: number): number {
    let low = 0;
    let high = this.#bounds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#bounds[middle] <= score) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Whether a URL in one lane should be moved to the other. */
  isWorthMoving(from: number, to: number): boolean {
    const distance = Math.abs(from - to);
    // What is wanted last is not to find others there.
    if (this.#ends === 1 && from === this.lanes - 1) return distance > 0;
    const slack = Math.min(from, to) <= this.#soon ? SLACK_SOON : SLACK_LATER;
    return distance > 0 && distance >= slack * this.lanes;
  }

  /** A score that is typical of a lane, for URLs of which nothing else is known any more. */
  typicalScore(lane: number): number {
    return -Math.log2(Math.max(FIRST_SHARE, this.#shares[lane - 1] ?? 0));
  }

  /** Fits the bounds to a sample of waiting scores (sorted in place), unless those that come up soon are told apart. */
  fit(sample: Float64Array): void {
    if (sample.length === 0) return;
    sample.sort();
    if (this.#tellsHeadApart(sample) && !this.#fillsLastLane(sample)) return;
    let above = Number.POSITIVE_INFINITY;
    for (let lane = this.#ends; lane < this.#bounds.length; lane++) {
      const share = this.#shares[lane];
      const bound = this.#bounds[lane];
      // Scores that are all alike stand at the bound, and it holds as long as its share ends among them.
      const holds = shareAbove(sample, bound) <= share * this.#step && shareFrom(sample, bound) * this.#step >= share;
      if (!this.#isFitted || !holds) {
        const place = Math.min(sample.length, Math.max(1, Math.round(share * sample.length)));
        this.#bounds[lane] = sample[sample.length - place];
      }
      this.#bounds[lane] = Math.min(this.#bounds[lane], above);
      above = this.#bounds[lane];
    }
    this.#isFitted = true;
    if (this.#ends === 0) return;
    this.#bounds[0] = sample[sample.length - 1] + BEYOND_ALL;
    this.#bounds[this.#bounds.length - 1] = sample[0] - BEYOND_ALL;
  }

  /** Sets the bounds between the scores of URLs that are in lanes already: `counts` of them in each. Sorts the sample. */
  adopt(sample: Float64Array, counts: Uint32Array): void {
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (sample.length === 0 || total === 0) return;
    sample.sort();
    let upTo = 0;
    for (let lane = 0; lane < this.#bounds.length; lane++) {
      upTo += counts[lane];
      const place = Math.min(sample.length, Math.round((upTo / total) * sample.length));
      // Lanes that are empty by now were for better ones than any that wait.
      this.#bounds[lane] = place === 0 ? sample[sample.length - 1] + BEYOND_ALL : sample[sample.length - place];
    }
    this.#isFitted = true;
    const last = this.#bounds.length - 1;
    if (counts[last + 1] === 0) this.#bounds[last] = Math.min(this.#bounds[last], sample[0] - BEYOND_ALL);
  }

  /** What is wanted last by far would be in the same lane. */
  #fillsLastLane(sample: Float64Array): boolean {
    return this.#ends === 1 && sample[0] < this.#bounds[this.#bounds.length - 1];
  }

  #tellsHeadApart(sample: Float64Array): boolean {
    const head = Math.floor(sample.length * (1 - SOON_SHARE));
    for (let end = sample.length; end > head; ) {
      const lane = this.laneOf(sample[end - 1]);
      const start = lane < this.#bounds.length ? firstWhere(sample, (score) => score >= this.#bounds[lane]) : 0;
      if (end - start > COARSE * sample.length && sample[start] < sample[end - 1]) return false;
      end = start;
    }
    return true;
  }
}

/** Share of an ascending sample that is at least `bound`. */
function shareFrom(sample: Float64Array, bound: number): number {
  return 1 - firstWhere(sample, (score) => score >= bound) / sample.length;
}

function shareAbove(sample: Float64Array, bound: number): number {
  return 1 - firstWhere(sample, (score) => score > bound) / sample.length;
}

function firstWhere(sample: Float64Array, isBeyond: (score: number) => boolean): number {
  let low = 0;
  let high = sample.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBeyond(sample[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
