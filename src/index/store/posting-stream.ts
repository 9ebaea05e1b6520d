import { ByteReader } from '../format/byte-reader.ts';
import type { CodeTable } from '../format/code-table.ts';
import type { FoundTerm } from '../format/found-term.ts';
import { BLOCK } from '../format/posting-writer.ts';
import { PADDING } from '../format/term-positions.ts';
import { TermPostings } from '../format/term-postings.ts';
import type { PositionStream } from './pair-writer.ts';
import type { SegmentFile } from './segment-file.ts';

/** Read at once of postings, and of positions. A writer of pairs has hundreds of streams. */
const AHEAD = 4096;
/** The longest entry of the head of a term's postings. */
const MOST_SKIP_BYTES = 15;

/** Reads all postings of one term with their positions, holding little of them at a time. */
export class PostingStream implements PositionStream {
  document = -1;
  positions: Uint32Array = new Uint32Array(BLOCK);
  from = 0;
  to = 0;
  readonly #codeTable: CodeTable;
  readonly #postings: FileWindow;
  readonly #places: FileWindow;
  readonly #skips: ByteReader;
  readonly #documents = new Uint32Array(BLOCK);
  readonly #codes = new Uint32Array(BLOCK);
  readonly #counts = new Uint32Array(BLOCK);
  readonly #postingsEnd: number;
  readonly #placesEnd: number;
  #blockAt: number;
  #placesAt: number;
  /** Documents that were not read yet, and the last of those that were. */
  #left: number;
  #last = -1;
  #held = 0;
  #at = 0;

  constructor(term: FoundTerm, codeTable: CodeTable, postings: SegmentFile, positions: SegmentFile) {
    this.#codeTable = codeTable;
    this.#postings = new FileWindow(postings);
    this.#places = new FileWindow(positions);
    this.#left = term.documents;
    const blocks = Math.ceil(term.documents / BLOCK);
    const most = Math.min(term.postingsLength, blocks * MOST_SKIP_BYTES);
    const head = new ByteReader(postings.read(term.postingsAt, most));
    for (let block = 0; block < blocks - 1; block++) for (let entry = 0; entry < 3; entry++) head.varint();
    this.#skips = new ByteReader(head.bytes.slice(0, head.at));
    this.#blockAt = term.postingsAt + head.at + blocks;
    this.#postingsEnd = term.postingsAt + term.postingsLength;
    this.#placesAt = term.positionsAt;
    this.#placesEnd = term.positionsAt + term.positionsLength;
    this.next();
  }

  next(): void {
    if (this.#at === this.#held && !this.#readBlock()) {
      this.document = Number.POSITIVE_INFINITY;
      return;
    }
    this.document = this.#documents[this.#at];
    this.from = this.to;
    this.to += this.#counts[this.#at++];
  }

  #readBlock(): boolean {
    const held = Math.min(BLOCK, this.#left);
    if (held === 0) return false;
    const isLast = held === this.#left;
    const step = isLast ? 0 : this.#skips.varint();
    const length = isLast ? this.#postingsEnd - this.#blockAt : this.#skips.varint();
    const placesLength = isLast ? this.#placesEnd - this.#placesAt : this.#skips.varint();
    const placesAt = this.#placesAt;
    // As the only block of a term: behind a byte for its bound, which nobody asks for.
    const block = new TermPostings(this.#postings.read(this.#blockAt - 1, length + 1), held, this.#codeTable, {
      documents: 0,
      positionsLength: placesLength,
      bounds: NO_BOUNDS,
      readPositions: (at, part) => this.#places.read(placesAt + at, part),
      grown: () => {},
    });
    block.readDocuments(0, this.#documents);
    for (let i = 0; i < held; i++) this.#documents[i] += this.#last + 1;
    block.readCodes(0, this.#codes);
    this.positions = block.positions(true).readAll(0, this.#codes, this.#counts, this.positions);
    this.#last += step;
    this.#blockAt += length;
    this.#placesAt += placesLength;
    this.#left -= held;
    this.#held = held;
    this.#at = 0;
    this.to = 0;
    return true;
  }
}

const NO_BOUNDS = { kept: new Uint8Array(0), bodyLengths: new Uint8Array(0), byteOf: () => 0 };

/** A file that is read from its beginning to its end. */
class FileWindow {
  readonly #file: SegmentFile;
  #start = 0;
  #end = 0;
  #bytes = new Uint8Array(0);

  constructor(file: SegmentFile) {
    this.#file = file;
  }

  /** With `PADDING` bytes more. */
  read(at: number, length: number): Uint8Array {
    if (at < this.#start || at + length > this.#end) {
      const most = Math.max(length, AHEAD);
      this.#bytes = new Uint8Array(most + PADDING);
      this.#start = at;
      this.#end = at + this.#file.fill(this.#bytes, at, length, most);
    }
    return this.#bytes.subarray(at - this.#start, at - this.#start + length + PADDING);
  }
}
