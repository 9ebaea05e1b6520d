/** Words that are held; beyond, those that only one page had go first. */
const MOST_WORDS = 20_000;

/** The words of a site, each with the pages that had it. What a site says is what one can ask it for. */
export class SiteWords {
  #pages = new Map<string, number>();

  /** Of one page, each once. */
  add(words: Iterable<string>): void {
    for (const word of words) this.#pages.set(word, (this.#pages.get(word) ?? 0) + 1);
    if (this.#pages.size <= MOST_WORDS) return;
    const kept = [...this.#pages].filter(([, pages]) => pages > 1);
    this.#pages = new Map(kept.slice(-MOST_WORDS / 2));
  }

  get words(): ReadonlyMap<string, number> {
    return this.#pages;
  }

  toJSON(): readonly (readonly [word: string, pages: number])[] {
    return [...this.#pages];
  }

  static from(kept: readonly (readonly [word: string, pages: number])[]): SiteWords {
    const words = new SiteWords();
    words.#pages = new Map(kept);
    return words;
  }
}
