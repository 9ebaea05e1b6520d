const FIRST_WORDS = 1 << 16;
/** Arrays for more words than these are not kept: only a long import fills them. */
const KEPT_WORDS = 1 << 20;

/** Words in the order of their terms. */
export interface SortedWords {
  readonly documents: Uint32Array;
  readonly places: Uint32Array;
  readonly forms: Uint8Array;
}

/** The same for whoever makes postings of all words of documents, and room for these. */
export interface PackedWords {
  /** Of each its place, and its document with its form in the lower bits: in one place, so that memory is waited for once. */
  readonly words: Uint32Array;
  readonly postings: PostingArrays;
}

/** Postings, one term after the other. Of any value where there are none yet. */
export interface PostingArrays {
  readonly documents: Uint32Array;
  readonly codes: Uint32Array;
  readonly forms: Uint32Array;
  readonly addedForms: Uint32Array;
  /** How many positions each has. */
  readonly counts: Uint32Array;
  /** One posting after the other: its first position whole, the others as steps. */
  readonly positionSteps: Uint32Array;
}

/**
 * Arrays for the words of documents in memory, which one segment after the other uses: to get such from the system and give them
 * back costs about as much as to fill them.
 */
export class WordArrays {
  /** In the order of arrival. */
  terms = new Uint32Array(FIRST_WORDS);
  places = new Uint32Array(FIRST_WORDS);
  forms = new Uint8Array(FIRST_WORDS);
  #sorted: SortedWords = sortedWords(0);
  #packed: PackedWords = packedWords(0);

  grow(): void {
    const { terms, places, forms } = this;
    this.terms = new Uint32Array(2 * terms.length);
    this.terms.set(terms);
    this.places = new Uint32Array(2 * terms.length);
    this.places.set(places);
    this.forms = new Uint8Array(2 * terms.length);
    this.forms.set(forms);
  }

  /** Room for this many in order. */
  sorted(count: number): SortedWords {
    if (this.#sorted.documents.length < count) this.#sorted = sortedWords(Math.ceil(1.25 * count));
    const { documents, places, forms } = this.#sorted;
    return {
      documents: documents.subarray(0, count),
      places: places.subarray(0, count),
      forms: forms.subarray(0, count),
    };
  }

  /** Room for this many in order and packed, or for more. */
  packed(count: number): PackedWords {
    if (this.#packed.words.length < 2 * count) this.#packed = packedWords(Math.ceil(1.25 * count));
    return this.#packed;
  }

  /** These, or smaller ones for whoever comes next. */
  forNext(): WordArrays {
    return this.terms.length > KEPT_WORDS ? new WordArrays() : this;
  }
}

function sortedWords(count: number): SortedWords {
  return {
    documents: new Uint32Array(count),
    places: new Uint32Array(count),
    forms: new Uint8Array(count),
  };
}

function packedWords(count: number): PackedWords {
  return {
    words: new Uint32Array(2 * count),
    postings: {
      documents: new Uint32Array(count),
      codes: new Uint32Array(count),
      forms: new Uint32Array(count),
      addedForms: new Uint32Array(count),
      counts: new Uint32Array(count),
      positionSteps: new Uint32Array(count),
    },
  };
}
