import { ByteReader } from '../format/byte-reader.ts';
import { isPaired, type PairsHead, readPair } from '../format/pair-postings.ts';
import { PADDING } from '../format/term-positions.ts';
import type { SegmentFile } from './segment-file.ts';

/** As much of a row is read to find a pair in it; most have a shorter head. */
const HEAD_BYTES = 2048;

/** The list of a pair in one part of a segment. */
interface PairPart {
  /** The first document of the part. */
  readonly first: number;
  readonly documents: number;
  readonly at: number;
  readonly length: number;
}

/** The documents of a segment that hold two words side by side, each with the code of how often in which field. */
export class PairPostings {
  readonly documents: number;
  /** Documents of the longest part. */
  readonly most: number;
  readonly #parts: readonly PairPart[];
  readonly #file: SegmentFile;

  constructor(parts: readonly PairPart[], file: SegmentFile) {
    this.#parts = parts;
    this.#file = file;
    this.documents = parts.reduce((sum, part) => sum + part.documents, 0);
    this.most = parts.reduce((most, part) => Math.max(most, part.documents), 0);
  }

  get parts(): number {
    return this.#parts.length;
  }

  /** The documents of a part, ascending, and their codes; returns how many. */
  read(part: number, documents: Uint32Array, codes: Uint32Array): number {
    const { first, documents: count, at, length } = this.#parts[part];
    readPair(this.#file.read(at, length, PADDING), first, documents, codes, count);
    return count;
  }
}

/** The pairs of the common words of a segment. */
export class WordPairs {
  readonly #head: PairsHead;
  readonly #rows: Uint32Array;
  readonly #documents: number;
  readonly #file: SegmentFile;
  readonly #numbers: ReadonlyMap<string, number>;

  constructor(head: PairsHead, rows: Uint32Array, documents: number, file: SegmentFile) {
    this.#head = head;
    this.#rows = rows;
    this.#documents = documents;
    this.#file = file;
    this.#numbers = new Map(head.words.map((word, number) => [word, number]));
  }

  /** Every document that holds one word right before the other; undefined where the pair is not listed. */
  find(one: PairedTerm, other: PairedTerm): PairPostings | undefined {
    const row = this.#numbers.get(one.term);
    const column = this.#numbers.get(other.term);
    if (row === undefined || column === undefined) return undefined;
    if (!isPaired(one.documents, other.documents, this.#documents, this.#head.share)) return undefined;
    const parts = this.#head.parts.flatMap((first, part) => this.#findInPart(part, first, row, column) ?? []);
    return new PairPostings(parts, this.#file);
  }

  #findInPart(part: number, first: number, row: number, column: number): PairPart | undefined {
    const at = part * (this.#head.words.length + 1) + row;
    const start = this.#head.at + this.#rows[at];
    const length = this.#rows[at + 1] - this.#rows[at];
    let reader = new ByteReader(this.#file.read(start, Math.min(length, HEAD_BYTES)));
    const headEnd = reader.varint() + reader.at;
    if (headEnd > reader.bytes.length) reader = new ByteReader(this.#file.read(start, headEnd), reader.at);
    let listAt = start + headEnd;
    for (let other = -1; reader.at < headEnd; ) {
      other += reader.varint() + 1;
      const documents = reader.varint();
      const bytes = reader.varint();
      if (other === column) return { first, documents, at: listAt, length: bytes };
      if (other > column) break;
      listAt += bytes;
    }
    return undefined;
  }
}

export interface PairedTerm {
  readonly term: string;
  /** Documents of the segment that hold it. */
  readonly documents: number;
}
