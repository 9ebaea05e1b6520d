import { ByteReader } from './byte-reader.ts';
import type { FoundTerm } from './found-term.ts';

/** Goes through the terms of a block. */
export class BlockTerms {
  /** Terms of the block that were read. */
  taken = 0;
  /** The term that was read last, in UTF-8. */
  bytes: Uint8Array = new Uint8Array(64);
  length = 0;
  documents = 0;
  postingsAt = 0;
  postingsLength = 0;
  positionsAt = 0;
  positionsLength = 0;
  readonly #reader: ByteReader;

  constructor(terms: Uint8Array) {
    this.#reader = new ByteReader(terms);
  }

  /** Where the next term begins. */
  get at(): number {
    return this.#reader.at;
  }

  get found(): FoundTerm {
    return {
      term: textOf(this.bytes, 0, this.length),
      documents: this.documents,
      postingsAt: this.postingsAt,
      postingsLength: this.postingsLength,
      positionsAt: this.positionsAt,
      positionsLength: this.positionsLength,
    };
  }

  begin(at: number): void {
    this.taken = 0;
    this.#reader.at = at;
    this.length = 0;
    this.postingsAt = this.#reader.varint();
    this.postingsLength = 0;
    this.positionsAt = this.#reader.varint();
    this.positionsLength = 0;
  }

  next(): void {
    const reader = this.#reader;
    const shared = this.taken++ === 0 ? 0 : reader.varint();
    if (shared > this.length) throw new RangeError('A term shares more with the one before than that has.');
    const length = lengthOfTerm(reader);
    this.length = shared + length;
    if (shared + length > this.bytes.length) {
      const larger = new Uint8Array((shared + length) * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    for (let at = shared; at < shared + length; at++) this.bytes[at] = reader.byte();
    this.postingsAt += this.postingsLength;
    this.positionsAt += this.positionsLength;
    this.documents = reader.varint();
    this.postingsLength = reader.varint();
    this.positionsLength = reader.varint();
  }
}

/** A damaged length would be read, and room made for it, far beyond the end of the bytes. */
export function lengthOfTerm(reader: ByteReader): number {
  const length = reader.varint();
  if (reader.at + length > reader.bytes.length) throw new RangeError('A term goes on beyond the end of its bytes.');
  return length;
}

export function textOf(bytes: Uint8Array, from: number, to: number): string {
  // Most terms are short and ASCII: put together here they cost less than a call of the decoder.
  let text = '';
  for (let at = from; at < to; at++) {
    if (bytes[at] >= 0x80) return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8');
    text += String.fromCharCode(bytes[at]);
  }
  return text;
}
