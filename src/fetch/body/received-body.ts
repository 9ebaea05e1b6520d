import type { BodyFile } from './body-file.ts';
import type { BodyMemory } from './body-memory.ts';

type SharedMemory = Pick<BodyMemory, 'hold' | 'drop' | 'openFile'>;

/** Smaller pieces are copied together. */
const SMALL = 4096;
const BLOCK = 64 * 1024;

/**
 * The pieces of a body as they arrive. Large ones are kept as they are; small ones are copied into blocks: each piece is an
 * object that costs a hundred bytes and holds on to the memory it was cut from, so that a body sent in chunks of one byte
 * would cost a hundred times its size.
 *
 * A body beyond one block counts in the memory that all share. Where that is used up, the body goes to a file.
 */
export class ReceivedBody {
  readonly #memory: SharedMemory | undefined;
  #pieces: Buffer[] = [];
  #size = 0;
  /** The last piece, where it has room for more. */
  #block: Buffer | undefined;
  #used = 0;
  /** Bytes in `#pieces`, and how many of them count. */
  #kept = 0;
  #held = 0;
  #file: BodyFile | undefined;
  #stays = false;

  constructor(memory?: SharedMemory) {
    this.#memory = memory;
  }

  get size(): number {
    return this.#size;
  }

  add(piece: Buffer): void {
    this.#size += piece.length;
    if (piece.length >= SMALL) {
      this.#closeBlock();
      this.#keep(piece);
      return;
    }
    if (this.#block !== undefined && this.#used + piece.length > BLOCK) this.#closeBlock();
    // Most small bodies come in one piece: it is copied only when a second one comes.
    if (this.#block === undefined && this.#pieces.length === 0 && this.#file === undefined) {
      this.#keep(piece);
      return;
    }
    this.#block ??= Buffer.allocUnsafe(BLOCK);
    piece.copy(this.#block, this.#used);
    this.#used += piece.length;
  }

  /** All of it in one; nothing is kept. But for small ones in memory of its own, which can be given back once it is read. */
  take(): Buffer {
    this.#closeBlock();
    const body = this.#file?.read() ?? joined(this.#pieces, this.#size);
    this.discard();
    return body;
  }

  discard(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#block = undefined;
    this.#used = 0;
    this.#size = 0;
    this.#forget();
  }

  #keep(piece: Buffer): void {
    if (this.#file !== undefined) this.#write(this.#file, piece);
    else {
      this.#pieces.push(piece);
      this.#kept += piece.length;
      if (this.#kept > BLOCK && this.#memory !== undefined) this.#count(this.#memory);
    }
  }

  #count(memory: SharedMemory): void {
    const more = this.#kept - this.#held;
    if (memory.hold(more)) this.#held = this.#kept;
    else if (!this.#stays) this.#moveTo(memory.openFile());
  }

  #moveTo(file: BodyFile | undefined): void {
    try {
      for (const piece of this.#pieces) file?.append(piece);
      this.#file = file;
    } catch {
      file?.close();
    }
    // What the disk does not take stays in memory: a body is no reason to end a crawl.
    if (this.#file === undefined) this.#stays = true;
    else this.#forget();
  }

  #write(file: BodyFile, piece: Buffer): void {
    try {
      file.append(piece);
    } catch {
      this.#pieces = [file.read(), piece];
      this.#kept = this.#pieces[0].length + piece.length;
      this.#stays = true;
      file.close();
      this.#file = undefined;
    }
  }

  #forget(): void {
    this.#memory?.drop(this.#held);
    this.#pieces = [];
    this.#kept = this.#held = 0;
  }

  #closeBlock(): void {
    const block = this.#block?.subarray(0, this.#used);
    this.#block = undefined;
    this.#used = 0;
    if (block !== undefined) this.#keep(block);
  }
}

function joined(pieces: readonly Buffer[], size: number): Buffer {
  const [piece] = pieces;
  // What was read from a connection in one go: the head lies before it.
  const isAlone = pieces.length === 1 && (size < SMALL || size === piece.buffer.byteLength);
  return isAlone ? piece : Buffer.concat(pieces, size);
}
