import { type DenseCodes, ESCAPE, RANGE } from '../format/dense-codes.ts';
import type { MatchSample } from '../memory/match-sample.ts';
import type { SegmentSearch } from './count-any.ts';
import { END } from './cursors/score-cursor.ts';
import type { PhraseMatcher } from './phrase-matcher.ts';
import { LARGE_CODE } from './phrase-pairs.ts';
import type { PostingWeigher } from './score-model.ts';
import type { SearchedSegment } from './searched-segment.ts';
import { firstWindow, type Seen, type Windows } from './seen-matches.ts';
import type { TopHeap } from './top-heap.ts';

/** The search for the best documents with a phrase: positions are read only where its words are frequent enough. */
export class PhraseRanges {
  readonly #matcher: PhraseMatcher;
  readonly #search: SegmentSearch;
  readonly #weigher: PostingWeigher;
  /** Those of its words that are in many documents. */
  #dense: readonly DenseCodes[] = [];
  /** By the half bytes of dense codes: whether they tell occurrences exactly. Rounded ones are no bound of a phrase's. */
  readonly #exact: Uint8Array;
  readonly #occurrences: Int32Array;

  constructor(matcher: PhraseMatcher, { segment, weigher }: SearchedSegment, search: SegmentSearch) {
    this.#matcher = matcher;
    this.#search = search;
    this.#weigher = weigher;
    this.#occurrences = segment.codes.occurrences;
    this.#exact = new Uint8Array(ESCAPE + 1);
    for (let code = 1; code < ESCAPE; code++) this.#exact[code] = segment.codes.occurrences[code - 1] >= 0 ? 1 : 0;
  }

  read(heap: TopHeap): void {
    const { held, words } = this.#matcher;
    this.#dense = words.flatMap((postings) => postings.dense ?? []);
    if (held !== undefined) this.#readHeld(held, heap);
    else if (this.#dense.length === words.length) this.#readRanges(heap);
    else this.#readRarest(heap);
  }

  /** Where pairs tell which documents may hold the phrase: few do, so each is looked at by itself. */
  #readHeld(held: Uint8Array, heap: TopHeap): void {
    const matcher = this.#matcher;
    const { documents } = this.#search;
    for (let document = 0; document < documents; document++) {
      if (held[document] === 0 || !this.#promising(document, heap.threshold)) continue;
      if (matcher.seek(document, document + 1) === document) this.#offer(document, heap);
    }
  }

  /** Where all words are in many documents: eight of them are ruled out in one step. */
  #readRanges(heap: TopHeap): void {
    const dense = this.#dense;
    const { documents } = this.#search;
    for (let range = 0; range * RANGE < documents; range++) {
      let held = rangeHolders(dense[0], range);
      for (let at = 1; at < dense.length && held !== 0; at++) held &= rangeHolders(dense[at], range);
      for (; held !== 0; held &= held - 1) {
        const document = range * RANGE + ((31 - Math.clz32(held & -held)) >> 2);
        if (this.#promising(document, heap.threshold)) this.#offer(document, heap);
      }
    }
  }

  /** Where its rarest word is in few documents: from one of these to the next. */
  #readRarest(heap: TopHeap): void {
    const matcher = this.#matcher;
    const { documents } = this.#search;
    for (let at = matcher.seek(0, documents); at !== END; at = matcher.seek(at + 1, documents)) {
      if (matcher.scoreOf(matcher.rarestWeight) <= heap.threshold || !this.#promising(at, heap.threshold)) continue;
      this.#offer(at, heap);
    }
  }

  #offer(document: number, heap: TopHeap): void {
    const score = this.#matcher.score(document);
    if (score > Math.max(0, heap.threshold) && this.#search.accepts(document))
      heap.offer(this.#search.base + document, score);
  }

  /** Finds the best while all that hold the phrase are added to the sample; returns how many do. */
  readAll(heap: TopHeap, sample?: MatchSample): number {
    const matcher = this.#matcher;
    const { base, documents } = this.#search;
    let matched = 0;
    for (let at = matcher.seek(0, documents); at !== END; at = matcher.seek(at + 1, documents)) {
      const score = matcher.score(at);
      if (score <= 0 || !this.#search.accepts(at)) continue;
      matched++;
      sample?.add(base + at);
      if (score > heap.threshold) heap.offer(base + at, score);
    }
    return matched;
  }

  /** Whether the frequent words are often enough in a document: the phrase is there no more often than any of them. */
  #promising(document: number, threshold: number): boolean {
    const held = this.#matcher.held?.[document];
    if (held === 0) return false;
    // Nothing has been ruled out yet.
    if (threshold < 0) return true;
    if (held !== undefined && held < LARGE_CODE && this.#occurrences[held - 1] >= 0) {
      if (this.#matcher.scoreOf(this.#weigher.weigh(document, held - 1)) <= threshold) return false;
    }
    const dense = this.#dense;
    for (let at = 0; at < dense.length; at++) {
      const { codes } = dense[at];
      const code = (codes[document >> 1] >> ((document & 1) << 2)) & 15;
      if (code === 0) return false;
      if (this.#exact[code] === 0) continue;
      if (this.#matcher.scoreOf(this.#weigher.weigh(document, code - 1)) <= threshold) return false;
    }
    return true;
  }

  /** How many of the documents of windows, spread over the segment, hold the phrase. */
  see(windows: Windows, sample?: MatchSample): Seen {
    const { width, step } = windows;
    const matcher = this.#matcher;
    const { base, documents } = this.#search;
    let matched = 0;
    let range = 0;
    for (let window = firstWindow(this.#search, windows); window < documents; window += step) {
      const from = Math.max(0, window);
      const to = Math.min(window + width, documents);
      if (to <= from) continue;
      for (let at = matcher.seek(from, to); at !== END; at = matcher.seek(at + 1, to)) {
        if (matcher.score(at) <= 0 || !this.#search.accepts(at)) continue;
        matched++;
        sample?.add(base + at);
      }
      range += to - from;
    }
    return { matched, range };
  }
}

/** Which documents of a range hold a word (`HALF_BYTES`). */
function rangeHolders({ words }: DenseCodes, range: number): number {
  const word = words[range];
  const pairs = word | (word >>> 1);
  return (pairs | (pairs >>> 2)) & 0x11111111;
}
