/** Characters of a text that take so much of what is kept would push out too many others. */
const LARGEST_SHARE = 1 / 8;

/**
 * The texts that were read last. Of a site the same long pages are found again and again, and to read, unpack and decode one takes
 * longer than to find the words in it.
 */
export class RecentTexts {
  readonly #most: number;
  /** In the order of use. */
  readonly #texts = new Map<string, string>();
  #characters = 0;

  /** `characters`: kept at most; those of keys count too, for there is no end of empty texts. */
  constructor(characters: number) {
    this.#most = characters;
  }

  /** The text of a key, by `read` where it is not kept. */
  async of(key: string, read: () => Promise<string | undefined>): Promise<string | undefined> {
    const kept = this.#texts.get(key);
    if (kept !== undefined) {
      this.#texts.delete(key);
      this.#texts.set(key, kept);
      return kept;
    }
    const text = await read();
    if (text !== undefined && key.length + text.length <= this.#most * LARGEST_SHARE) this.#keep(key, text);
    return text;
  }

  #keep(key: string, text: string): void {
    // Two may have read the same at once.
    if (this.#texts.has(key)) return;
    this.#texts.set(key, text);
    this.#characters += key.length + text.length;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#characters <= this.#most) return;
      this.#texts.delete(oldest);
      this.#characters -= oldest.length + length;
    }
  }
}
