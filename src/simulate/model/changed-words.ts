/** Changes the first word of a page's running text and then every `stride`-th, always to another word. Tags stay. */
export class ChangedWords {
  readonly #words: readonly string[];
  readonly #stride: number;
  #draw: number;
  #count = 0;

  constructor(words: readonly string[], stride: number, salt: number) {
    this.#words = words;
    this.#stride = stride;
    this.#draw = salt >>> 0;
  }

  /** One block of well-formed markup; a word is what stands between white space or tags. */
  change(block: string): string {
    return block.replace(/<[^>]*>|[^\s<]+/g, (piece) => {
      if (piece.startsWith('<') || this.#count++ % this.#stride !== 0) return piece;
      this.#draw = (Math.imul(this.#draw, 0x9e3779b1) + 0x7f4a7c15) >>> 0;
      const word = this.#words[(this.#draw >>> 8) % this.#words.length];
      return word === piece ? this.#words[((this.#draw >>> 8) + 1) % this.#words.length] : word;
    });
  }
}
