import { holdsPosition, type PackedPositions, readPositions, type TermPositions } from '../format/term-positions.ts';
import type { TermPostings } from '../format/term-postings.ts';
import type { BlockArrays } from '../memory/block-arrays.ts';
import { END } from './cursors/score-cursor.ts';
import type { SearchedSegment } from './searched-segment.ts';

const NONE = new Uint32Array(0);

/** Reads single postings of a term: where a document stands, its code, its positions. Quickest in ascending order. */
export class PostingReader {
  /** Where `readPositions` leaves them, ascending. */
  positions: Uint32Array = NONE;
  readonly #postings: TermPostings;
  /** Most readers are asked for codes alone. */
  #places: TermPositions | undefined;
  readonly #arrays: BlockArrays;
  readonly #documents: Uint32Array;
  #codes: Uint32Array | undefined;
  #forms: Uint32Array | undefined;
  #starts: Uint32Array | undefined;
  #packed: PackedPositions | undefined;
  #block = -1;
  #codesBlock = -1;
  #formsBlock = -1;
  #startsBlock = -1;
  #packedBlock = -1;
  #near = 0;
  #from = 0;
  #to = 0;
  #count = 0;
  #at = 0;

  constructor(postings: TermPostings, arrays: BlockArrays) {
    this.#postings = postings;
    this.#arrays = arrays;
    this.#documents = arrays.take();
  }

  /** The first document from `target` on that holds the term; the other methods then speak of that posting. */
  seek(target: number): number {
    const { lastDocuments } = this.#postings;
    const block = this.#block;
    const here = block >= 0 && target <= lastDocuments[block] && (block === 0 || target > lastDocuments[block - 1]);
    if (!here) this.#open(target);
    const held = this.#documents;
    const count = this.#count;
    let at = this.#at < count && held[this.#at] <= target ? this.#at : 0;
    while (at + 8 < count && held[at + 8] < target) at += 8;
    while (at < count && held[at] < target) at++;
    this.#at = at;
    return at < count ? held[at] : END;
  }

  /** The one that `seek` found. */
  get document(): number {
    return this.#documents[this.#at];
  }

  get code(): number {
    return this.#readCodes()[this.#at];
  }

  /** The forms of the term in the document (form-marks.ts). */
  get forms(): number {
    this.#forms ??= this.#arrays.take();
    if (this.#formsBlock !== this.#block) {
      this.#postings.readForms(this.#block, this.#forms);
      this.#formsBlock = this.#block;
    }
    return this.#forms[this.#at];
  }

  /** Whether a document holds the term. Where the reader stands afterwards is not said. */
  holds(document: number): boolean {
    const { places } = this.#postings;
    if (places === undefined) return this.seek(document) === document;
    if (places.head(this.#blockOf(document)) === 0) return this.seek(document) === document;
    return places.count(document) > 0;
  }

  /** Whether the term stands at a position of a document that holds it. Where the reader stands afterwards is not said. */
  holdsPosition(document: number, position: number): boolean {
    this.#goTo(document);
    return holdsPosition(this.#packed!, this.#from, this.#to, position);
  }

  /** As `readPositions`, of a document that holds the term. Where the reader stands afterwards is not said. */
  readPositionsOf(document: number): number {
    this.#goTo(document);
    return this.#readPacked(this.#from, this.#to);
  }

  /** The positions into `positions`; returns how many. */
  readPositions(): number {
    const starts = this.#readStarts();
    return this.#readPacked(starts[this.#at], starts[this.#at + 1]);
  }

  #readPacked(from: number, to: number): number {
    if (this.positions === NONE) this.positions = this.#arrays.take();
    if (to - from > this.positions.length) this.positions = new Uint32Array(2 * (to - from));
    readPositions(this.#packed!, from, to, this.positions);
    return to - from;
  }

  #open(document: number): void {
    const { lastDocuments } = this.#postings;
    // The next block is the likeliest; else all after it, or all, are searched.
    let low = this.#block + 1;
    let high = lastDocuments.length - 1;
    if (low > 0 && document <= lastDocuments[low - 1]) low = 0;
    else if (low < high && document <= lastDocuments[low]) high = low;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lastDocuments[middle] < document) low = middle + 1;
      else high = middle;
    }
    this.#count = this.#postings.readDocuments(low, this.#documents);
    this.#block = low;
    this.#at = 0;
  }

  /** Makes `#packed` the positions of the block of a document, and `#from` and `#to` tell which of them are the document's. */
  #goTo(document: number): void {
    const { places } = this.#postings;
    if (places === undefined) {
      this.seek(document);
      const starts = this.#readStarts();
      this.#from = starts[this.#at];
      this.#to = starts[this.#at + 1];
      return;
    }
    const block = this.#blockOf(document);
    const first = block === 0 ? 0 : this.#postings.lastDocuments[block - 1] + 1;
    const head = places.head(block);
    if (head === 0) {
      this.seek(document);
      const starts = this.#readStarts();
      places.keep(block, first, this.#documents, this.#count, starts, this.#packed!);
      this.#from = starts[this.#at];
      this.#to = starts[this.#at + 1];
      return;
    }
    if (this.#packedBlock !== block) {
      this.#packed = this.#positionsOfTerm.packed(block, head, places.width(block));
      this.#packedBlock = block;
    }
    this.#from = places.start(document, first);
    this.#to = this.#from + places.count(document);
  }

  /** The block of a document: mostly the one asked for last, or soon after it. */
  #blockOf(document: number): number {
    const { lastDocuments } = this.#postings;
    let block = this.#near;
    if (block > 0 && document <= lastDocuments[block - 1]) block = 0;
    while (lastDocuments[block] < document) block++;
    this.#near = block;
    return block;
  }

  get #positionsOfTerm(): TermPositions {
    this.#places ??= this.#postings.positions(false, () => this.#arrays.takeBytes());
    return this.#places;
  }

  #readStarts(): Uint32Array {
    this.#starts ??= this.#arrays.take();
    if (this.#startsBlock !== this.#block || this.#packedBlock !== this.#block) {
      this.#packed = this.#positionsOfTerm.readStarts(this.#block, this.#readCodes(), this.#starts);
      this.#startsBlock = this.#block;
      this.#packedBlock = this.#block;
    }
    return this.#starts;
  }

  #readCodes(): Uint32Array {
    this.#codes ??= this.#arrays.take();
    if (this.#codesBlock !== this.#block) {
      this.#postings.readCodes(this.#block, this.#codes);
      this.#codesBlock = this.#block;
    }
    return this.#codes;
  }
}

/** One reader for each term of each segment, for all that look closer at the same documents: what one unpacks the next finds. */
export class PostingReaders {
  readonly #arrays: BlockArrays;
  readonly #readers = new Map<SearchedSegment, Map<string, PostingReader | undefined>>();

  constructor(arrays: BlockArrays) {
    this.#arrays = arrays;
  }

  /** Undefined where no document of the segment holds the term. */
  of(searched: SearchedSegment, term: string): PostingReader | undefined {
    let ofSegment = this.#readers.get(searched);
    if (ofSegment === undefined) {
      ofSegment = new Map();
      this.#readers.set(searched, ofSegment);
    }
    if (ofSegment.has(term)) return ofSegment.get(term);
    const postings = searched.segment.postings(term);
    const reader = postings === undefined ? undefined : new PostingReader(postings, this.#arrays);
    ofSegment.set(term, reader);
    return reader;
  }

  /** Of those terms that are held. */
  ofAll(searched: SearchedSegment, terms: readonly string[]): PostingReader[] {
    return terms.flatMap((term) => this.of(searched, term) ?? []);
  }
}
