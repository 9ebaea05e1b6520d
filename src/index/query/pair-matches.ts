import { FIELDS } from '../fields.ts';
import type { MatchSample } from '../memory/match-sample.ts';
import type { PairArrays } from '../memory/pair-arrays.ts';
import type { PairPostings } from '../store/word-pairs.ts';
import type { SegmentSearch } from './count-any.ts';
import type { Phrase, PhraseMatcher } from './phrase-matcher.ts';
import { type ScoredList, ScoredListBuilder } from './scored-list.ts';
import type { SearchedSegment } from './searched-segment.ts';
import { firstWindow, type Seen, type Windows } from './seen-matches.ts';
import type { TopHeap } from './top-heap.ts';

/** A phrase of two words whose documents the segment lists: no positions are read, and all matches are counted. */
export class PairMatches {
  readonly #searched: SearchedSegment;
  readonly #postings: PairPostings;
  readonly #matcher: PhraseMatcher;
  readonly #arrays: PairArrays;
  readonly #only: number;

  constructor(
    searched: SearchedSegment,
    phrase: Phrase,
    postings: PairPostings,
    matcher: PhraseMatcher,
    arrays: PairArrays,
  ) {
    this.#searched = searched;
    this.#postings = postings;
    this.#matcher = matcher;
    this.#arrays = arrays;
    this.#only = phrase.field === undefined ? -1 : FIELDS.indexOf(phrase.field);
  }

  /** Documents that hold the phrase, deleted ones and those with it in other fields included. */
  get documents(): number {
    return this.#postings.documents;
  }

  /** Finds the best while all that hold the phrase are added to the sample; returns how many do. */
  readAll(search: SegmentSearch, heap: TopHeap, sample?: MatchSample): number {
    const { base } = search;
    let matched = 0;
    for (let part = 0; part < this.#postings.parts; part++) {
      const count = this.#read(part);
      const { documents, codes } = this.#arrays;
      for (let at = 0; at < count; at++) {
        const score = this.#score(documents[at], codes[at]);
        if (score <= 0 || !search.accepts(documents[at])) continue;
        matched++;
        sample?.add(base + documents[at]);
        if (score > heap.threshold) heap.offer(base + documents[at], score);
      }
    }
    return matched;
  }

  /** How many of the documents of windows, spread over the segment, hold the phrase. */
  see(search: SegmentSearch, windows: Windows, sample?: MatchSample): Seen {
    const { width, step } = windows;
    const start = firstWindow(search, windows);
    let matched = 0;
    for (let part = 0; part < this.#postings.parts; part++) {
      const count = this.#read(part);
      const { documents, codes } = this.#arrays;
      for (let at = 0; at < count; at++) {
        const document = documents[at];
        if ((document - start) % step >= width) continue;
        if (this.#score(document, codes[at]) <= 0 || !search.accepts(document)) continue;
        matched++;
        sample?.add(search.base + document);
      }
    }
    let range = 0;
    for (let window = start; window < search.documents; window += step)
      range += Math.max(0, Math.min(window + width, search.documents) - Math.max(0, window));
    return { matched, range };
  }

  list(): ScoredList {
    const list = new ScoredListBuilder();
    for (let part = 0; part < this.#postings.parts; part++) {
      const count = this.#read(part);
      const { documents, codes } = this.#arrays;
      for (let at = 0; at < count; at++) {
        const score = this.#score(documents[at], codes[at]);
        if (score > 0) list.add(documents[at], score);
      }
    }
    return list.list();
  }

  #read(part: number): number {
    this.#arrays.reserve(this.#postings.most);
    return this.#postings.read(part, this.#arrays.documents, this.#arrays.codes);
  }

  #score(document: number, code: number): number {
    const { segment, weigher } = this.#searched;
    const matcher = this.#matcher;
    // Rounded frequencies are those of words; a phrase is counted to the last.
    if (segment.codes.occurrences[code] < 0 && !segment.codes.isExact(code))
      return matcher.seek(document, document + 1) === document ? matcher.score(document) : 0;
    const weight = this.#only < 0 ? weigher.weigh(document, code) : weigher.weighField(document, code, this.#only);
    return weight > 0 ? matcher.scoreOf(weight) : 0;
  }
}
