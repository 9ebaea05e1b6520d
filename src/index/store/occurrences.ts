import type { AnchorText } from '../../contracts/search-index.ts';
import type { Analyze, RememberedWords } from '../analyze.ts';
import { anchorLevel } from '../format/anchor-sum.ts';
import { TermNumbers } from './term-numbers.ts';
import { type SortedWords, WordArrays } from './word-arrays.ts';

/** A position takes the lower bits, the weight of an anchor the upper ones. */
export const POSITION_BITS = 24;
export const POSITION_MASK = 2 ** POSITION_BITS - 1;
/** Between two anchors, so that no phrase reaches from one into the next. */
const ANCHOR_GAP = 1;

/** Occurrences in the order of their terms' numbers; those of a term in the order of documents and positions. */
export interface SortedOccurrences extends SortedWords {
  /** By number; some may have no occurrences. */
  readonly terms: readonly string[];
  /** The numbers of those that have occurrences, in the order of the dictionary. */
  readonly order: Uint32Array;
  /** Where the occurrences of each term begin, and where the last ends. */
  readonly starts: Uint32Array;
}

/**
 * Words of documents in memory. Every occurrence is three numbers in arrival order; one counting sort by term turns that into
 * postings, so that adding a word costs a look-up of its term and two stores.
 */
export class Occurrences {
  readonly #analyze: Analyze;
  readonly #numbers: TermNumbers;
  readonly #arrays: WordArrays;
  #terms: Uint32Array;
  /** Position, and the weight of the anchor in the upper bits. */
  #places: Uint32Array;
  #forms: Uint8Array;
  #count = 0;
  /** Occurrences up to the end of each document. */
  readonly #documentEnds: number[] = [];

  /** `arrays`: nobody else's until these occurrences are written. */
  constructor(analyze: Analyze, arrays = new WordArrays(), numbers = new TermNumbers()) {
    this.#analyze = analyze;
    this.#numbers = numbers;
    this.#arrays = arrays;
    this.#terms = arrays.terms;
    this.#places = arrays.places;
    this.#forms = arrays.forms;
  }

  get documents(): number {
    return this.#documentEnds.length;
  }

  /** Words held; each takes about 16 bytes until it is written. */
  get count(): number {
    return this.#count;
  }

  /** Takes a text of the document whose turn it is, with positions from `start` on. Returns how many it takes. */
  add(text: string, language: string, start: number, anchorWeight = 0): number {
    const weight = anchorWeight << POSITION_BITS;
    let known: RememberedWords | undefined;
    let owner = 0;
    return this.#analyze(
      text,
      language,
      (term, position, form = 0) => this.#take(this.#numbers.of(term), start + position, weight, form),
      (words, places, count, position) => {
        if (words !== known) {
          known = words;
          owner = this.#numbers.ownerAt(words);
        }
        this.#takeWords(words, owner, places, count, start + position, weight);
      },
    );
  }

  #takeWords(
    words: RememberedWords,
    owner: number,
    found: Uint32Array,
    count: number,
    position: number,
    weight: number,
  ): void {
    const first = this.#count;
    while (first + count > this.#terms.length) this.#grow();
    const terms = this.#terms;
    const places = this.#places;
    const forms = this.#forms;
    for (let i = 0, at = first; i < count; i++, at++) {
      const place = found[i];
      const noted = words.noted(place, owner);
      terms[at] = noted === -1 ? this.#numberOfWord(words, place, owner) : noted;
      places[at] = Math.min(position + i, POSITION_MASK) | weight;
      forms[at] = words.form(place);
    }
    this.#count = first + count;
  }

  #take(number: number, position: number, weight: number, form: number): void {
    const at = this.#count;
    if (at === this.#terms.length) this.#grow();
    this.#terms[at] = number;
    this.#places[at] = Math.min(position, POSITION_MASK) | weight;
    this.#forms[at] = form;
    this.#count = at + 1;
  }

  /** The same for anchors. A document that leaves no room for positions behind it has none. */
  addAnchors(anchors: readonly AnchorText[], language: string, start: number): number {
    if (start > POSITION_MASK) return 0;
    let used = 0;
    for (const anchor of anchors) {
      const length = this.add(anchor.text, language, start + used, anchorLevel(anchor));
      if (length > 0) used += length + ANCHOR_GAP;
    }
    return used;
  }

  /** The document whose turn it is has no more. Returns its number. */
  endDocument(): number {
    return this.#documentEnds.push(this.#count) - 1;
  }

  sort(): SortedOccurrences {
    const total = this.#count;
    const { terms } = this.#numbers;
    const size = terms.length;
    const starts = new Uint32Array(size + 1);
    for (let i = 0; i < total; i++) starts[this.#terms[i] + 1]++;
    for (let term = 0; term < size; term++) starts[term + 1] += starts[term];
    const next = starts.slice();
    const sorted = this.#arrays.sorted(total);
    const { documents, places, forms } = sorted;
    let i = 0;
    for (const [document, end] of this.#documentEnds.entries()) {
      for (; i < end; i++) {
        const at = next[this.#terms[i]]++;
        documents[at] = document;
        places[at] = this.#places[i];
        forms[at] = this.#forms[i];
      }
    }
    return { ...sorted, terms, order: this.#numbers.ordered(starts), starts };
  }

  #numberOfWord(words: RememberedWords, place: number, owner: number): number {
    const number = this.#numbers.of(words.term(place));
    words.note(place, owner, number);
    return number;
  }

  #grow(): void {
    this.#arrays.grow();
    const { terms, places, forms } = this.#arrays;
    this.#terms = terms;
    this.#places = places;
    this.#forms = forms;
  }
}
