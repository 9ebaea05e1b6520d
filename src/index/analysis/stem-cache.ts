/** The shortest string that the engine keeps as a window on a longer one; such a key would hold the whole page in memory. */
const SHORTEST_WINDOW = 13;

/**
 * Remembers what became of a word. Bounded: of two generations the older one is dropped when the younger is full,
 * so that frequent words stay and a page of rubbish cannot push them all out at once.
 */
export class StemCache {
  readonly #make: (word: string) => string;
  readonly #limit: number;
  #young = new Map<string, string>();
  #old = new Map<string, string>();

  constructor(make: (word: string) => string, limit = 1 << 15) {
    this.#make = make;
    this.#limit = limit;
  }

  term(word: string): string {
    return this.#young.get(word) ?? this.#find(word);
  }

  #find(word: string): string {
    let key = word;
    let term = this.#old.get(word);
    if (term === undefined) {
      if (word.length >= SHORTEST_WINDOW) key = copyOf(word);
      term = this.#make(key);
    } else if (word.length >= SHORTEST_WINDOW) key = copyOf(word);
    if (this.#young.size >= this.#limit) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, term);
    return term;
  }
}

function copyOf(word: string): string {
  return Buffer.from(word, 'utf16le').toString('utf16le');
}
