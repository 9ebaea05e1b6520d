const FIRST_LETTER = 0x61;
const LETTERS = 26;

/** Tells by its first two letters that a text is none of those that begin otherwise: an expression takes many times as long to tell. */
export class WordBeginnings {
  readonly #marks = new Uint8Array(LETTERS * LETTERS);

  /** In small letters: the first two of each text, or one letter that anything may follow. */
  constructor(beginnings: string) {
    for (const beginning of beginnings.split(' ')) {
      const row = LETTERS * numberOf(beginning.charCodeAt(0));
      if (beginning.length === 1) this.#marks.fill(1, row, row + LETTERS);
      else this.#marks[row + numberOf(beginning.charCodeAt(1))] = 1;
    }
  }

  /** Nothing is told of texts that do not begin with two letters of ASCII. */
  mayBegin(text: string): boolean {
    return this.mayBeginWith(text.charCodeAt(0), text.charCodeAt(1));
  }

  mayBeginWith(first: number, second: number): boolean {
    const one = numberOf(first);
    const other = numberOf(second);
    return one === -1 || other === -1 || this.#marks[LETTERS * one + other] === 1;
  }
}

function numberOf(code: number): number {
  const number = (code | 0x20) - FIRST_LETTER;
  return number >= 0 && number < LETTERS && code < 0x80 ? number : -1;
}
