import { ByteWriter } from '../../base/byte-writer.ts';
import { BlockTerms, lengthOfTerm, textOf } from './block-terms.ts';
import { ByteReader } from './byte-reader.ts';
import type { EncodedTerm, FoundTerm } from './found-term.ts';
import type { TermEntry } from './posting-writer.ts';
import { TermCursor } from './term-cursor.ts';

/** Terms per block: the first is written whole, each other by what it adds to the one before. */
const TERMS_PER_BLOCK = 32;

/** Terms are ordered by their UTF-16 code units, as `<` orders strings. */
export class TermDictionaryWriter {
  readonly #out = new ByteWriter(1 << 14);
  readonly #blockAt: number[] = [];
  #previous = new Uint8Array(256);
  #previousLength = 0;
  readonly #encoder = new TermEncoder();
  readonly #encoded: EncodedTerm = { bytes: new Uint8Array(0), from: 0, to: 0 };
  #size = 0;
  #postingsAt = 0;
  #positionsAt = 0;

  add(term: string, entry: Omit<TermEntry, 'hasAnchors'>): void {
    const encoded = this.#encoded;
    encoded.to = this.#encoder.encode(term);
    encoded.bytes = this.#encoder.bytes;
    this.addEncoded(encoded, entry.documents, entry.postingsLength, entry.positionsLength);
  }

  /** The same in UTF-8. */
  addEncoded(
    { bytes, from, to }: EncodedTerm,
    documents: number,
    postingsLength: number,
    positionsLength: number,
  ): void {
    const out = this.#out;
    const length = to - from;
    if (this.#previous.length < length) this.#previous = grown(this.#previous, 2 * length);
    const previous = this.#previous;
    let shared = 0;
    if (this.#size++ % TERMS_PER_BLOCK === 0) {
      this.#blockAt.push(out.length);
      out.varint(this.#postingsAt);
      out.varint(this.#positionsAt);
    } else {
      const most = Math.min(length, this.#previousLength);
      while (shared < most && bytes[from + shared] === previous[shared]) shared++;
      out.varint(shared);
    }
    out.varint(length - shared);
    for (let at = shared; at < length; at++) {
      const byte = bytes[from + at];
      out.byte(byte);
      previous[at] = byte;
    }
    out.varint(documents);
    out.varint(postingsLength);
    out.varint(positionsLength);
    this.#previousLength = length;
    this.#postingsAt += postingsLength;
    this.#positionsAt += positionsLength;
  }

  /** The terms, and where their blocks begin. */
  end(): { readonly terms: Uint8Array; readonly blocks: Uint32Array; readonly size: number } {
    return { terms: this.#out.written, blocks: Uint32Array.from(this.#blockAt), size: this.#size };
  }
}

/** Puts terms down in UTF-8. Most are ASCII: a loop takes less time for them than a call of the engine. */
export class TermEncoder {
  /** Of the term that was encoded last. */
  bytes = new Uint8Array(256);
  readonly #encoder = new TextEncoder();

  /** Answers how many bytes it takes. */
  encode(term: string): number {
    const { length } = term;
    if (this.bytes.length < 3 * length) this.bytes = new Uint8Array(3 * length);
    const { bytes } = this;
    for (let at = 0; at < length; at++) {
      const code = term.charCodeAt(at);
      if (code >= 0x80) return this.#encoder.encodeInto(term, bytes).written;
      bytes[at] = code;
    }
    return length;
  }
}

function grown(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}

/** Finds terms by the first term of each block, which stay in memory. */
export class TermDictionary {
  readonly size: number;
  readonly #bytes: Uint8Array;
  readonly #blockAt: Uint32Array;
  readonly #firsts: string[] = [];

  constructor(terms: Uint8Array, blocks: Uint32Array, size: number) {
    this.size = size;
    this.#bytes = terms;
    this.#blockAt = blocks;
    for (const at of blocks) {
      const reader = new ByteReader(terms, at);
      reader.varint();
      reader.varint();
      const length = lengthOfTerm(reader);
      this.#firsts.push(textOf(terms, reader.at, reader.at + length));
    }
  }

  find(term: string): FoundTerm | undefined {
    const block = this.#blockOf(term);
    return block < 0 ? undefined : this.#findInBlock(block, term);
  }

  /** All terms from this one on, in order. */
  *from(term: string): Generator<FoundTerm, void, undefined> {
    for (let block = Math.max(0, this.#blockOf(term)); block < this.#firsts.length; block++) {
      for (const found of this.#block(block)) if (found.term >= term) yield found;
    }
  }

  /** All terms in order, for those who ask for little of each. */
  cursor(): TermCursor {
    return TermCursor.ofDictionary(this.#bytes, this.#blockAt);
  }

  /** The terms at these places among all, which ascend. Of the others nothing is put together but the bytes that the next one shares. */
  *at(places: Iterable<number>): Generator<FoundTerm, void, undefined> {
    const reading = new BlockTerms(this.#bytes);
    let block = -1;
    for (const place of places) {
      const holder = Math.floor(place / TERMS_PER_BLOCK);
      if (holder !== block) {
        if (holder >= this.#blockAt.length) throw new RangeError('There are fewer terms than that.');
        block = holder;
        reading.begin(this.#blockAt[block]);
      }
      while (reading.taken <= place % TERMS_PER_BLOCK) reading.next();
      yield reading.found;
    }
  }

  /** The only block that may hold the term; -1 where it comes before all others. */
  #blockOf(term: string): number {
    let low = 0;
    let high = this.#firsts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#firsts[middle] <= term) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Compares bytes, so that the other terms of the block are passed over without being written out. */
  #findInBlock(block: number, term: string): FoundTerm | undefined {
    const bytes = this.#bytes;
    const wanted = Buffer.from(term);
    const reader = new ByteReader(bytes, this.#blockAt[block]);
    const end = block + 1 < this.#blockAt.length ? this.#blockAt[block + 1] : bytes.length;
    let postingsAt = reader.varint();
    let positionsAt = reader.varint();
    // How many bytes the term before has in common with the wanted one.
    let common = 0;
    for (let first = true; reader.at < end; first = false) {
      const shared = first ? 0 : reader.varint();
      const length = lengthOfTerm(reader);
      const start = reader.at;
      reader.at += length;
      const documents = reader.varint();
      const postingsLength = reader.varint();
      const positionsLength = reader.varint();
      // Where more is shared with the term before, it differs from the wanted one as that did.
      if (shared <= common) {
        common = shared;
        while (common - shared < length && bytes[start + common - shared] === wanted[common]) common++;
        // Bytes stand for half a character as for the sign of one that is broken.
        if (common === wanted.length && common === shared + length && term.isWellFormed())
          return { term, documents, postingsAt, postingsLength, positionsAt, positionsLength };
      }
      postingsAt += postingsLength;
      positionsAt += positionsLength;
    }
    return undefined;
  }

  *#block(block: number): Generator<FoundTerm, void, undefined> {
    const reading = new BlockTerms(this.#bytes);
    reading.begin(this.#blockAt[block]);
    const end = block + 1 < this.#blockAt.length ? this.#blockAt[block + 1] : this.#bytes.length;
    while (reading.at < end) {
      reading.next();
      yield reading.found;
    }
  }
}
