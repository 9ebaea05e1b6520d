import type { TopicFeatures } from '../../contracts/content/topic.ts';
import { eachWord } from './each-word.ts';
import { BUCKET_COUNT, bucketOf, type WordStatistics } from './word-statistics.ts';

/** Words of the topic that count at most; the rest of a sample page is chance. */
const MOST_WORDS = 150;
/** How much a word of the samples that are not meant takes away. */
const UNLIKE_SHARE = 0.5;
const MOST_NAMED = 4;

interface TopicWord {
  weight: number;
  readonly name?: string;
}

/** What the crawl is after: words and their weights, of unit length together. */
export class TopicVector {
  /** Of each bucket of words; 0 is no word of the topic. */
  readonly weights = new Float32Array(BUCKET_COUNT);
  /** Buckets of the words that somebody wrote to describe the topic. */
  readonly described: ReadonlySet<number>;
  readonly #profile = new Map<number, TopicWord>();
  readonly #names = new Map<number, string>();

  constructor(description: string, like: readonly TopicFeatures[], unlike: readonly TopicFeatures[]) {
    const described = countWords(description);
    this.described = new Set(described.keys());
    for (const [bucket, { weight, name }] of described) this.#add(bucket, 1 + Math.log(weight), name);
    // A word of a description was chosen; one of a sample page may be there by chance, unless other samples have it too.
    for (const page of like) this.#addPage(page, 1 / like.length);
    for (const page of unlike) this.#addPage(page, -UNLIKE_SHARE / unlike.length);
  }

  /** Weighs the words again by what is known of all words now. */
  refresh(statistics: WordStatistics): void {
    this.weights.fill(0);
    this.#names.clear();
    const weighed = [...this.#profile]
      .map(([bucket, { weight, name }]) => ({ bucket, name, weight: weight * statistics.weights[bucket] }))
      .filter(({ weight }) => weight > 0)
      .sort((a, b) => b.weight - a.weight || a.bucket - b.bucket)
      .slice(0, MOST_WORDS);
    const length = Math.hypot(...weighed.map(({ weight }) => weight)) || 1;
    for (const { bucket, weight, name } of weighed) {
      this.weights[bucket] = weight / length;
      if (name !== undefined) this.#names.set(bucket, name);
    }
  }

  /** Those of a page's words that bring it nearest to the topic, as far as they are known by name. */
  namesIn(words: Uint32Array): string[] {
    const found = new Map<string, number>();
    for (const word of words) {
      const weight = this.weights[bucketOf(word)];
      const name = weight > 0 ? this.#names.get(bucketOf(word)) : undefined;
      if (name !== undefined) found.set(name, weight);
    }
    return [...found]
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST_NAMED)
      .map(([name]) => name);
  }

  #addPage({ words, counts, names }: TopicFeatures, share: number): void {
    for (let at = 0; at < words.length; at++)
      this.#add(bucketOf(words[at]), share * (1 + Math.log(counts[at])), names?.[at]);
  }

  #add(bucket: number, weight: number, name: string | undefined): void {
    const known = this.#profile.get(bucket);
    if (known === undefined) this.#profile.set(bucket, { weight, ...(name === undefined ? {} : { name }) });
    else known.weight += weight;
  }
}

function countWords(text: string): Map<number, TopicWord> {
  const counts = new Map<number, TopicWord>();
  eachWord(text, 5000, (word, from, to) => {
    const known = counts.get(bucketOf(word));
    if (known === undefined) counts.set(bucketOf(word), { weight: 1, name: text.slice(from, to).toLowerCase() });
    else known.weight++;
  });
  return counts;
}
