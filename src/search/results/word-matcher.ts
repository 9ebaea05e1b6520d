import type { TermOfWord } from '../../index/analysis/analyzer.ts';
import type { CodeUnits } from './code-units.ts';
import { ANY_LENGTH, LETTER_NUMBERS, NO_LENGTH, NO_LETTER, SHORT, type WantedWords } from './wanted-words.ts';

/** The terms of a word of a text in a language, and which form of them it is. */
export type TermsOf = (word: string, language: string) => readonly TermOfWord[];

/** A place in a text that was asked for. */
export interface WordMatch {
  readonly start: number;
  readonly end: number;
  /** Which word of the query, counted over all of them. */
  readonly word: number;
}

/** More text than this is not looked at: the best passage is found well before. */
const MOST_CHARACTERS = 200_000;

/** Letters, digits and what may stand on or between them. Scripts without spaces are looked for by themselves. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const [OTHER, PLAIN] = [0, 1];
/** What each character of ASCII is. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-z0-9]/i.test(String.fromCharCode(code)) ? PLAIN : OTHER,
);
const KINDS_WITH_SYMBOLS = KINDS.map((kind, code) => ('#+'.includes(String.fromCharCode(code)) ? PLAIN : kind));
const NOT_ASCII = /[^\x00-\x7f]/;

/**
 * Finds the words of one query in texts of one language, in every form that counts. Remembers the words that
 * it has met, so one matcher serves all hits of a page.
 */
export class WordMatcher {
  /** Of the query. */
  readonly words: WantedWords['words'];
  readonly #wanted: WantedWords;
  readonly #termsOf: TermsOf;
  readonly #language: string;
  readonly #met = new Map<string, number>();
  readonly #units: CodeUnits;

  /** `units`: nobody else reads from it while words are looked for in a text, which is done without waiting. */
  constructor(wanted: WantedWords, termsOf: TermsOf, language: string, units: CodeUnits) {
    this.words = wanted.words;
    this.#wanted = wanted;
    this.#termsOf = termsOf;
    this.#language = language;
    this.#units = units;
  }

  /** The places of the query's words, in the order of the text; `most`: among so many characters, to the end of a word. */
  find(text: string, most = MOST_CHARACTERS): WordMatch[] {
    if (this.words.length === 0) return [];
    const length = most < text.length ? endOfWord(text, most) : text.length;
    const units = this.#units.of(text, length);
    const matches: WordMatch[] = [];
    const { pairs, hasSymbols } = this.#wanted;
    const kinds = hasSymbols ? KINDS_WITH_SYMBOLS : KINDS;
    for (let at = 0; at < length; ) {
      const first = units[at];
      if (first < 128 && KINDS[first] === OTHER) {
        at++;
        continue;
      }
      const start = at;
      let plain = true;
      for (; at < length; at++) {
        const code = units[at];
        if (code > 127) plain = false;
        else if (kinds[code] === OTHER) break;
      }
      if (!plain) this.#findWide(text.slice(start, at), start, matches);
      else {
        const second = at - start > 1 ? LETTER_NUMBERS[units[start + 1]] : NO_LETTER;
        const lengths = pairs[LETTER_NUMBERS[first]][second];
        if (lengths === NO_LENGTH || (at - start > SHORT && (lengths & ANY_LENGTH) === 0)) continue;
        const word = this.#wordOf(text.slice(start, at).toLowerCase());
        if (word >= 0) matches.push({ start, end: at, word });
      }
    }
    if (this.#wanted.unspaced.length === 0) return matches;
    return withoutOverlaps([...matches, ...this.#findUnspaced(text.slice(0, length))]);
  }

  /** A run of characters beyond ASCII, and what touches it: letters, dashes, quotation marks. */
  #findWide(run: string, start: number, matches: WordMatch[]): void {
    for (const found of run.matchAll(WORD)) {
      const lower = found[0].toLowerCase();
      if (!this.#wanted.beginnings.has(lower.slice(0, lower.length > SHORT ? 2 : 1)) && !NOT_ASCII.test(lower))
        continue;
      const word = this.#wordOf(lower);
      const at = start + found.index;
      if (word >= 0) matches.push({ start: at, end: at + found[0].length, word });
    }
  }

  #wordOf(lower: string): number {
    const met = this.#met.get(lower);
    if (met !== undefined) return met;
    const word = this.#analysed(lower);
    this.#met.set(lower, word);
    return word;
  }

  #analysed(lower: string): number {
    for (const { term, form } of this.#termsOf(lower, this.#language)) {
      const found = this.#wanted.terms.get(term);
      if (found?.accepts(form) === true) return found.word;
      const begun = this.#wanted.prefixes.find(({ prefix }) => term.startsWith(prefix));
      if (begun !== undefined) return begun.word;
    }
    return -1;
  }

  #findUnspaced(text: string): WordMatch[] {
    return this.#wanted.unspaced.flatMap(({ text: wanted, word }) => {
      const matches: WordMatch[] = [];
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length))
        matches.push({ start: at, end: at + wanted.length, word });
      return matches;
    });
  }
}

/** Words are longer only where no word is meant. */
const LONGEST_WORD = 100;

/** The first place from `at` on where no word is cut. */
function endOfWord(text: string, at: number): number {
  const rest = text.slice(at, at + LONGEST_WORD).search(/\s/);
  return rest < 0 ? at : at + rest;
}

/** Bigrams of one run overlap: they become one place. */
function withoutOverlaps(matches: WordMatch[]): WordMatch[] {
  const merged: WordMatch[] = [];
  for (const match of matches.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || match.start >= last.end) merged.push(match);
    else if (match.end > last.end) merged[merged.length - 1] = { ...last, end: match.end };
  }
  return merged;
}
