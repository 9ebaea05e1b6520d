import { ByteReader } from '../format/byte-reader.ts';
import type { FoundTerm } from '../format/found-term.ts';
import { POSITION_BITS } from '../store/occurrences.ts';

/** Where anchors have a term: `start` to `end` of arrays, in the order of documents and positions. */
export interface TermOccurrences {
  readonly documents: Uint32Array;
  /** Position, and the weight of the anchor in the upper bits. */
  readonly places: Uint32Array;
  readonly forms: Uint8Array;
  readonly start: number;
  readonly end: number;
}

export interface KeptAnchorsParts {
  /** The terms of the renewal before, with where their lists are. */
  readonly terms: Iterator<FoundTerm, void>;
  readonly lists: Uint8Array;
  /** Whose anchors stay. */
  readonly isKept: (document: number) => boolean;
}

/** Anchors of a renewal that the next one takes over, term by term: nothing of them is read or analysed again. */
export class KeptAnchors {
  /** The next term that they have. */
  term: string | undefined;
  readonly #parts: KeptAnchorsParts;
  readonly #reader: ByteReader;
  #documents = new Uint32Array(64);
  #places = new Uint32Array(64);
  #forms = new Uint8Array(64);
  #count = 0;

  constructor(parts: KeptAnchorsParts) {
    this.#parts = parts;
    this.#reader = new ByteReader(parts.lists);
    this.advance();
  }

  /** Of the term; until `advance` is called. */
  get occurrences(): TermOccurrences {
    return { documents: this.#documents, places: this.#places, forms: this.#forms, start: 0, end: this.#count };
  }

  /** Finds the next term. */
  advance(): void {
    const { terms } = this.#parts;
    for (let next = terms.next(); next.done !== true; next = terms.next()) {
      this.#read(next.value);
      if (this.#count === 0) continue;
      this.term = next.value.term;
      return;
    }
    this.term = undefined;
  }

  #read({ postingsAt, postingsLength }: FoundTerm): void {
    const reader = this.#reader;
    this.#count = 0;
    reader.at = postingsAt;
    for (let document = -1; reader.at < postingsAt + postingsLength; ) {
      document += reader.varint() + 1;
      const isKept = this.#parts.isKept(document);
      for (let left = reader.varint(), place = 0; left > 0; left--) {
        place += reader.varint();
        const weight = reader.byte();
        const form = reader.byte();
        if (isKept) this.#add(document, (weight << POSITION_BITS) | place, form);
      }
    }
  }

  #add(document: number, place: number, form: number): void {
    const at = this.#count++;
    if (at === this.#documents.length) this.#grow();
    this.#documents[at] = document;
    this.#places[at] = place;
    this.#forms[at] = form;
  }

  #grow(): void {
    const size = 2 * this.#documents.length;
    const [documents, places, forms] = [this.#documents, this.#places, this.#forms];
    this.#documents = new Uint32Array(size);
    this.#documents.set(documents);
    this.#places = new Uint32Array(size);
    this.#places.set(places);
    this.#forms = new Uint8Array(size);
    this.#forms.set(forms);
  }
}
