/**
 * The code units of a text as numbers. An engine asks a string for each by way of what kind of string it is: several times as long.
 * A searcher keeps the memory from text to text.
 */
export class CodeUnits {
  #units = new Uint16Array(0);
  #bytes = Buffer.alloc(0);

  /** The first of them; they stay until the next text. */
  of(text: string, length: number): Uint16Array {
    if (this.#units.length < length) {
      this.#units = new Uint16Array(2 * length);
      this.#bytes = Buffer.from(this.#units.buffer);
    }
    this.#bytes.write(text, 0, 2 * length, 'utf16le');
    return this.#units;
  }
}
