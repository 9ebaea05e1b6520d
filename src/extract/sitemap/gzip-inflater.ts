import { Gunzip } from 'fflate';

/** Compressed bytes taken at a time. Data unpacks to a thousand times its size at most, so this bounds the memory too. */
const blockLength = 4_096;

/**
 * Unpacks gzip data piece by piece, always in the same blocks however the pieces are cut, so that what comes out of
 * broken data does not depend on the network. Never throws.
 */
export class GzipInflater {
  readonly #gunzip: Gunzip;
  readonly #block = new Uint8Array(blockLength);
  #filled = 0;
  #fault: string | undefined;
  readonly #onData: (bytes: Uint8Array) => boolean;
  #stopped = false;

  /** `onData` answers whether more is wanted. */
  constructor(onData: (bytes: Uint8Array) => boolean) {
    this.#onData = onData;
    this.#gunzip = new Gunzip((bytes) => {
      if (bytes.length > 0 && !this.#stopped) this.#stopped = !this.#onData(bytes);
    });
  }

  /** What is wrong with the data, if anything. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** False when nothing more is wanted. */
  push(bytes: Uint8Array): boolean {
    let at = 0;
    while (at < bytes.length && !this.#stopped && this.#fault === undefined) {
      const taken = Math.min(bytes.length - at, blockLength - this.#filled);
      this.#block.set(bytes.subarray(at, at + taken), this.#filled);
      this.#filled += taken;
      at += taken;
      if (this.#filled === blockLength) this.#inflate(false);
    }
    return !this.#stopped && this.#fault === undefined;
  }

  end(): void {
    if (!this.#stopped && this.#fault === undefined) this.#inflate(true);
  }

  #inflate(last: boolean): void {
    // The library keeps what it is given until it needs no more of it.
    const block = this.#block.slice(0, this.#filled);
    this.#filled = 0;
    try {
      this.#gunzip.push(block, last);
    } catch (error) {
      this.#fault = `gzip data is broken: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}
