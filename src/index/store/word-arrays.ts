const FIRST_WORDS = 1 << 16;
/** Arrays for more words than these are not kept: only a document of more than a hundred thousand words fills them. */
const KEPT_WORDS = 1 << 20;

/** Words in the order of their terms. */
export interface SortedWords {
  readonly documents: Uint32Array;
  readonly places: Uint32Array;
  readonly forms: Uint8Array;
}

/**
 * Arrays for words of anchors in memory, which one merge after the other uses: to get such from the system and give them
 * back costs about as much as to fill them.
 */
export class WordArrays {
  /** In the order of arrival. */
  terms = new Uint32Array(FIRST_WORDS);
  places = new Uint32Array(FIRST_WORDS);
  forms = new Uint8Array(FIRST_WORDS);
  #sorted: SortedWords = sortedWords(0);

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

function extended(values: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(size);
  longer.set(values);
  return longer;
}
