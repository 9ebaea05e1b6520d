import { isForm } from '../../index/analysis/word-forms.ts';
import type { AskedWord } from '../query/asked-words.ts';

const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/**
 * Stemmers leave the first two letters as they are, but for words as short as this: dying becomes die, and where oe is an o, and
 * a double vowel a single one, oel becomes ol and oog og.
 */
export const SHORT = 5;
export const [NO_LENGTH, ANY_LENGTH, IF_SHORT] = [0, 1, 2];
/** Letters of either case, digits and signs of words, in so few numbers that two of them make a place in a small table. */
const LETTERS = 64;
export const LETTER_NUMBERS = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code).toLowerCase();
  return 1 + 'abcdefghijklmnopqrstuvwxyz0123456789#+'.indexOf(sign);
});
export const NO_LETTER = 0;
/** Of a first letter that no word begins with. */
const NO_PAIRS = new Uint8Array(LETTERS);
const [E, I, Y] = Array.from('eiy', (letter) => LETTER_NUMBERS[letter.charCodeAt(0)]);

/** A word of a query, counted over all of them, and the forms of a term that count. */
interface WantedTerm {
  readonly word: number;
  readonly accepts: (form: number) => boolean;
}

/** What to look for in texts to find the words of one query, whatever their language is. */
export class WantedWords {
  /** Per word of the query; a phrase, or a name such as select_related, counts as its words. `follows`: the one before is right before it. */
  readonly words: readonly { readonly text: string; readonly follows: boolean }[];
  readonly terms = new Map<string, WantedTerm>();
  readonly prefixes: { readonly prefix: string; readonly word: number }[] = [];
  readonly unspaced: { readonly text: string; readonly word: number }[] = [];
  /** Beginnings of the words that may match, so that most words beside others than ASCII need no analysis. */
  readonly beginnings = new Set<string>();
  /** C++ and C# are asked for: their signs belong to words. */
  hasSymbols = false;
  /**
   * By the first two letters whether a word of ASCII may match, so that hardly any other is cut out of the text. A row for each
   * first letter that was asked for: of 64 bytes, which the engine keeps on its heap.
   */
  readonly pairs = new Array<Uint8Array>(LETTERS).fill(NO_PAIRS);

  constructor(asked: readonly AskedWord[]) {
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

  #take(alternatives: readonly string[], accepts: readonly ((form: number) => boolean)[], word: number): void {
    for (const [at, term] of alternatives.entries()) {
      const prefix = term.endsWith('*') ? term.slice(0, -1) : undefined;
      if (UNSPACED.test(term)) this.unspaced.push({ text: prefix ?? term, word });
      else if (prefix !== undefined) this.prefixes.push({ prefix, word });
      else if (!this.terms.has(term)) this.terms.set(term, { word, accepts: accepts[at] });
      const beginning = prefix ?? term;
      if (/[+#]/.test(beginning)) this.hasSymbols = true;
      this.#takePair(beginning);
      this.beginnings.add(beginning.slice(0, 1));
      this.beginnings.add(beginning.slice(0, 2));
    }
  }

  #takePair(beginning: string): void {
    const first = LETTER_NUMBERS[beginning.charCodeAt(0)] ?? NO_LETTER;
    const second = LETTER_NUMBERS[beginning.charCodeAt(1)] ?? NO_LETTER;
    if (first === NO_LETTER) return;
    if (this.pairs[first] === NO_PAIRS) this.pairs[first] = new Uint8Array(LETTERS);
    const ofFirst = this.pairs[first];
    if (second === NO_LETTER) for (let at = 0; at < LETTERS; at++) ofFirst[at] |= IF_SHORT;
    else ofFirst[second] |= ANY_LENGTH;
    if (second === I) ofFirst[Y] |= IF_SHORT;
    ofFirst[E] |= IF_SHORT;
    ofFirst[first] |= IF_SHORT;
  }
}
