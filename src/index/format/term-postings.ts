import { ByteReader, unpackBits } from './byte-reader.ts';
import type { CodeTable } from './code-table.ts';
import {
  type DenseCodes,
  denseCodes,
  largeCodes,
  type PostingBounds,
  rangeHolders,
  stretchMaxima,
} from './dense-codes.ts';
import { withAdded } from './form-marks.ts';
import { KeptPlaces } from './kept-places.ts';
import {
  exceptionAt,
  HAS_ADDED_FORMS,
  HAS_EXCEPTIONS,
  HAS_FORMS,
  patch,
  skipExceptions,
  WIDTH_MASK,
} from './patched-bits.ts';
import { BLOCK } from './posting-writer.ts';
import { type PositionBytes, TermPositions } from './term-positions.ts';

/** A term is dense when it is in one document of this many, or more. */
const DENSE = 12;
/** Its codes are kept in whole bytes, too, when one of this many does not fit into half of one. */
const LARGE = 16;

/** Where positions begin is kept of a term that is in one document of this many, or more. */
const PLACES_KEPT = 2;

/**
 * Positions of this many bytes are read at once and kept. A query looks at a hundred documents, which are in most blocks of
 * such a term: a read for each would take longer, and again for the next query.
 */
const MOST_KEPT_POSITIONS = 1 << 16;

/** Of terms of one block, as most are: its last document, where it begins (behind its bound) and where its positions do. */
const LAST_OF_ONE = Uint32Array.of(0xffffffff);
const ONE_AT = Uint32Array.of(1);
const PLACES_OF_ONE = Uint32Array.of(0);

/** Where postings come from. */
export interface PostingsSource extends PositionBytes {
  /** Documents of the segment. */
  readonly documents: number;
  /** Of the weights that the bounds of the blocks are of. */
  readonly bounds: PostingBounds;
  /** The postings hold this many bytes more from now on. */
  grown(bytes: number): void;
}

/** The postings of one term in one segment, block by block. */
export class TermPostings {
  readonly documents: number;
  readonly blocks: number;
  /** Of each block; the last one's is the greatest number there is. */
  readonly lastDocuments: Uint32Array;
  /** Bytes of bounds, one per block. */
  readonly bounds: Uint8Array;
  readonly #codeTable: CodeTable;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #blockAt: Uint32Array;
  readonly #placesAt: Uint32Array;
  readonly #source: PostingsSource;
  #dense: DenseCodes | undefined;
  #stretchMaxima: Uint8Array | undefined;
  #rangeHolders: Uint8Array | undefined;
  #largeCodes: Uint8Array | undefined;
  #positions: Uint8Array | undefined;
  #places: KeptPlaces | undefined;

  /** `bytes` carry `PADDING` bytes more than the postings. */
  constructor(bytes: Uint8Array, documents: number, codeTable: CodeTable, source: PostingsSource) {
    this.documents = documents;
    this.blocks = Math.ceil(documents / BLOCK);
    this.#codeTable = codeTable;
    this.#source = source;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const blocks = this.blocks;
    if (blocks === 1) {
      this.lastDocuments = LAST_OF_ONE;
      this.#blockAt = ONE_AT;
      this.#placesAt = PLACES_OF_ONE;
      this.bounds = bytes.subarray(0, 1);
      return;
    }
    this.lastDocuments = new Uint32Array(blocks);
    this.#blockAt = new Uint32Array(blocks);
    this.#placesAt = new Uint32Array(blocks);
    const reader = new ByteReader(bytes);
    let last = -1;
    let blockAt = 0;
    let placesAt = 0;
    for (let block = 0; block < blocks - 1; block++) {
      last += reader.varint();
      this.lastDocuments[block] = last;
      this.#blockAt[block] = blockAt;
      this.#placesAt[block] = placesAt;
      blockAt += reader.varint();
      placesAt += reader.varint();
    }
    this.lastDocuments[blocks - 1] = 0xffffffff;
    this.#blockAt[blocks - 1] = blockAt;
    this.#placesAt[blocks - 1] = placesAt;
    this.bounds = bytes.subarray(reader.at, reader.at + blocks);
    const start = reader.at + blocks;
    for (let block = 0; block < blocks; block++) this.#blockAt[block] += start;
  }

  count(block: number): number {
    return block === this.blocks - 1 ? this.documents - block * BLOCK : BLOCK;
  }

  readDocuments(block: number, out: Uint32Array): number {
    const count = this.count(block);
    const view = this.#view;
    const at = this.#blockAt[block];
    const head = view.getUint8(at);
    const width = head & WIDTH_MASK;
    let document = block === 0 ? -1 : this.lastDocuments[block - 1];
    if (head >= HAS_EXCEPTIONS) {
      unpackBits(view, at + 2, width, out, count);
      patch(new ByteReader(this.#bytes, at + 2 + ((count * width + 7) >> 3)), width, out);
      for (let i = 0; i < count; i++) {
        document += out[i] + 1;
        out[i] = document;
      }
      return count;
    }
    if (width === 0) {
      for (let i = 0; i < count; i++) out[i] = ++document;
      return count;
    }
    const mask = 2 ** width - 1;
    let bit = (at + 2) * 8;
    for (let i = 0; i < count; i++) {
      document += ((view.getUint32(bit >>> 3, true) >>> (bit & 7)) & mask) + 1;
      out[i] = document;
      bit += width;
    }
    return count;
  }

  readCodes(block: number, out: Uint32Array): void {
    const count = this.count(block);
    const codesAt = this.#codesAt(block, count);
    const codes = this.#view.getUint8(this.#blockAt[block] + 1);
    const width = codes & WIDTH_MASK;
    unpackBits(this.#view, codesAt, width, out, count);
    if (codes >= HAS_EXCEPTIONS) patch(new ByteReader(this.#bytes, codesAt + ((count * width + 7) >> 3)), width, out);
  }

  /** The code of one posting of a block. */
  readCode(block: number, at: number): number {
    const count = this.count(block);
    const codesAt = this.#codesAt(block, count);
    const codes = this.#view.getUint8(this.#blockAt[block] + 1);
    const width = codes & WIDTH_MASK;
    const bit = codesAt * 8 + at * width;
    const code = (this.#view.getUint32(bit >>> 3, true) >>> (bit & 7)) & (2 ** width - 1);
    if (codes < HAS_EXCEPTIONS) return code;
    return code | exceptionAt(new ByteReader(this.#bytes, codesAt + ((count * width + 7) >> 3)), width, at);
  }

  /** Whether a posting of the block has forms, or forms that its anchors add. */
  hasForms(block: number): boolean {
    return (this.#view.getUint8(this.#blockAt[block] + 1) & (HAS_FORMS | HAS_ADDED_FORMS)) !== 0;
  }

  /** What the postings of a block say of the forms of the term in all fields (form-marks.ts). */
  readForms(block: number, out: Uint32Array): void {
    const added =
      (this.#view.getUint8(this.#blockAt[block] + 1) & HAS_ADDED_FORMS) === 0 ? undefined : new Uint32Array(BLOCK);
    this.readFormsApart(block, out, added);
    if (added === undefined) return;
    const count = this.count(block);
    for (let i = 0; i < count; i++) out[i] = withAdded(out[i], added[i]);
  }

  /** The same, and apart from it the forms that anchors add. */
  readFormsApart(block: number, out: Uint32Array, added: Uint32Array | undefined): void {
    const count = this.count(block);
    const codes = this.#view.getUint8(this.#blockAt[block] + 1);
    if ((codes & HAS_FORMS) === 0) out.fill(0, 0, count);
    if ((codes & HAS_ADDED_FORMS) === 0) added?.fill(0, 0, count);
    if ((codes & (HAS_FORMS | HAS_ADDED_FORMS)) === 0) return;
    const reader = new ByteReader(this.#bytes, this.#codesAt(block, count) + ((count * (codes & WIDTH_MASK) + 7) >> 3));
    if (codes >= HAS_EXCEPTIONS) skipExceptions(reader);
    if ((codes & HAS_FORMS) !== 0) this.#readPacked(reader, count, out);
    if ((codes & HAS_ADDED_FORMS) !== 0 && added !== undefined) this.#readPacked(reader, count, added);
  }

  /** Values behind the byte of their width; the reader stands after them then. */
  #readPacked(reader: ByteReader, count: number, out: Uint32Array): void {
    const head = reader.byte();
    const width = head & WIDTH_MASK;
    unpackBits(this.#view, reader.at, width, out, count);
    reader.at += (count * width + 7) >> 3;
    if (head >= HAS_EXCEPTIONS) patch(reader, width, out);
  }

  #codesAt(block: number, count: number): number {
    const at = this.#blockAt[block];
    const steps = this.#view.getUint8(at);
    const codesAt = at + 2 + ((count * (steps & WIDTH_MASK) + 7) >> 3);
    if (steps < HAS_EXCEPTIONS) return codesAt;
    const reader = new ByteReader(this.#bytes, codesAt);
    skipExceptions(reader);
    return reader.at;
  }

  /** As `dense`, where somebody has asked for it before. */
  get laidOut(): DenseCodes | undefined {
    return this.#dense;
  }

  /** Laid out by document, where the term is in so many that this is worth its memory. */
  get dense(): DenseCodes | undefined {
    const { documents } = this.#source;
    if (this.#dense === undefined && this.documents * DENSE >= documents) {
      this.#dense = denseCodes(this, documents, this.#source.bounds);
      this.#source.grown(this.#dense.codes.length + this.#dense.maxima.length);
    }
    return this.#dense;
  }

  /** Of a dense term whose codes are large in many documents, as few words of a language are: all of them by document. */
  get largeCodes(): Uint8Array | undefined {
    const escapes = this.#dense?.escapes ?? 0;
    if (this.#largeCodes === undefined && escapes * LARGE >= this.documents) {
      this.#largeCodes = largeCodes(this, this.#source.documents);
      this.#source.grown(this.#largeCodes.length);
    }
    return this.#largeCodes;
  }

  /** For each stretch of the segment the bound of the weights there; 0 where none of its documents holds the term. */
  get stretchMaxima(): Uint8Array {
    if (this.#stretchMaxima === undefined) {
      this.#stretchMaxima = this.#dense?.coarse ?? stretchMaxima(this, this.#source.documents, this.#source.bounds);
      this.#source.grown(this.#stretchMaxima.length);
    }
    return this.#stretchMaxima;
  }

  /** For each range of the segment which of its documents hold the term, a bit for each. Of dense terms the codes tell that. */
  get rangeHolders(): Uint8Array {
    if (this.#rangeHolders === undefined) {
      this.#rangeHolders = rangeHolders(this, this.#source.documents);
      this.#source.grown(this.#rangeHolders.length);
    }
    return this.#rangeHolders;
  }

  /** A reader of positions; `all`: of every block, one after the other. `takeRoom`: as `TermPositions` takes it. */
  positions(all = false, takeRoom?: () => Uint8Array): TermPositions {
    const whole = all ? undefined : this.#keptPositions();
    return new TermPositions(this.documents, this.#codeTable, this.#placesAt, this.#source, all, whole, takeRoom);
  }

  /** Whether the term is in so many documents that it is kept where its positions begin. */
  get isCommon(): boolean {
    return this.documents * PLACES_KEPT >= this.#source.documents && this.blocks > 1;
  }

  /** Where the positions of a common term begin, as far as somebody has read them. */
  get places(): KeptPlaces | undefined {
    if (this.#places === undefined && this.isCommon) {
      this.#places = new KeptPlaces(this.#source.documents, this.blocks);
      this.#source.grown(this.#places.bytes);
    }
    return this.#places;
  }

  #keptPositions(): Uint8Array | undefined {
    const { positionsLength } = this.#source;
    if (this.#positions === undefined && positionsLength <= MOST_KEPT_POSITIONS) {
      this.#positions = this.#source.readPositions(0, positionsLength);
      this.#source.grown(positionsLength);
    }
    return this.#positions;
  }
}
