import { constants, deflateRawSync } from 'node:zlib';

export interface Block {
  readonly text: string;
  /** Well-formed running text, in which words can be changed. */
  readonly prose: boolean;
}

/** Blocks of markup that pages are put together from, in one charset. Each is made when a page first holds it. */
export class BlockSet {
  readonly count: number;
  /** Words of its running text, for near copies. */
  readonly words: readonly string[];
  readonly #make: (block: number) => Block;
  readonly #blocks: (Block | undefined)[];
  readonly #deflated: (string | undefined)[];

  constructor(count: number, make: (block: number) => Block, words: readonly string[]) {
    this.count = count;
    this.words = words;
    this.#make = make;
    this.#blocks = new Array(count);
    this.#deflated = new Array(count);
  }

  text(block: number): string {
    return this.#made(block).text;
  }

  isProse(block: number): boolean {
    return this.#made(block).prose;
  }

  /** As a piece of a deflate stream: it ends at a whole byte and refers to nothing before it. */
  deflated(block: number): string {
    let piece = this.#deflated[block];
    if (piece === undefined) {
      const bytes = Buffer.from(this.text(block), 'latin1');
      piece = deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH }).toString('latin1');
      this.#deflated[block] = piece;
    }
    return piece;
  }

  #made(block: number): Block {
    let made = this.#blocks[block];
    if (made === undefined) {
      const { text, prose } = this.#make(block);
      made = { text: inOnePiece(text), prose };
      this.#blocks[block] = made;
    }
    return made;
  }
}

/** A string put together from pieces is kept as a tree of them, and each page would walk it again. */
function inOnePiece(text: string): string {
  const encoding = /^[\x00-\xff]*$/.test(text) ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}
