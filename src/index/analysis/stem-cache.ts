/** The shortest string that the engine keeps as a window on a longer one; such a key would hold the whole page in memory. */
const SHORTEST_WINDOW = 13;

/**
 * Remembers what became of a word. Bounded: of two generations the older one is dropped when the younger is full,
 * so that frequent words stay and a page of rubbish cannot push them all out at once.
 */
export class StemCache<Made> {
  readonly #make: (word: string) => Made;
  readonly #limit: number;
  #young = new Map<string, Made>();
  #old = new Map<string, Made>();

  constructor(make: (word: string) => Made, limit = 1 << 15) {
    this.#make = make;
    this.#limit = limit;
  }

  of(word: string): Made {
    return this.#young.get(word) ?? this.#find(word);
  }

  #find(word: string): Made {
    let key = word;
    let made = this.#old.get(word);
    if (made === undefined) {
      if (word.length >= SHORTEST_WINDOW) key = copyOf(word);
      made = this.#make(key);
    } else if (word.length >= SHORTEST_WINDOW) key = copyOf(word);
    if (this.#young.size >= this.#limit) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, made);
    return made;
  }
}

function copyOf(word: string): string {
  return Buffer.from(word, 'utf16le').toString('utf16le');
}
