/** For the browser, in the place of `base/code-units.ts`, which writes into memory of Node.js. */
export class CodeUnits {
  #units = new Uint16Array(4096);

  /** Those of a text with a 0 behind them, until the next text comes. */
  of(text: string): Uint16Array {
    const { length } = text;
    if (length >= this.#units.length) this.#units = new Uint16Array(2 * length + 1);
    for (let at = 0; at < length; at++) this.#units[at] = text.charCodeAt(at);
    this.#units[length] = 0;
    return this.#units;
  }
}

/** The character that begins with a high surrogate: the surrogate itself where nothing follows that it makes a pair with. */
export function codePointAt(units: Uint16Array, at: number): number {
  const high = units[at];
  const low = units[at + 1];
  return low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00) : high;
}

/** A search keeps few words, and the texts that they are of are short. */
export function copyOf(text: string): string {
  return text;
}
