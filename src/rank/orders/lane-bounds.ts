/** Of the waiting URLs this share goes to the first lane; the shares grow from lane to lane by the same factor, up to all. */
const FIRST_SHARE = 1 / 512;
/** Lanes whose URLs come up soon are those with at most this share of the waiting before their end. */
const SOON_SHARE = 1 / 32;
/** So large a share of all in one lane is too much where they come up soon, unless their scores are all alike. */
const COARSE = 1 / 128;
/** A URL stays in a lane that is wrong by less than this part of all lanes: where it comes up soon, and where not. */
const SLACK_SOON = 1 / 32;
const SLACK_LATER = 1 / 8;

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

  constructor(lanes: number) {
    this.lanes = lanes;
    this.#step = FIRST_SHARE ** (-1 / lanes);
    this.#shares = Float64Array.from({ length: lanes - 1 }, (_, lane) => FIRST_SHARE ** (1 - (lane + 1) / lanes));
    this.#soon = this.#shares.filter((share) => share <= SOON_SHARE).length;
    // Until something is known of the scores: nine doublings, as if their ranks followed Zipf's law.
    this.#bounds = this.#shares.map((share) => -Math.log2(share));
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
    const slack = Math.min(from, to) <= this.#soon ? SLACK_SOON : SLACK_LATER;
    return distance > 0 && distance >= slack * this.lanes;
  }

  /** A score that is typical of a lane, for URLs of which nothing else is known any more. */
  typicalScore(lane: number): number {
    return lane === 0 ? -Math.log2(FIRST_SHARE) : -Math.log2(this.#shares[lane - 1]);
  }

  /**
   * Fits the bounds to a sample of the scores that wait, which gets sorted. Nothing changes as long as those that come up
   * soon are told apart well enough: which lanes they are in is all the same then.
   */
  fit(sample: Float64Array): void {
    if (sample.length === 0) return;
    sample.sort();
    if (this.#tellsHeadApart(sample)) return;
    let above = Number.POSITIVE_INFINITY;
    for (let lane = 0; lane < this.#bounds.length; lane++) {
      const share = this.#shares[lane];
      const bound = this.#bounds[lane];
      // Scores that are all alike stand at the bound, and it holds as long as its share ends among them.
      const holds = shareAbove(sample, bound) <= share * this.#step && shareFrom(sample, bound) * this.#step >= share;
      if (!holds) {
        const place = Math.min(sample.length, Math.max(1, Math.round(share * sample.length)));
        this.#bounds[lane] = sample[sample.length - place];
      }
      this.#bounds[lane] = Math.min(this.#bounds[lane], above);
      above = this.#bounds[lane];
    }
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
