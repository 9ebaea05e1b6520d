import type { QueryNode } from '../../contracts/search-index.ts';
import { FIELDS } from '../fields.ts';
import type { TermPostings } from '../format/term-postings.ts';
import type { BlockArrays } from '../memory/block-arrays.ts';
import { END } from './cursors/score-cursor.ts';
import { PostingReader } from './posting-reader.ts';
import type { LeafPlan } from './query-plan.ts';
import type { SearchedSegment } from './searched-segment.ts';

export type Phrase = Extract<QueryNode, { kind: 'phrase' }>;

/** Positions below this are marked in a table; up to this many are compared one by one. */
const MARKS = 4096;
const FEW = 4;

/** Finds a phrase in the documents of a segment, and scores it as if it were one word. */
export class PhraseMatcher {
  /** Where pairs of its words tell it: the documents that may hold the phrase (`pairHolders`). */
  readonly held: Uint8Array | undefined;
  /** Postings of its words, the rarest first; none where a word is missing. */
  readonly words: readonly TermPostings[];
  readonly #weight: number;
  readonly #k1: number;
  readonly #searched: SearchedSegment;
  readonly #readers: readonly PostingReader[];
  /** Of words that are laid out by document: whether one of these holds them is looked up, not unpacked. */
  readonly #codes: readonly (Uint8Array | undefined)[];
  /** Words that are in so many documents that the next one without them is no step ahead. */
  readonly #isCommon: readonly boolean[];
  readonly #offsets: readonly number[];
  readonly #marks = new Uint8Array(MARKS);
  #starts = new Int32Array(64);
  readonly #counts = new Uint32Array(FIELDS.length);
  readonly #first: number;
  readonly #last: number;
  readonly #only: number;

  constructor(
    searched: SearchedSegment,
    phrase: Phrase,
    leaf: LeafPlan,
    k1: number,
    arrays: BlockArrays,
    held?: Uint8Array,
  ) {
    const words = leaf.terms.flatMap((term, at) => {
      const postings = searched.segment.postings(term);
      return postings === undefined ? [] : [{ postings, offset: phrase.offsets[at] }];
    });
    if (words.length < leaf.terms.length) words.length = 0;
    // The rarest first: most documents are ruled out by it and the next.
    words.sort((a, b) => a.postings.documents - b.postings.documents);
    this.words = words.map(({ postings }) => postings);
    this.held = held;
    this.#weight = leaf.weight;
    this.#k1 = k1;
    this.#searched = searched;
    this.#readers = this.words.map((postings) => new PostingReader(postings, arrays));
    this.#codes = this.words.map((postings) => postings.laidOut?.codes);
    this.#isCommon = this.words.map((postings) => postings.isCommon);
    this.#offsets = words.map(({ offset }) => offset);
    this.#first = Math.min(...phrase.offsets);
    this.#last = Math.max(...phrase.offsets);
    this.#only = phrase.field === undefined ? -1 : FIELDS.indexOf(phrase.field);
  }

  /** The first document from `target` on, and below `to`, that holds all words, wherever; else `END`. */
  seek(target: number, to: number): number {
    const readers = this.#readers;
    if (readers.length === 0) return END;
    let document = this.#lead(target, to);
    for (let at = 1; at < readers.length && document < to; ) {
      const reached = this.#reach(at, document);
      if (reached === document) at++;
      else {
        document = reached < to ? this.#lead(reached, to) : END;
        at = 1;
      }
    }
    return document < to ? document : END;
  }

  /** The document where it holds a word, else one after it that no document with the word comes before. */
  #reach(word: number, document: number): number {
    const codes = this.#codes[word];
    if (codes !== undefined) return holds(codes, document) ? document : document + 1;
    const reader = this.#readers[word];
    if (this.#isCommon[word]) return reader.holds(document) ? document : document + 1;
    return reader.seek(document);
  }

  /** The first document from `target` on that holds the rarest word and may hold the phrase, where that is below `to`. */
  #lead(target: number, to: number): number {
    const { held } = this;
    const [rarest] = this.#readers;
    if (held === undefined) return rarest.seek(target);
    for (let document = target; ; document++) {
      while (document < to && held[document] === 0) document++;
      if (document >= to) return END;
      const reached = rarest.seek(document);
      if (reached >= to) return END;
      if (held[reached] !== 0) return reached;
      document = reached;
    }
  }

  /** No less than the weight of the phrase in the document that `seek` found, by how often its rarest word is there. */
  get rarestWeight(): number {
    const { code, document } = this.#readers[0];
    const { segment, weigher } = this.#searched;
    return segment.codes.occurrences[code] < 0 ? Number.POSITIVE_INFINITY : weigher.weigh(document, code);
  }

  /** The score of the phrase where it has this weight. */
  scoreOf(weight: number): number {
    return (this.#weight * weight) / (weight + this.#k1);
  }

  /** The score of a document that holds all words; 0 where the phrase is not in it. Quickest in ascending order. */
  score(document: number): number {
    const { segment, weigher } = this.#searched;
    const found = this.#find(document);
    if (found === 0) return 0;
    const starts = this.#starts;
    // Counted before they are weighed, as the words are: so no rounding lifts a phrase above its words.
    const counts = this.#counts.fill(0);
    for (let at = 0; at < found; at++) {
      const field = segment.fieldAt(document, starts[at] + this.#first);
      // The last words of a field and the first of the next are no phrase.
      if (segment.fieldAt(document, starts[at] + this.#last) !== field) continue;
      if (this.#only < 0 || this.#only === field) counts[field]++;
    }
    let weight = 0;
    for (let field = 0; field < counts.length; field++) {
      if (counts[field] > 0) weight += weigher.worth(document, field, counts[field]);
    }
    return weight > 0 ? this.scoreOf(weight) : 0;
  }

  /** Where the phrase begins, into `#starts`; returns how often it does. */
  #find(document: number): number {
    const readers = this.#readers;
    let count = readers[0].readPositionsOf(document);
    if (count > this.#starts.length) this.#starts = new Int32Array(2 * count);
    const starts = this.#starts;
    for (let at = 0; at < count; at++) starts[at] = readers[0].positions[at] - this.#offsets[0];
    for (let word = 1; word < readers.length && count > 0; word++) {
      if (count === 1) {
        // Most rare words are in a document once: nothing but the one place is looked at.
        if (!readers[word].holdsPosition(document, starts[0] + this.#offsets[word])) return 0;
        continue;
      }
      const held = readers[word].readPositionsOf(document);
      const { positions } = readers[word];
      const offset = this.#offsets[word];
      const short = starts[count - 1] < MARKS && starts[0] >= 0 && count + held > FEW;
      count = short
        ? this.#keepMarked(count, positions, held, offset)
        : keepMet(starts, count, positions, held, offset);
    }
    return count;
  }

  /** As `keepMet`, without comparisons that nobody can foresee: quicker where there are many. */
  #keepMarked(count: number, positions: Uint32Array, held: number, offset: number): number {
    const starts = this.#starts;
    const marks = this.#marks;
    for (let at = 0; at < count; at++) marks[starts[at]] = 1;
    let met = 0;
    for (let at = 0; at < held; at++) {
      const start = positions[at] - offset;
      // A mark of 2 tells that both are there.
      if (start >= 0 && start < MARKS && marks[start] === 1) {
        marks[start] = 2;
        met++;
      }
    }
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const start = starts[at];
      if (met > 0 && marks[start] === 2) starts[kept++] = start;
      marks[start] = 0;
    }
    return kept;
  }
}

/** Whether a document holds a word that is laid out by document. */
function holds(codes: Uint8Array, document: number): boolean {
  return ((codes[document >> 1] >> ((document & 1) << 2)) & 15) !== 0;
}

/** Keeps those starts at which the other positions, less the offset, are too. */
function keepMet(starts: Int32Array, count: number, positions: Uint32Array, held: number, offset: number): number {
  let kept = 0;
  for (let i = 0, j = 0; i < count && j < held; ) {
    const step = starts[i] - (positions[j] - offset);
    if (step === 0) starts[kept++] = starts[i];
    if (step <= 0) i++;
    if (step >= 0) j++;
  }
  return kept;
}
