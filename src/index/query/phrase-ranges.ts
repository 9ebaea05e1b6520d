import { type DenseCodes, ESCAPE, RANGE } from '../format/dense-codes.ts';
import type { SegmentSearch } from './count-any.ts';
import type { Seen } from './every-word.ts';
import type { PhraseMatcher } from './phrase-matcher.ts';
import { END } from './score-cursor.ts';
import type { PostingWeigher } from './score-model.ts';
import type { SearchedSegment } from './searched-segment.ts';
import type { TopHeap } from './top-heap.ts';

/** A sample is taken in stretches of this many documents. */
const SAMPLE = 512;

/** The search for the best documents with a phrase: positions are read only where its words are frequent enough. */
export class PhraseRanges {
  readonly #matcher: PhraseMatcher;
  readonly #search: SegmentSearch;
  readonly #weigher: PostingWeigher;
  /** Those of its words that are in many documents. */
  readonly #dense: readonly DenseCodes[];
  /** By the half bytes of dense codes: whether they tell occurrences exactly. Rounded ones are no bound of a phrase's. */
  readonly #exact: Uint8Array;

  constructor(matcher: PhraseMatcher, { segment, weigher }: SearchedSegment, search: SegmentSearch) {
    this.#matcher = matcher;
    this.#search = search;
    this.#weigher = weigher;
    this.#dense = matcher.words.flatMap((postings) => postings.dense ?? []);
    this.#exact = new Uint8Array(ESCAPE + 1);
    for (let code = 1; code < ESCAPE; code++) this.#exact[code] = segment.codes.occurrences[code - 1] >= 0 ? 1 : 0;
  }

  read(heap: TopHeap): void {
    const matcher = this.#matcher;
    const { base, documents } = this.#search;
    for (let range = 0; range * RANGE < documents; range++) {
      if (this.#lacksWord(range)) continue;
      const to = Math.min((range + 1) * RANGE, documents);
      for (let document = range * RANGE; document < to; document++) {
        if (!this.#promising(document, heap.threshold)) continue;
        document = matcher.seek(document, to);
        if (document === END) break;
        const score = matcher.score(document);
        if (score > Math.max(0, heap.threshold) && this.#search.accepts(document)) heap.offer(base + document, score);
      }
    }
  }

  #lacksWord(range: number): boolean {
    for (const { maxima } of this.#dense) if (maxima[range] === 0) return true;
    return false;
  }

  /** Whether the frequent words are often enough in a document: the phrase is there no more often than any of them. */
  #promising(document: number, threshold: number): boolean {
    for (const { codes } of this.#dense) {
      const code = (codes[document >> 1] >> ((document & 1) << 2)) & 15;
      if (code === 0) return false;
      if (this.#exact[code] === 0) continue;
      if (this.#matcher.scoreOf(this.#weigher.weigh(document, code - 1)) <= threshold) return false;
    }
    return true;
  }

  /** How many of about `wanted` documents, spread over the segment, hold the phrase. */
  sample(wanted: number): Seen {
    const matcher = this.#matcher;
    const { documents } = this.#search;
    const stretches = Math.max(1, Math.ceil(wanted / SAMPLE));
    const step = Math.max(SAMPLE, Math.ceil(documents / stretches));
    let matched = 0;
    let range = 0;
    for (let from = 0; from < documents; from += step) {
      const to = Math.min(from + SAMPLE, documents);
      for (let at = matcher.seek(from, to); at !== END; at = matcher.seek(at + 1, to)) {
        if (matcher.score(at) > 0 && this.#search.accepts(at)) matched++;
      }
      range += to - from;
    }
    return { matched, range };
  }
}
