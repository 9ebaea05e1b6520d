import { constants, deflateRawSync } from 'node:zlib';

/** Blocks of markup that pages are put together from, in one charset. */
export class BlockSet {
  /** Words of its running text, for near copies. */
  readonly words: readonly string[];
  readonly #texts: readonly string[];
  /** 1: well-formed running text, in which words can be changed. */
  readonly #prose: Uint8Array;
  readonly #deflated: (string | undefined)[];

  constructor(blocks: readonly { readonly text: string; readonly prose: boolean }[], words: readonly string[]) {
    this.words = words;
    // A string put together from pieces is kept as a tree of them, and each page would walk it again.
    this.#texts = blocks.map(({ text }) => {
      const encoding = /^[\x00-\xff]*$/.test(text) ? 'latin1' : 'utf16le';
      return Buffer.from(text, encoding).toString(encoding);
    });
    this.#prose = Uint8Array.from(blocks, ({ prose }) => (prose ? 1 : 0));
    this.#deflated = new Array(blocks.length);
  }

  get count(): number {
    return this.#texts.length;
  }

  text(block: number): string {
    return this.#texts[block];
  }

  isProse(block: number): boolean {
    return this.#prose[block] === 1;
  }

  /** As a piece of a deflate stream: it ends at a whole byte and refers to nothing before it. */
  deflated(block: number): string {
    let piece = this.#deflated[block];
    if (piece === undefined) {
      const bytes = Buffer.from(this.#texts[block], 'latin1');
      piece = deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH }).toString('latin1');
      this.#deflated[block] = piece;
    }
    return piece;
  }
}
