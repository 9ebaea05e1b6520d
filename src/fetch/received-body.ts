/** Smaller pieces are copied together. */
const SMALL = 4096;
const BLOCK = 64 * 1024;

/**
 * The pieces of a body as they arrive. Large ones are kept as they are; small ones are copied into blocks: each piece is an
 * object that costs a hundred bytes and holds on to the memory it was cut from, so that a body sent in chunks of one byte
 * would cost a hundred times its size.
 */
export class ReceivedBody {
  #pieces: Buffer[] = [];
  #size = 0;
  /** The last piece, where it has room for more. */
  #block: Buffer | undefined;
  #used = 0;

  add(piece: Buffer): void {
    this.#size += piece.length;
    if (piece.length >= SMALL) {
      this.#closeBlock();
      this.#pieces.push(piece);
      return;
    }
    if (this.#block !== undefined && this.#used + piece.length > BLOCK) this.#closeBlock();
    // Most small bodies come in one piece: it is copied only when a second one comes.
    if (this.#block === undefined && this.#pieces.length === 0) {
      this.#pieces.push(piece);
      return;
    }
    this.#block ??= Buffer.allocUnsafe(BLOCK);
    piece.copy(this.#block, this.#used);
    this.#used += piece.length;
  }

  /** All of it in one; nothing is kept. */
  take(): Buffer {
    this.#closeBlock();
    const body = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces, this.#size);
    this.#pieces = [];
    this.#size = 0;
    return body;
  }

  #closeBlock(): void {
    if (this.#block !== undefined) this.#pieces.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }
}
