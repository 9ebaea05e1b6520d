import { RANGE } from './dense-codes.ts';

/** A block with a document that has more positions is not kept. */
const MOST_POSITIONS = 0xff;

/**
 * Where the positions of a term begin that is in most documents of a segment, by document: the blocks that were asked for, so that the
 * next query need not unpack them.
 */
export class KeptPlaces {
  /** How many positions each document has. */
  readonly #counts: Uint8Array;
  /** For each range the positions of the block of its first document that come before it. */
  readonly #starts: Uint16Array;
  /** Bytes before the packed positions of each block; 0: it is not kept. */
  readonly #heads: Uint16Array;
  readonly #widths: Uint8Array;

  constructor(documents: number, blocks: number) {
    this.#counts = new Uint8Array(documents);
    this.#starts = new Uint16Array(Math.ceil(documents / RANGE));
    this.#heads = new Uint16Array(blocks);
    this.#widths = new Uint8Array(blocks);
  }

  get bytes(): number {
    return this.#counts.byteLength + this.#starts.byteLength + this.#heads.byteLength + this.#widths.byteLength;
  }

  /** The bytes before the packed positions of a block; 0 where it is not kept. */
  head(block: number): number {
    return this.#heads[block];
  }

  width(block: number): number {
    return this.#widths[block];
  }

  /** How many positions a document of a kept block has: 0 where it does not hold the term. */
  count(document: number): number {
    return this.#counts[document];
  }

  /** Where the positions of a document begin among those of its block, whose first document is `first`. */
  start(document: number, first: number): number {
    const range = Math.floor(document / RANGE);
    const from = range * RANGE;
    let start = from < first ? 0 : this.#starts[range];
    for (let at = from < first ? first : from; at < document; at++) start += this.#counts[at];
    return start;
  }

  /** Keeps where the positions of each posting of a block begin, and where the last ends; `held`: its documents, from `first` on. */
  keep(
    block: number,
    first: number,
    held: Uint32Array,
    count: number,
    starts: Uint32Array,
    { head, width }: { readonly head: number; readonly width: number },
  ): void {
    for (let at = 0; at < count; at++) if (starts[at + 1] - starts[at] > MOST_POSITIONS) return;
    let range = Math.ceil(first / RANGE);
    for (let at = 0; at < count; at++) {
      this.#counts[held[at]] = starts[at + 1] - starts[at];
      for (; range * RANGE <= held[at]; range++) this.#starts[range] = starts[at];
    }
    this.#widths[block] = width;
    this.#heads[block] = head;
  }
}
