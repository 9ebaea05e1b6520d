const FIRST_WORDS = 1 << 16;
/** Arrays for more words than these are not kept: only a document of more than a hundred thousand words fills them. */
const KEPT_WORDS = 1 << 20;
/** Arrays of which only such a part was used so many times in a row are not kept either: a burst is over. */
const LEAST_USED = 1 / 8;
const MOST_TIMES_LITTLE = 8;
/** Postings that there is room for at first, of each word. */
const POSTINGS_OF_WORDS = 1 / 2;

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
export class PostingArrays {
  documents: Uint32Array;
  codes: Uint32Array;
  forms: Uint32Array;
  addedForms: Uint32Array;
  /** How many positions each has. */
  counts: Uint32Array;
  /** One posting after the other: its first position whole, the others as steps. */
  readonly positionSteps: Uint32Array;

  /** For all postings of so many words, each of which is a step. */
  constructor(words: number) {
    const size = Math.ceil(POSTINGS_OF_WORDS * words);
    this.documents = new Uint32Array(size);
    this.codes = new Uint32Array(size);
    this.forms = new Uint32Array(size);
    this.addedForms = new Uint32Array(size);
    this.counts = new Uint32Array(size);
    this.positionSteps = new Uint32Array(words);
  }

  /** How many have room. */
  get size(): number {
    return this.documents.length;
  }

  /** Room for so many, and half as many again. */
  grow(count: number): void {
    const size = Math.ceil(1.5 * count);
    this.documents = extended(this.documents, size);
    this.codes = extended(this.codes, size);
    this.forms = extended(this.forms, size);
    this.addedForms = extended(this.addedForms, size);
    this.counts = extended(this.counts, size);
  }
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
  #timesLittle = 0;

  grow(): void {
    const { terms, places, forms } = this;
    this.terms = extended(terms, 2 * terms.length);
    this.places = extended(places, 2 * terms.length);
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

  /** Room for this many in order and packed, or for more; for their postings as they come. */
  packed(count: number): PackedWords {
    if (this.#packed.words.length < 2 * count) this.#packed = packedWords(Math.ceil(1.25 * count));
    return this.#packed;
  }

  /** These, or smaller ones for whoever comes next, when so many words were in them. */
  forNext(used = this.terms.length): WordArrays {
    const { length } = this.terms;
    this.#timesLittle = length > FIRST_WORDS && used < LEAST_USED * length ? this.#timesLittle + 1 : 0;
    return length > KEPT_WORDS || this.#timesLittle >= MOST_TIMES_LITTLE ? new WordArrays() : this;
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
  return { words: new Uint32Array(2 * count), postings: new PostingArrays(count) };
}

function extended(values: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(size);
  longer.set(values);
  return longer;
}
