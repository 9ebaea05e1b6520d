import { type Analyzer, createAnalyzer } from '../../../index/analysis/analyzer.ts';
import { type BundleAbout, type BundlePage, type Posting, partPath, priorOfByte, readTerms } from './bundle-format.ts';
import { excerpt, marked, type Piece } from './excerpt.ts';

export interface BundleHit {
  readonly url: string;
  readonly title: readonly Piece[];
  readonly excerpt: readonly Piece[];
  readonly score: number;
}

export interface BundleAnswer {
  readonly total: number;
  readonly hits: readonly BundleHit[];
}

/** A file of the bundle, by its path. */
export type LoadPart = (path: string) => Promise<ArrayBuffer>;

interface Word {
  readonly terms: readonly string[];
}

/** Loaded parts that are kept: a reader pages and searches again. */
const KEPT_PARTS = 200;
/** With more words than these a question is told in whole sentences: no page is expected to have them all. */
const LONG_QUESTION = 6;

/** Searches a bundle from files alone: those parts are loaded that a query needs. */
export class BundleSearch {
  readonly about: BundleAbout;
  readonly #load: LoadPart;
  readonly #priors: Uint8Array;
  readonly #analyzer: Analyzer = createAnalyzer({ remembered: 1024 });
  readonly #parts = new Map<string, Promise<ArrayBuffer>>();

  private constructor(about: BundleAbout, priors: Uint8Array, load: LoadPart) {
    this.about = about;
    this.#priors = priors;
    this.#load = load;
  }

  static async open(load: LoadPart): Promise<BundleSearch> {
    const [about, priors] = await Promise.all([load('index.json'), load('priors.bin')]);
    return new BundleSearch(JSON.parse(new TextDecoder().decode(about)), new Uint8Array(priors), load);
  }

  /** The best pages from `start` on: first those with all words, then those with any. */
  async search(query: string, start: number, count: number): Promise<BundleAnswer> {
    const asked = this.#analyzer.analyzeQuery(query.slice(0, 500), undefined, this.about.languages);
    const telling = asked.filter(({ stop }) => !stop);
    const words: readonly Word[] = telling.length > 0 ? telling : asked;
    const postings = await this.#postings(words);
    const known = words.filter(({ terms }) => terms.some((term) => postings.has(term)));
    const scores = this.#scores(known, postings);
    const needed = known.length > LONG_QUESTION ? 1 : known.length;
    const ranked = [...scores].sort(
      ([a, one], [b, other]) =>
        Number(other.words >= needed) - Number(one.words >= needed) || other.score - one.score || a - b,
    );
    const complete = ranked.filter(([, { words: held }]) => held >= needed).length;
    // Where enough pages have every word, the others were not asked for.
    const matches = complete >= count ? ranked.slice(0, complete) : ranked;
    const terms = new Set(asked.flatMap((word) => word.terms));
    const hits = matches.slice(start, start + count).map(async ([page, { score }]) => this.#hit(page, score, terms));
    return { total: matches.length, hits: await Promise.all(hits) };
  }

  #scores(words: readonly Word[], postings: ReadonlyMap<string, readonly Posting[]>) {
    const { k1, pages } = this.about;
    const scores = new Map<number, { score: number; words: number }>();
    for (const { terms } of words) {
      const weights = new Map<number, number>();
      let holders = 0;
      for (const term of new Set(terms)) {
        const list = postings.get(term) ?? [];
        holders += list.length;
        for (const { page, weight } of list) weights.set(page, (weights.get(page) ?? 0) + weight);
      }
      const frequency = Math.min(holders, pages);
      const rarity = Math.log(1 + (pages - frequency + 0.5) / (frequency + 0.5));
      for (const [page, weight] of weights) {
        const held = scores.get(page) ?? { score: priorOfByte(this.#priors[page]), words: 0 };
        held.score += (rarity * (k1 + 1) * weight) / (k1 + weight);
        held.words++;
        scores.set(page, held);
      }
    }
    return scores;
  }

  async #postings(words: readonly Word[]): Promise<Map<string, Posting[]>> {
    const byPart = new Map<number, Set<string>>();
    for (const term of words.flatMap(({ terms }) => terms)) {
      const part = this.#partOf(term);
      if (part < 0) continue;
      const wanted = byPart.get(part);
      if (wanted === undefined) byPart.set(part, new Set([term]));
      else wanted.add(term);
    }
    const found = new Map<string, Posting[]>();
    await Promise.all(
      [...byPart].map(async ([part, wanted]) => {
        const bytes = new Uint8Array(await this.#part(partPath('terms', part)));
        for (const [term, list] of readTerms(bytes, wanted)) found.set(term, list);
      }),
    );
    return found;
  }

  /** The last part whose first term does not come behind this one; -1 where there is none. */
  #partOf(term: string): number {
    const { firstTerms } = this.about;
    let low = 0;
    let high = firstTerms.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (firstTerms[middle] <= term) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  async #hit(page: number, score: number, terms: ReadonlySet<string>): Promise<BundleHit> {
    const { pagesPerPart } = this.about;
    const part = await this.#part(partPath('pages', Math.floor(page / pagesPerPart)));
    const pages = JSON.parse(new TextDecoder().decode(part)) as readonly BundlePage[];
    const { url, title, language, text } = pages[page % pagesPerPart];
    return {
      ...{ url, score },
      title: marked(title, language, terms, this.#analyzer),
      excerpt: excerpt(text, language, terms, this.#analyzer),
    };
  }

  #part(path: string): Promise<ArrayBuffer> {
    const kept = this.#parts.get(path);
    if (kept !== undefined) return kept;
    const oldest = this.#parts.size < KEPT_PARTS ? undefined : this.#parts.keys().next().value;
    if (oldest !== undefined) this.#parts.delete(oldest);
    const loading = this.#load(path);
    this.#parts.set(path, loading);
    // What failed is asked for again with the next query.
    loading.catch(() => this.#parts.delete(path));
    return loading;
  }
}
