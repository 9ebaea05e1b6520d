import type { AnchorText } from '../../contracts/search-index.ts';
import {
  type Analyze,
  type EmitRemembered,
  type EmitTerm,
  NO_NOTE,
  NOTE_BITS,
  NOTE_MASK,
  type RememberedWords,
  type WordOwners,
} from '../analyze.ts';
import { anchorLevel } from '../format/anchor-sum.ts';
import { TermNumbers } from './term-numbers.ts';
import { type SortedWords, WordArrays } from './word-arrays.ts';
import type { KnownTexts } from './words/known-texts.ts';

/** A position takes the lower bits, the weight of an anchor the upper ones. */
export const POSITION_BITS = 24;
export const POSITION_MASK = 2 ** POSITION_BITS - 1;
/** Between two anchors, so that no phrase reaches from one into the next. */
export const ANCHOR_GAP = 1;
/** Terms whose places are summed up in one call. */
const TERMS_AT_ONCE = 1024;

/** Which words a term has, of those in the order of their terms' numbers. */
interface WordsOfTerms {
  /** By number; some may have no occurrences. */
  readonly terms: readonly string[];
  /** The numbers of those that have occurrences, in the order of the dictionary. */
  readonly order: Uint32Array;
  /** Where the occurrences of each term begin, and where the last ends. */
  readonly starts: Uint32Array;
}

/** Occurrences in the order of their terms' numbers; those of a term in the order of documents and positions. */
export type SortedOccurrences = SortedWords & WordsOfTerms;

/** Words in the order of their arrival, in no more memory than they need. */
export interface HeldWords {
  readonly count: number;
  /** Of the terms. */
  readonly numbers: TermNumbers;
  readonly terms: Uint32Array;
  readonly places: Uint32Array;
  readonly forms: Uint8Array;
  /** Where the words of each document end. */
  readonly documentEnds: readonly number[];
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
  /** Of the text that is being taken. */
  #start = 0;
  #weight = 0;
  /** Of the words that were met last, and as whom their numbers are noted. */
  #owners: WordOwners | undefined;
  #owner = 0;
  /** Made once: the engine drops the code of functions that live no longer than a text with every collection of garbage. */
  readonly #takeTerm: EmitTerm = (term, position, form = 0) =>
    this.#take(this.#numbers.of(term), this.#start + position, this.#weight, form);
  readonly #takeWords: EmitRemembered = (words, found, count, position, offsets) => {
    while (this.#count + count > this.#terms.length) this.#grow();
    this.#takeRun(words, found, count, this.#start + position, offsets);
    this.#count += count;
  };

  /** `arrays`: nobody else's until these occurrences are written. */
  constructor(analyze: Analyze, arrays = new WordArrays(), numbers = new TermNumbers()) {
    this.#analyze = analyze;
    this.#numbers = numbers;
    this.#arrays = arrays;
    this.#terms = arrays.terms;
    this.#places = arrays.places;
    this.#forms = arrays.forms;
  }

  /** Of the terms. */
  get numbers(): TermNumbers {
    return this.#numbers;
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
    this.#start = start;
    this.#weight = anchorWeight << POSITION_BITS;
    return this.#analyze(text, language, this.#takeTerm, this.#takeWords);
  }

  #takeRun(words: RememberedWords, found: Uint32Array, count: number, start: number, offsets?: Uint8Array): void {
    const owner = this.#ownerAt(words.owners);
    const notes = words.notes(found, count, owner);
    const weight = this.#weight;
    const terms = this.#terms;
    const places = this.#places;
    const forms = this.#forms;
    for (let i = 0, at = this.#count; i < count; i++, at++) {
      const note = notes[i];
      const position = start + (offsets === undefined ? i : offsets[found[i]]);
      places[at] = Math.min(position, POSITION_MASK) | weight;
      terms[at] = note & NOTE_MASK;
      forms[at] = note >>> NOTE_BITS;
      if (note !== NO_NOTE) continue;
      terms[at] = this.#numberOfWord(words, found[i], owner);
      forms[at] = words.form(found[i]);
    }
  }

  #take(number: number, position: number, weight: number, form: number): void {
    const at = this.#count;
    if (at === this.#terms.length) this.#grow();
    this.#terms[at] = number;
    this.#places[at] = Math.min(position, POSITION_MASK) | weight;
    this.#forms[at] = form;
    this.#count = at + 1;
  }

  /**
   * The same for anchors. A document that leaves no room for positions behind it has none. `known`: for those who add the anchors of
   * many documents.
   */
  addAnchors(anchors: readonly AnchorText[], language: string, start: number, known?: KnownTexts): number {
    if (start > POSITION_MASK) return 0;
    known?.useNumbers(this.#numbers);
    let used = 0;
    for (const anchor of anchors) {
      const length = this.#addAnchor(anchor, language, start + used, known);
      if (length > 0) used += length + ANCHOR_GAP;
    }
    return used;
  }

  #addAnchor(anchor: AnchorText, language: string, start: number, known: KnownTexts | undefined): number {
    const { text } = anchor;
    const level = anchorLevel(anchor);
    const number = known === undefined ? -1 : known.of(text, language);
    if (number >= 0) return this.#addKnown(known!, number, start, level << POSITION_BITS);
    const from = this.#count;
    const length = this.add(text, language, start, level);
    if (known === undefined || start + length > POSITION_MASK) return length;
    const offsets = this.#places.subarray(from, this.#count).map((place) => (place & POSITION_MASK) - start);
    const [terms, forms] = [this.#terms.subarray(from, this.#count), this.#forms.subarray(from, this.#count)];
    known.note(text, language, length, { terms, offsets, forms });
    return length;
  }

  #addKnown(
    { starts, lengths, terms, offsets, forms }: KnownTexts,
    number: number,
    start: number,
    weight: number,
  ): number {
    for (let at = starts[number]; at < starts[number + 1]; at++)
      this.#take(terms[at], start + offsets[at], weight, forms[at]);
    return lengths[number];
  }

  /** The words of a document, which were added and held before: they are added as they are. */
  addHeld(words: HeldWords, document: number): void {
    const { numbers, terms, places, forms, documentEnds } = words;
    const isOfOthers = numbers !== this.#numbers;
    for (let at = document === 0 ? 0 : documentEnds[document - 1]; at < documentEnds[document]; at++) {
      const number = isOfOthers ? this.#numbers.of(numbers.terms[terms[at]]) : terms[at];
      this.#take(number, places[at] & POSITION_MASK, places[at] & ~POSITION_MASK, forms[at]);
    }
  }

  /** A copy of all that was added, which stays when these occurrences are given up. Its terms are in order then, so that nobody waits for it. */
  held(): HeldWords {
    const count = this.#count;
    this.#numbers.order();
    return {
      ...{ count, numbers: this.#numbers, documentEnds: this.#documentEnds },
      terms: this.#terms.slice(0, count),
      places: this.#places.slice(0, count),
      forms: this.#forms.slice(0, count),
    };
  }

  /** The document whose turn it is has no more. Returns its number. */
  endDocument(): number {
    return this.#documentEnds.push(this.#count) - 1;
  }

  /** Document by document: a loop over all words in a function that is called once for each segment would be compiled with each segment. */
  sort(): SortedOccurrences {
    const words = this.#wordsOfTerms();
    const next = words.starts.slice();
    const ends = this.#documentEnds;
    const sorted = this.#arrays.sorted(this.#count);
    for (let document = 0; document < ends.length; document++)
      this.#place(document, document === 0 ? 0 : ends[document - 1], ends[document], next, sorted);
    return { ...sorted, ...words };
  }

  #wordsOfTerms(): WordsOfTerms {
    const { terms } = this.#numbers;
    const size = terms.length;
    const starts = new Uint32Array(size + 1);
    const ends = this.#documentEnds;
    for (let document = 0; document < ends.length; document++)
      this.#countTerms(document === 0 ? 0 : ends[document - 1], ends[document], starts);
    for (let from = 0; from < size; from += TERMS_AT_ONCE) addUp(starts, from, Math.min(size, from + TERMS_AT_ONCE));
    return { terms, order: this.#numbers.ordered(starts), starts };
  }

  #countTerms(from: number, to: number, starts: Uint32Array): void {
    const terms = this.#terms;
    for (let i = from; i < to; i++) starts[terms[i] + 1]++;
  }

  #place(document: number, from: number, to: number, next: Uint32Array, sorted: SortedWords): void {
    const { documents, places, forms } = sorted;
    const terms = this.#terms;
    const arrivedPlaces = this.#places;
    const arrivedForms = this.#forms;
    for (let i = from; i < to; i++) {
      const at = next[terms[i]]++;
      documents[at] = document;
      places[at] = arrivedPlaces[i];
      forms[at] = arrivedForms[i];
    }
  }

  #ownerAt(owners: WordOwners): number {
    if (owners !== this.#owners) {
      this.#owners = owners;
      this.#owner = this.#numbers.ownerAt(owners);
    }
    return this.#owner;
  }

  #numberOfWord(words: RememberedWords, place: number, owner: number): number {
    const known = words.noted(place, owner);
    if (known !== -1) return known;
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

function addUp(starts: Uint32Array, from: number, to: number): void {
  for (let term = from; term < to; term++) starts[term + 1] += starts[term];
}
