import { ByteGate } from '../../base/byte-gate.ts';
import type { BodyFile } from './body-file.ts';

/** Bodies up to this size do not wait for larger ones, which take long to read. */
const SMALL = 2 * 2 ** 20;

/** The memory that the body of one visit takes until it is disposed of. */
export interface BodyRoom extends Disposable {
  /** Resolves when there is memory for this many bytes; what was taken before is given back first. */
  readonly take: (bytes: number) => Promise<void>;
}

/**
 * The memory for all bodies of a fetcher, a third each for those that arrive, for small and for large ones that are being read.
 * A server decides how long a body takes to arrive, so that nobody may wait for one that does: what finds no memory goes to a
 * file. How long reading takes is up to us: bodies take turns at it.
 */
export class BodyMemory {
  readonly #openFile: () => BodyFile;
  readonly #maxArriving: number;
  readonly #small: ByteGate;
  readonly #large: ByteGate;
  #arriving = 0;

  constructor(maxBytes: number, openFile: () => BodyFile) {
    this.#openFile = openFile;
    this.#maxArriving = maxBytes / 3;
    this.#small = new ByteGate(maxBytes / 3);
    this.#large = new ByteGate(maxBytes / 3);
  }

  /** Bytes of bodies that arrive, and of those that wait for being read. */
  get arriving(): number {
    return this.#arriving;
  }

  /** Bytes of bodies that are being read. */
  get reading(): number {
    return this.#small.held + this.#large.held;
  }

  /** False where a body that arrives has to go to a file. */
  hold(bytes: number): boolean {
    if (this.#arriving + bytes > this.#maxArriving) return false;
    this.#arriving += bytes;
    return true;
  }

  drop(bytes: number): void {
    this.#arriving -= bytes;
  }

  /** Undefined where the disk takes none. */
  openFile(): BodyFile | undefined {
    try {
      return this.#openFile();
    } catch {
      return undefined;
    }
  }

  room(): BodyRoom {
    let taken: { readonly gate: ByteGate; readonly bytes: number } | undefined;
    let disposed = false;
    const giveBack = (): void => {
      taken?.gate.leave(taken.bytes);
      taken = undefined;
    };
    return {
      take: async (bytes) => {
        giveBack();
        const gate = bytes <= SMALL ? this.#small : this.#large;
        await gate.enter(bytes);
        taken = { gate, bytes };
        if (disposed) giveBack();
      },
      [Symbol.dispose]: () => {
        disposed = true;
        giveBack();
      },
    };
  }
}
