const FIRST_CAPACITY = 16_384;

/**
 * Texts as their bytes, where they are ASCII, as most are: to read a byte takes a fraction of the time that a character of a string
 * takes. One per thread.
 */
export class AsciiText {
  #buffer = Buffer.allocUnsafeSlow(FIRST_CAPACITY);

  /** The bytes of a text, until the next is asked for; undefined where it is not ASCII. */
  of(text: string): Uint8Array | undefined {
    if (!isAscii(text)) return undefined;
    if (this.#buffer.length < text.length) this.#buffer = Buffer.allocUnsafeSlow(2 * text.length);
    return this.#buffer.subarray(0, this.#buffer.write(text, 'latin1'));
  }
}

export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
