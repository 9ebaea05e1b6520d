/** Ranks whose probabilities are summed exactly; beyond them the sum is taken as an integral, good to eight digits. */
const HEAD = 4096;

/**
 * Zipf's law over `count` ranks as a function of one number from [0, 1): rank k (from 0) has a probability in proportion
 * to 1 / (k + 1) ** exponent. The low ranks, which are most of what is drawn, cost a short search and no logarithm.
 */
export class Zipf {
  readonly #count: number;
  readonly #exponent: number;
  /** Summed weights of the ranks up to and including each of the head. */
  readonly #sums: Float64Array;
  readonly #headSum: number;
  readonly #total: number;

  constructor(count: number, exponent: number) {
    this.#count = count;
    this.#exponent = exponent;
    this.#sums = new Float64Array(Math.min(count, HEAD));
    let sum = 0;
    for (let rank = 0; rank < this.#sums.length; rank++) {
      sum += (rank + 1) ** -exponent;
      this.#sums[rank] = sum;
    }
    this.#headSum = sum;
    this.#total = count > HEAD ? sum + this.#integral(count + 0.5) - this.#integral(HEAD + 0.5) : sum;
  }

  rank(unit: number): number {
    if (this.#exponent === 0) return Math.floor(unit * this.#count);
    const wanted = unit * this.#total;
    if (wanted >= this.#headSum) return this.#beyondHead(wanted - this.#headSum);
    let low = 0;
    let high = this.#sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sums[middle] > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #beyondHead(rest: number): number {
    const at = this.#inverse(this.#integral(HEAD + 0.5) + rest);
    return Math.min(this.#count - 1, Math.max(this.#sums.length - 1, Math.floor(at - 0.5)));
  }

  /** Of x ** -exponent. */
  #integral(x: number): number {
    const power = 1 - this.#exponent;
    return power === 0 ? Math.log(x) : x ** power / power;
  }

  #inverse(y: number): number {
    const power = 1 - this.#exponent;
    return power === 0 ? Math.exp(y) : (y * power) ** (1 / power);
  }
}
