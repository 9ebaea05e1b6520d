import { packNumbers, unpackNumbers } from './packed-numbers.ts';

/** What is known of a link without its words one by one. */
export const SIGNALS = 6;
export const SOURCE = 0;
export const ANCHOR_COSINE = 1;
export const AROUND_COSINE = 2;
export const URL_COSINE = 3;
export const WORD_ODDS = 4;
export const OFF_TOPIC = 5;

/** Before anything is learnt: a page of the topic links to its like about half the time; anchors tell more than surroundings. */
const FIRST_WEIGHTS = [1.2, 4, 1.5, 3, 0.6, -0.3];
const FIRST_BIAS = -1.4;
const WORD_BUCKETS = 1 << 16;
const WEIGHT_STEP = 1 / 4096;
const MOST_WEIGHT = 4;
const SIGNAL_PACE = 0.03;
const WORD_PACE = 0.25;
const FORGETTING = 1e-3;

/** What the words of a link promise: online logistic regression over a few signals and the words of anchor and URL. */
export class LinkModel {
  #weights = Float32Array.from(FIRST_WEIGHTS);
  #bias = FIRST_BIAS;
  #words = new Float32Array(WORD_BUCKETS);
  #learnt = 0;

  constructor(kept?: unknown) {
    const { bias, weights, words, learnt } = (kept ?? {}) as Record<string, unknown>;
    const table = unpackNumbers(words, WORD_BUCKETS, WEIGHT_STEP);
    if (table === undefined || !Array.isArray(weights) || weights.length !== SIGNALS) return;
    this.#weights = Float32Array.from(weights);
    this.#bias = Number(bias);
    this.#learnt = Number(learnt);
    this.#words = table;
  }

  /** Log odds; `signals` and `words` from a place on, so that many links lie in one array each. */
  odds(signals: Float32Array, at: number, words: Uint32Array, from: number, to: number): number {
    let sum = this.#bias;
    for (let signal = 0; signal < SIGNALS; signal++) sum += this.#weights[signal] * signals[at + signal];
    let told = 0;
    for (let word = from; word < to; word++) told += this.#words[wordBucket(words[word])];
    return to > from ? sum + told / Math.sqrt(to - from) : sum;
  }

  /** The link led to a page of this relevance. */
  learn(signals: Float32Array, at: number, words: Uint32Array, from: number, to: number, relevance: number): void {
    const error = relevance - probability(this.odds(signals, at, words, from, to));
    const pace = SIGNAL_PACE / Math.sqrt(1 + this.#learnt++ / 500);
    this.#bias += pace * error;
    for (let signal = 0; signal < SIGNALS; signal++) {
      // Pulled to where it began: what was seen of late is not all there is.
      const drift = FORGETTING * (FIRST_WEIGHTS[signal] - this.#weights[signal]);
      this.#weights[signal] += pace * error * signals[at + signal] + pace * drift;
    }
    if (to === from) return;
    const step = (WORD_PACE * error) / Math.sqrt(to - from);
    for (let word = from; word < to; word++) {
      const bucket = wordBucket(words[word]);
      const weight = this.#words[bucket] * (1 - FORGETTING) + step;
      this.#words[bucket] = Math.max(-MOST_WEIGHT, Math.min(MOST_WEIGHT, weight));
    }
  }

  toJSON(): unknown {
    return {
      bias: this.#bias,
      weights: [...this.#weights],
      words: packNumbers(this.#words, WEIGHT_STEP),
      learnt: this.#learnt,
    };
  }
}

export function probability(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

/** A word in an anchor and the same in a URL are two. */
function wordBucket(word: number): number {
  return ((word >>> 16) ^ Math.imul(word & 3, 0x9e37)) & (WORD_BUCKETS - 1);
}
