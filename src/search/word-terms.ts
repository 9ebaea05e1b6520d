import type { AnalyzeQuery } from './asked-words.ts';

/** The terms of a word of a text in a language. */
export type TermsOf = (word: string, language: string) => readonly string[];

/** Words of one language that are remembered, at most twice as many. */
const MOST_WORDS = 1 << 12;
/** Languages whose words are remembered. */
const MOST_LANGUAGES = 16;
/** The shortest string that the engine keeps as a window on a longer one; such a key would hold a whole text in memory. */
const SHORTEST_WINDOW = 13;

interface Generations {
  young: Map<string, readonly string[]>;
  old: Map<string, readonly string[]>;
}

/** The terms of the words of texts, remembered from query to query: the same words stand in most texts. */
export class WordTerms {
  readonly #ofLanguage = new Map<string, Generations>();

  readonly #analyze: AnalyzeQuery;

  constructor(analyze: AnalyzeQuery) {
    this.#analyze = analyze;
  }

  of(word: string, language: string): readonly string[] {
    const words = this.#words(language);
    const young = words.young.get(word);
    if (young !== undefined) return young;
    const terms = words.old.get(word) ?? this.#analyze(word, language).flatMap(({ terms }) => terms);
    if (words.young.size >= MOST_WORDS) {
      words.old = words.young;
      words.young = new Map();
    }
    // Long words are not worth a copy.
    if (word.length < SHORTEST_WINDOW) words.young.set(word, terms);
    return terms;
  }

  #words(language: string): Generations {
    const known = this.#ofLanguage.get(language);
    if (known !== undefined) return known;
    if (this.#ofLanguage.size >= MOST_LANGUAGES) this.#ofLanguage.clear();
    const words: Generations = { young: new Map(), old: new Map() };
    this.#ofLanguage.set(language, words);
    return words;
  }
}
