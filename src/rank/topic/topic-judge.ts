import type { Harvest, TopicFeatures, TopicJudge, TopicJudgement, TopicUrls } from '../../contracts/content/topic.ts';
import { HarvestMeter } from './harvest-meter.ts';
import { LinkModel, probability } from './link-model.ts';
import { LinkSigns } from './link-signs.ts';
import { PageClassifier } from './page-classifier.ts';
import { PromiseMemory } from './promise-memory.ts';
import { TopicVector } from './topic-vector.ts';
import { bucketOf, WordStatistics } from './word-statistics.ts';

/** From this cosine on a page is on topic, if nothing else is known: measured on descriptions of one to four words. */
const ON_TOPIC_COSINE = 0.16;
const COSINE_STEEPNESS = 15;
const MOST_COSINE_EVIDENCE = 3;
/** Pages are learnt from only where the cosine, which does not drift, is this sure of them. */
const SURELY_ON = 0.4;
const SURELY_OFF = -1.5;
/** Pages from this cosine on are few in the web, but many in a focused crawl. */
const NEAR_COSINE = 0.08;
const RELEVANT = 0.5;
const FORMAT = 1;

export interface TopicJudgeOptions {
  /** Words that describe the topic. */
  readonly description?: string;
  /** Sample pages that are on topic, and such as are not. */
  readonly like?: readonly TopicFeatures[];
  readonly unlike?: readonly TopicFeatures[];
  /** This many pages off topic in a row may be passed through on the way to others. */
  readonly tunnel: number;
  /** Without a relevant page for this many pages, the harvest is over. */
  readonly dryAfter: number;
}

/** `kept`: what `toJSON` gave in an earlier run of the same crawl. Without a usable one it starts afresh. */
export function createTopicJudge(options: TopicJudgeOptions, kept?: unknown): TopicJudge {
  return new LearningTopicJudge(options, isKept(kept) ? kept : undefined);
}

interface Kept {
  readonly format: typeof FORMAT;
  readonly statistics: unknown;
  readonly classifier: unknown;
  readonly links: unknown;
  readonly harvest: unknown;
}

function isKept(kept: unknown): kept is Kept {
  return typeof kept === 'object' && kept !== null && (kept as { format?: unknown }).format === FORMAT;
}

/** What speaks for a page being on topic, as logarithms of odds. */
interface Weighed {
  readonly cosine: number;
  readonly score: number;
  readonly byCosine: number;
  readonly byOthers: number;
  readonly odds: number;
  readonly relevance: number;
}

class LearningTopicJudge implements TopicJudge {
  readonly #tunnel: number;
  readonly #topic: TopicVector;
  readonly #statistics: WordStatistics;
  readonly #classifier: PageClassifier;
  readonly #links: LinkModel;
  readonly #signs: LinkSigns;
  readonly #promised = new PromiseMemory();
  readonly #meter: HarvestMeter;
  #refreshAt = 0;

  constructor({ description = '', like = [], unlike = [], tunnel, dryAfter }: TopicJudgeOptions, kept?: Kept) {
    this.#tunnel = tunnel;
    this.#topic = new TopicVector(description, like, unlike);
    this.#statistics = new WordStatistics(kept?.statistics);
    this.#classifier = new PageClassifier(kept?.classifier);
    this.#links = new LinkModel(kept?.links);
    this.#meter = new HarvestMeter(dryAfter, kept?.harvest);
    if (kept === undefined) {
      for (const page of like) this.#classifier.addSample(page);
      for (const page of unlike) this.#statistics.add(page.words, false);
    }
    this.#refresh();
    this.#signs = new LinkSigns(this.#topic, this.#statistics, this.#classifier);
  }

  get driedUp(): boolean {
    return this.#meter.driedUp;
  }

  harvest(): Harvest {
    return this.#meter.harvest();
  }

  /** Until something relevant was found, nothing is known of how far from the seeds it lies: then no way is cut off. */
  follows(relevance: number, offTopicBefore: number): boolean {
    return relevance >= RELEVANT || offTopicBefore < this.#tunnel || this.#meter.harvest().relevant === 0;
  }

  judge(features: TopicFeatures, offTopicBefore: number, urls?: TopicUrls): TopicJudgement {
    if (this.#meter.harvest().pages >= this.#refreshAt) this.#refresh();
    const weighed = this.#weigh(features);
    const { cosine, score, byCosine, byOthers, relevance } = weighed;
    this.#meter.add(relevance >= RELEVANT);
    if (urls !== undefined) this.#learnLink(urls.page, relevance);
    const judgement = this.#judgement(features, weighed, offTopicBefore, urls);
    this.#learnPage(features, byCosine, byOthers, score);
    this.#statistics.add(features.words, cosine >= NEAR_COSINE || byOthers > 0);
    return judgement;
  }

  judgeAgain(features: TopicFeatures, offTopicBefore: number, urls?: TopicUrls): TopicJudgement {
    return this.#judgement(features, this.#weigh(features), offTopicBefore, urls);
  }

  toJSON(): unknown {
    return {
      format: FORMAT,
      statistics: this.#statistics.toJSON(),
      classifier: this.#classifier.toJSON(),
      links: this.#links.toJSON(),
      harvest: this.#meter.toJSON(),
    } satisfies Kept;
  }

  #weigh(features: TopicFeatures): Weighed {
    const { cosine, score } = this.#compare(features);
    const byCosine = Math.min(MOST_COSINE_EVIDENCE, COSINE_STEEPNESS * (cosine - ON_TOPIC_COSINE));
    const byOthers = this.#classifier.evidence(score);
    const odds = byCosine + byOthers;
    return { cosine, score, byCosine, byOthers, odds, relevance: probability(odds) };
  }

  #judgement(
    features: TopicFeatures,
    { cosine, odds, relevance }: Weighed,
    offTopicBefore: number,
    urls: TopicUrls | undefined,
  ): TopicJudgement {
    const promise = this.#promise(features, odds, relevance >= RELEVANT ? 0 : offTopicBefore + 1, urls);
    return { relevance, promise, why: this.#why(features, cosine, relevance) };
  }

  /** Cosine to the topic, and the classifier's score over the same unit vector. */
  #compare({ words, counts }: TopicFeatures): { readonly cosine: number; readonly score: number } {
    const { weights } = this.#statistics;
    const { odds } = this.#classifier;
    const topic = this.#topic.weights;
    let product = 0;
    let scored = 0;
    let squares = 0;
    for (let at = 0; at < words.length; at++) {
      const bucket = bucketOf(words[at]);
      const weight = (counts[at] === 1 ? 1 : 1 + Math.log(counts[at])) * weights[bucket];
      squares += weight * weight;
      product += weight * topic[bucket];
      scored += weight * odds[bucket];
    }
    const length = Math.sqrt(squares) || 1;
    // Scores of many small votes grow with the root of their number; so does the length they are divided by.
    return { cosine: product / length, score: scored / length / Math.sqrt(Math.max(1, words.length)) };
  }

  #learnPage({ words }: TopicFeatures, byCosine: number, byOthers: number, score: number): void {
    if (byCosine >= SURELY_ON && byCosine + byOthers >= SURELY_ON)
      this.#classifier.learnOn(words, score, this.#topic.described);
    else if (byCosine <= SURELY_OFF && byOthers <= 0) this.#classifier.learnOff(score);
  }

  #learnLink(page: bigint, relevance: number): void {
    const link = this.#promised.take(page);
    if (link === undefined) return;
    const { signals, words } = this.#promised;
    this.#links.learn(signals, link.signals, words, link.from, link.to, relevance);
  }

  #promise(features: TopicFeatures, odds: number, offTopic: number, urls: TopicUrls | undefined): Float32Array {
    const promise = new Float32Array(features.linkEnds.length);
    const signs = this.#signs;
    for (let link = 0; link < promise.length; link++) {
      signs.read(features, link, odds, offTopic);
      promise[link] = probability(this.#links.odds(signs.signals, 0, signs.words, 0, signs.size));
      const url = urls?.links[link] ?? 0n;
      if (url !== 0n) this.#promised.remember(url, promise[link], signs.words, signs.size, signs.signals, 0);
    }
    return promise;
  }

  /** Often at first, when each page teaches much, then more and more seldom. */
  #refresh(): void {
    const { pages } = this.#meter.harvest();
    this.#refreshAt = pages + Math.min(256, Math.max(4, pages >> 3));
    this.#statistics.refresh();
    this.#topic.refresh(this.#statistics);
    this.#classifier.refresh(this.#statistics);
  }

  #why({ words }: TopicFeatures, cosine: number, relevance: number): string {
    const names = this.#topic.namesIn(words);
    const told = `relevance ${short(relevance)}: cosine ${short(cosine)} to the topic`;
    return names.length === 0 ? told : `${told}; words: ${names.join(', ')}`;
  }
}

/** .41 */
function short(value: number): string {
  return value.toFixed(2).replace(/^0/, '');
}
