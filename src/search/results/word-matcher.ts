import type { TermOfWord } from '../../index/analysis/analyzer.ts';
import { isForm } from '../../index/analysis/word-forms.ts';
import type { AskedWord } from '../query/asked-words.ts';
import type { CodeUnits } from './code-units.ts';

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
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/**
 * Stemmers leave the first two letters as they are, but for words as short as this: dying becomes die, and where oe is an o, and
 * a double vowel a single one, oel becomes ol and oog og.
 */
const SHORT = 5;
const [NO_LENGTH, ANY_LENGTH, IF_SHORT] = [0, 1, 2];
/** Letters of either case, digits and signs of words, in so few numbers that two of them make a place in a small table. */
const LETTERS = 64;
const LETTER_NUMBERS = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code).toLowerCase();
  return 1 + 'abcdefghijklmnopqrstuvwxyz0123456789#+'.indexOf(sign);
});
const NO_LETTER = 0;
/** Of a first letter that no word begins with. */
const NO_PAIRS = new Uint8Array(LETTERS);
const [E, I, Y] = Array.from('eiy', (letter) => LETTER_NUMBERS[letter.charCodeAt(0)]);
const NOT_ASCII = /[^\x00-\x7f]/;

/**
 * Finds the words of one query in texts of one language, in every form that counts. Remembers the words that
 * it has met, so one matcher serves all hits of a page.
 */
export class WordMatcher {
  /** Per word of the query; a phrase, or a name such as select_related, counts as its words. `follows`: the one before is right before it. */
  readonly words: readonly { readonly text: string; readonly follows: boolean }[];
  readonly #termsOf: TermsOf;
  readonly #language: string;
  readonly #terms = new Map<string, { readonly word: number; readonly accepts: (form: number) => boolean }>();
  readonly #prefixes: { readonly prefix: string; readonly word: number }[] = [];
  readonly #unspaced: { readonly text: string; readonly word: number }[] = [];
  /** Beginnings of the words that may match, so that most words beside others than ASCII need no analysis. */
  readonly #beginnings = new Set<string>();
  /** C++ and C# are asked for: their signs belong to words. */
  #symbols = false;
  /**
   * By the first two letters whether a word of ASCII may match, so that hardly any other is cut out of the text. A row for each
   * first letter that was asked for: of 64 bytes, which the engine keeps on its heap.
   */
  readonly #pairs: Uint8Array[] = Array.from({ length: LETTERS }, () => NO_PAIRS);
  readonly #met = new Map<string, number>();
  readonly #units: CodeUnits;

  /** `units`: nobody else reads from it while words are looked for in a text, which is done without waiting. */
  constructor(asked: readonly AskedWord[], termsOf: TermsOf, language: string, units: CodeUnits) {
    this.#units = units;
    this.#termsOf = termsOf;
    this.#language = language;
    const words: { text: string; follows: boolean }[] = [];
    for (const { text, terms, forms, only } of asked) {
      for (const [at, alternatives] of terms.entries()) {
        const accepts = alternatives.map((_, alternative) => {
          const wanted = only === undefined ? undefined : forms[at]?.[alternative];
          return (form: number): boolean => wanted === undefined || isForm(form, wanted, only);
        });
        this.#take(alternatives, accepts, words.length);
        words.push({ text, follows: at > 0 });
      }
    }
    this.words = words;
  }

  /** The places of the query's words, in the order of the text; `most`: among so many characters, to the end of a word. */
  find(text: string, most = MOST_CHARACTERS): WordMatch[] {
    if (this.words.length === 0) return [];
    const length = most < text.length ? endOfWord(text, most) : text.length;
    const units = this.#units.of(text, length);
    const matches: WordMatch[] = [];
    const kinds = this.#symbols ? KINDS_WITH_SYMBOLS : KINDS;
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
        const lengths = this.#pairs[LETTER_NUMBERS[first]][second];
        if (lengths === NO_LENGTH || (at - start > SHORT && (lengths & ANY_LENGTH) === 0)) continue;
        const word = this.#wordOf(text.slice(start, at).toLowerCase());
        if (word >= 0) matches.push({ start, end: at, word });
      }
    }
    if (this.#unspaced.length === 0) return matches;
    return withoutOverlaps([...matches, ...this.#findUnspaced(text.slice(0, length))]);
  }

  /** A run of characters beyond ASCII, and what touches it: letters, dashes, quotation marks. */
  #findWide(run: string, start: number, matches: WordMatch[]): void {
    for (const found of run.matchAll(WORD)) {
      const lower = found[0].toLowerCase();
      if (!this.#beginnings.has(lower.slice(0, lower.length > SHORT ? 2 : 1)) && !NOT_ASCII.test(lower)) continue;
      const word = this.#wordOf(lower);
      const at = start + found.index;
      if (word >= 0) matches.push({ start: at, end: at + found[0].length, word });
    }
  }

  #take(alternatives: readonly string[], accepts: readonly ((form: number) => boolean)[], word: number): void {
    for (const [at, term] of alternatives.entries()) {
      const prefix = term.endsWith('*') ? term.slice(0, -1) : undefined;
      if (UNSPACED.test(term)) this.#unspaced.push({ text: prefix ?? term, word });
      else if (prefix !== undefined) this.#prefixes.push({ prefix, word });
      else if (!this.#terms.has(term)) this.#terms.set(term, { word, accepts: accepts[at] });
      const beginning = prefix ?? term;
      if (/[+#]/.test(beginning)) this.#symbols = true;
      this.#takePair(beginning);
      this.#beginnings.add(beginning.slice(0, 1));
      this.#beginnings.add(beginning.slice(0, 2));
    }
  }

  #takePair(beginning: string): void {
    const first = LETTER_NUMBERS[beginning.charCodeAt(0)] ?? NO_LETTER;
    const second = LETTER_NUMBERS[beginning.charCodeAt(1)] ?? NO_LETTER;
    if (first === NO_LETTER) return;
    if (this.#pairs[first] === NO_PAIRS) this.#pairs[first] = new Uint8Array(LETTERS);
    const ofFirst = this.#pairs[first];
    if (second === NO_LETTER) for (let at = 0; at < LETTERS; at++) ofFirst[at] |= IF_SHORT;
    else ofFirst[second] |= ANY_LENGTH;
    if (second === I) ofFirst[Y] |= IF_SHORT;
    ofFirst[E] |= IF_SHORT;
    ofFirst[first] |= IF_SHORT;
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
      const found = this.#terms.get(term);
      if (found?.accepts(form) === true) return found.word;
      const begun = this.#prefixes.find(({ prefix }) => term.startsWith(prefix));
      if (begun !== undefined) return begun.word;
    }
    return -1;
  }

  #findUnspaced(text: string): WordMatch[] {
    return this.#unspaced.flatMap(({ text: wanted, word }) => {
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
