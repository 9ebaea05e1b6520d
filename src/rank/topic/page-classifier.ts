import type { TopicFeatures } from '../../contracts/content/topic.ts';
import { packNumbers, unpackNumbers } from './packed-numbers.ts';
import { BUCKET_COUNT, bucketOf, type WordStatistics } from './word-statistics.ts';

/** How many pages of the topic the expectation is worth that they are like all others. */
const DOUBT = 4;
/** A word must have been in a few pages of the topic before it counts in full. */
const WORD_DOUBT = 2;
const MOST_ODDS = 3;
const LEAST_ODDS = -1.5;
/** Counts are halved here: a topic is learnt again at the edge, never by weight of numbers. */
const MOST_PAGES = 1000;
/** A sample page was chosen by somebody; a page met was judged by rule. */
const SAMPLE_WEIGHT = 2;
const COUNT_STEP = 1 / 16;
/** How fast the usual scores of both kinds of pages are followed. */
const PACE = 0.03;
const MOST_EVIDENCE = 3.5;

/**
 * A naive Bayes classifier over the words of pages: a word speaks for the topic as far as it is in more of the topic's pages
 * than of all. What its score means is learnt beside it: from the usual scores of sure pages, taken before they are learnt.
 */
export class PageClassifier {
  #counts = new Float32Array(BUCKET_COUNT);
  #pages = 0;
  readonly #on = new UsualScore(0.8, 0.16);
  readonly #off = new UsualScore(0, 0.16);
  /** Of each word the logarithm of how much likelier the topic is with it. */
  readonly odds = new Float32Array(BUCKET_COUNT);

  constructor(kept?: unknown) {
    const { pages, counts, on, off } = (kept ?? {}) as Record<string, unknown>;
    const table = unpackNumbers(counts, BUCKET_COUNT, COUNT_STEP);
    if (table === undefined || typeof pages !== 'number') return;
    this.#counts = table;
    this.#pages = pages;
    this.#on.restore(on);
    this.#off.restore(off);
  }

  addSample({ words }: TopicFeatures): void {
    this.#count(words, SAMPLE_WEIGHT);
  }

  refresh(statistics: WordStatistics): void {
    const expected = Math.log(this.#pages + DOUBT);
    const absent = Math.max(LEAST_ODDS, Math.log(DOUBT) - expected);
    for (let bucket = 0; bucket < BUCKET_COUNT; bucket++) {
      const count = this.#counts[bucket];
      if (count === 0) {
        this.odds[bucket] = absent;
        continue;
      }
      const share = statistics.share(bucket);
      const odds = Math.log(count / share + DOUBT) - expected;
      const sure = odds > 0 ? count / (count + WORD_DOUBT) : 1;
      this.odds[bucket] = sure * Math.max(LEAST_ODDS, Math.min(MOST_ODDS, odds));
    }
  }

  /** What a score speaks for the topic, as a logarithm of odds; 0 as long as little has been learnt. */
  evidence(score: number): number {
    const between = this.#on.mean - this.#off.mean;
    if (between <= 0) return 0;
    const spread = Math.max(0.02, (this.#on.spread + this.#off.spread) / 2);
    const known = Math.min(this.#on.pages, this.#off.pages);
    const odds = (between / spread) * (score - (this.#on.mean + this.#off.mean) / 2);
    return (known / (known + 5)) * Math.max(-MOST_EVIDENCE, Math.min(MOST_EVIDENCE, odds));
  }

  learnOn(words: Uint32Array, score: number, hidden: ReadonlySet<number>): void {
    this.#on.add(score);
    this.#count(words, 1, hidden);
  }

  learnOff(score: number): void {
    this.#off.add(score);
  }

  toJSON(): unknown {
    return { pages: this.#pages, counts: packNumbers(this.#counts, COUNT_STEP), on: this.#on, off: this.#off };
  }

  #count(words: Uint32Array, weight: number, hidden?: ReadonlySet<number>): void {
    for (const word of words) if (hidden?.has(bucketOf(word)) !== true) this.#counts[bucketOf(word)] += weight;
    this.#pages += weight;
    if (this.#pages < MOST_PAGES) return;
    this.#pages /= 2;
    for (let bucket = 0; bucket < BUCKET_COUNT; bucket++) this.#counts[bucket] /= 2;
  }
}

/** Mean and variance of the scores of one kind of pages; the first guess is soon outweighed. */
class UsualScore {
  mean: number;
  spread: number;
  pages = 0;

  constructor(mean: number, spread: number) {
    this.mean = mean;
    this.spread = spread;
  }

  add(score: number): void {
    this.pages++;
    const pace = Math.max(PACE, 1 / (this.pages + 2));
    const distance = score - this.mean;
    this.mean += pace * distance;
    this.spread += pace * (distance * distance - this.spread);
  }

  restore(kept: unknown): void {
    const { mean, spread, pages } = (kept ?? {}) as Record<string, unknown>;
    if (typeof mean !== 'number' || typeof spread !== 'number' || typeof pages !== 'number') return;
    Object.assign(this, { mean, spread, pages });
  }
}
