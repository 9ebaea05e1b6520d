import type { TopicFeatures } from '../../contracts/content/topic.ts';
import { ANCHOR_COSINE, AROUND_COSINE, OFF_TOPIC, SIGNALS, SOURCE, URL_COSINE, WORD_ODDS } from './link-model.ts';
import type { PageClassifier } from './page-classifier.ts';
import { ANCHOR, AROUND, URL_WORD } from './topic-features.ts';
import type { TopicVector } from './topic-vector.ts';
import { bucketOf, type WordStatistics } from './word-statistics.ts';

const MOST_OFF_TOPIC = 6;
const COSINES = { [ANCHOR]: ANCHOR_COSINE, [AROUND]: AROUND_COSINE, [URL_WORD]: URL_COSINE };
/** Words that the link model learns: of the anchor the first, of the URL the last, which are nearest to the page. */
const MOST_LEARNT = 8;

/** What speaks for a link: signals and words, read one link after another into the same arrays. */
export class LinkSigns {
  readonly signals = new Float32Array(SIGNALS);
  readonly words = new Uint32Array(2 * MOST_LEARNT);
  size = 0;
  readonly #topic: TopicVector;
  readonly #statistics: WordStatistics;
  readonly #classifier: PageClassifier;
  /** By place of a word: product with the topic, squared length. */
  readonly #products = new Float64Array(4);
  readonly #squares = new Float64Array(4);

  constructor(topic: TopicVector, statistics: WordStatistics, classifier: PageClassifier) {
    this.#topic = topic;
    this.#statistics = statistics;
    this.#classifier = classifier;
  }

  /** `odds`: of the page's own relevance; `offTopic`: pages in a row up to it that are off topic. */
  read({ linkWords, linkEnds }: TopicFeatures, link: number, odds: number, offTopic: number): void {
    const from = link === 0 ? 0 : linkEnds[link - 1];
    const to = linkEnds[link];
    const { weights } = this.#statistics;
    this.#products.fill(0);
    this.#squares.fill(0);
    let told = 0;
    let tellers = 0;
    let anchors = 0;
    for (let at = from; at < to; at++) {
      const word = linkWords[at];
      const bucket = bucketOf(word);
      const place = word & 3;
      const weight = weights[bucket];
      this.#products[place] += weight * this.#topic.weights[bucket];
      this.#squares[place] += weight * weight;
      if (place === AROUND) continue;
      told += this.#classifier.odds[bucket];
      tellers++;
      if (place === ANCHOR && anchors < MOST_LEARNT) this.words[anchors++] = word;
    }
    for (const place of [ANCHOR, AROUND, URL_WORD] as const)
      this.signals[COSINES[place]] = this.#products[place] / (Math.sqrt(this.#squares[place]) || 1);
    this.signals[SOURCE] = Math.max(-1, Math.min(1, odds / 3));
    this.signals[WORD_ODDS] = told / Math.sqrt(Math.max(1, tellers));
    this.signals[OFF_TOPIC] = Math.min(MOST_OFF_TOPIC, offTopic) / 3;
    this.#addUrlWords(linkWords, from, to, anchors);
  }

  #addUrlWords(linkWords: Uint32Array, from: number, to: number, anchors: number): void {
    let size = anchors;
    for (let at = to - 1; at >= from && at >= to - MOST_LEARNT && (linkWords[at] & 3) === URL_WORD; at--)
      this.words[size++] = linkWords[at];
    this.size = size;
  }
}
