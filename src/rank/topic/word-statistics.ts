import { eachWord } from './each-word.ts';
import { packNumbers, unpackNumbers } from './packed-numbers.ts';

/** Words share counters by the highest 17 bits of their hashes: memory is bounded, and two words seldom meet. */
export const BUCKET_COUNT = 1 << 17;

export function bucketOf(word: number): number {
  return word >>> 15;
}

/** What is taken as known before the first page: as if this many pages had been read ... */
const PRIOR_PAGES = 40;
/** ... of which a usual word was in this share, and a word that says nothing in that share. */
const USUAL_SHARE = 0.02;
const STOP_SHARE = 0.7;
/** Counts are halved here, so that they fit and follow the web they are of. */
const MOST_PAGES = 30_000;
/** The largest share of counted pages near the topic: more, and the topic's own words would lose their weight. */
const NEAR_SHARE = 0.05;

const STOP_WORDS =
  'the of and to in is that it for as was with be by on not he his but at are this have from or had an they which one you we were all their there been if more when will would who so no she my her has can what about up out into than them some time only could other over also new after any these two may then do first such our its use page home contact search click here read see how get make your us like just me him ' +
  'der die das und ist von den mit zu im ein eine auf für nicht sich des dem als auch es an werden aus bei nach ' +
  'le la les et des du en un une est que pour dans qui sur pas par au plus avec ' +
  'el los las de que del por con una para como su al lo il di che non per sono della ' +
  'een het van dat niet te zijn os um uma com não';

/** In how many pages each word was, learnt while crawling; from it how much a word tells. */
export class WordStatistics {
  #counts = new Float32Array(BUCKET_COUNT);
  #prior = priorShares();
  #pages = 0;
  #near = 0;
  /** What each word weighs; recomputed now and then, since logarithms for every word would cost more than the rest. */
  readonly weights = new Float32Array(BUCKET_COUNT);

  constructor(kept?: unknown) {
    const { pages, near, counts } = (kept ?? {}) as Record<string, unknown>;
    const table = unpackNumbers(counts, BUCKET_COUNT, 1);
    if (table !== undefined && typeof pages === 'number' && typeof near === 'number') {
      this.#counts = table;
      this.#pages = pages;
      this.#near = near;
    }
    this.refresh();
  }

  /** `isNear`: the page is near the topic, such as a focused crawl meets far more often than the web holds them. */
  add(words: Uint32Array, isNear: boolean): void {
    if (isNear && this.#near > NEAR_SHARE * this.#pages) return;
    for (const word of words) this.#counts[bucketOf(word)]++;
    if (isNear) this.#near++;
    if (++this.#pages < MOST_PAGES) return;
    this.#pages /= 2;
    this.#near /= 2;
    for (let bucket = 0; bucket < BUCKET_COUNT; bucket++) this.#counts[bucket] = Math.floor(this.#counts[bucket] / 2);
  }

  /** Share of the pages that hold a word. */
  share(bucket: number): number {
    return (this.#counts[bucket] + PRIOR_PAGES * this.#prior[bucket]) / (this.#pages + PRIOR_PAGES);
  }

  refresh(): void {
    for (let bucket = 0; bucket < BUCKET_COUNT; bucket++)
      this.weights[bucket] = Math.max(0, -Math.log(this.share(bucket)));
  }

  toJSON(): unknown {
    return { pages: this.#pages, near: this.#near, counts: packNumbers(this.#counts, 1) };
  }
}

function priorShares(): Float32Array {
  const shares = new Float32Array(BUCKET_COUNT).fill(USUAL_SHARE);
  eachWord(STOP_WORDS, Number.POSITIVE_INFINITY, (word) => {
    shares[bucketOf(word)] = STOP_SHARE;
  });
  return shares;
}
