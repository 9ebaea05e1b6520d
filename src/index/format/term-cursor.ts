import { BlockTerms, textOf } from './block-terms.ts';
import type { EncodedTerm, FoundTerm, RenewedTerm } from './found-term.ts';

/** Bytes of a term that its key tells apart. */
const KEY_BYTES = 6;

/**
 * Goes through terms in order. Who merges has one for each segment and looks at every term of all of them: it makes no object and no string of a
 * term but where somebody asks for it, and compares terms by their bytes.
 */
export class TermCursor implements EncodedTerm {
  /** The term in UTF-8: from the first of these bytes on. */
  bytes: Uint8Array = new Uint8Array(0);
  readonly from = 0;
  to = 0;
  documents = 0;
  postingsAt = 0;
  postingsLength = 0;
  positionsAt = 0;
  positionsLength = 0;
  renewed: RenewedTerm | undefined;
  /** Of two terms the one that comes first has no larger one. */
  key = 0;
  readonly #reading: BlockTerms;
  readonly #blockAt: Uint32Array;
  readonly #end: number;
  #block = -1;
  #blockEnd = 0;
  readonly #found: Iterator<FoundTerm, void> | undefined;
  #term: string | undefined;

  private constructor(terms: Uint8Array, blockAt: Uint32Array, found: Iterator<FoundTerm, void> | undefined) {
    this.#reading = new BlockTerms(terms);
    this.#blockAt = blockAt;
    this.#end = terms.length;
    this.#found = found;
  }

  /** Of terms as a dictionary has them, and where its blocks begin. */
  static ofDictionary(terms: Uint8Array, blockAt: Uint32Array): TermCursor {
    return new TermCursor(terms, blockAt, undefined);
  }

  static ofFound(found: Iterator<FoundTerm, void>): TermCursor {
    return new TermCursor(new Uint8Array(0), new Uint32Array(0), found);
  }

  /** Goes on to the next term, the first one at first; false where there is none. */
  next(): boolean {
    this.#term = undefined;
    const hasNext = this.#found === undefined ? this.#read() : this.#take(this.#found);
    if (hasNext) this.key = keyOf(this.bytes, this.to);
    return hasNext;
  }

  get term(): string {
    this.#term ??= textOf(this.bytes, 0, this.to);
    return this.#term;
  }

  /** The term as it is now, whatever comes next. */
  get found(): FoundTerm {
    const { term, documents, postingsAt, postingsLength, positionsAt, positionsLength, renewed } = this;
    const found = { term, documents, postingsAt, postingsLength, positionsAt, positionsLength };
    return renewed === undefined ? found : { ...found, renewed };
  }

  #read(): boolean {
    const reading = this.#reading;
    if (reading.at >= this.#blockEnd) {
      const block = ++this.#block;
      if (block >= this.#blockAt.length) return false;
      reading.begin(this.#blockAt[block]);
      this.#blockEnd = block + 1 < this.#blockAt.length ? this.#blockAt[block + 1] : this.#end;
    }
    reading.next();
    this.bytes = reading.bytes;
    this.to = reading.length;
    this.documents = reading.documents;
    this.postingsAt = reading.postingsAt;
    this.postingsLength = reading.postingsLength;
    this.positionsAt = reading.positionsAt;
    this.positionsLength = reading.positionsLength;
    return true;
  }

  #take(found: Iterator<FoundTerm, void>): boolean {
    const next = found.next().value ?? undefined;
    if (next === undefined) return false;
    this.bytes = Buffer.from(next.term);
    this.to = this.bytes.length;
    this.documents = next.documents;
    this.postingsAt = next.postingsAt;
    this.postingsLength = next.postingsLength;
    this.positionsAt = next.positionsAt;
    this.positionsLength = next.positionsLength;
    this.renewed = next.renewed;
    this.#term = next.term;
    return true;
  }
}

/** Below 0 where one term comes before the other, as `<` has them; 0 where they are the same. */
export function compareTerms(one: TermCursor, other: TermCursor): number {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  const { bytes } = one;
  const others = other.bytes;
  const least = Math.min(one.to, other.to);
  for (let at = KEY_BYTES; at < least; at++) {
    const difference = orderOf(bytes[at]) - orderOf(others[at]);
    if (difference !== 0) return difference;
  }
  return one.to - other.to;
}

function keyOf(bytes: Uint8Array, length: number): number {
  const most = Math.min(length, KEY_BYTES);
  let key = 0;
  for (let at = 0; at < most; at++) key = key * 256 + orderOf(bytes[at]);
  for (let at = most; at < KEY_BYTES; at++) key *= 256;
  return key;
}

/**
 * Bytes of UTF-8 come in the order of characters, while strings have those of two code units (from 0xf0 on) before the last ones of one
 * (0xee and 0xef).
 */
function orderOf(byte: number): number {
  return byte === 0xee || byte === 0xef ? byte | 0x10 : byte;
}
