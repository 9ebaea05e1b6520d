import { ByteReader } from '../format/byte-reader.ts';
import type { RenewedTerm } from '../format/found-term.ts';
import type { TermDictionary } from '../format/term-dictionary.ts';
import { POSITION_BITS, type SortedOccurrences } from '../store/occurrences.ts';

export interface RenewedAnchorsParts {
  /** A bit for each document. */
  readonly documents: Uint8Array;
  /** The terms whose postings are others than those in the file: in how many documents each is now, and where its list is. */
  readonly dictionary: TermDictionary;
  /** Reads lists. */
  readonly read: (at: number, length: number) => Uint8Array;
}

/** Anchors of documents of a segment that are others than those among its postings. */
export class RenewedAnchors {
  readonly dictionary: TermDictionary;
  readonly #documents: Uint8Array;
  readonly #read: (at: number, length: number) => Uint8Array;

  constructor({ documents, dictionary, read }: RenewedAnchorsParts) {
    this.#documents = documents;
    this.dictionary = dictionary;
    this.#read = read;
  }

  /** Whether the anchors of the document are those here, and not those among the postings. */
  has(document: number): boolean {
    return (this.#documents[document >> 3] & (1 << (document & 7))) !== 0;
  }

  /** Where the documents that are renewed have the term in their anchors: as of words in memory. */
  occurrences(term: string, { listAt, listLength }: RenewedTerm): SortedOccurrences {
    const documents: number[] = [];
    const places: number[] = [];
    const forms: number[] = [];
    const reader = new ByteReader(this.#read(listAt, listLength));
    for (let document = -1; reader.at < listLength; ) {
      document += reader.varint() + 1;
      for (let left = reader.varint(), place = 0; left > 0; left--) {
        place += reader.varint();
        documents.push(document);
        places.push((reader.byte() << POSITION_BITS) | place);
        forms.push(reader.byte());
      }
    }
    return {
      terms: [term],
      order: Uint32Array.of(0),
      starts: Uint32Array.of(0, documents.length),
      documents: Uint32Array.from(documents),
      places: Uint32Array.from(places),
      forms: Uint8Array.from(forms),
    };
  }
}
