import type { Analyze } from '../analyze.ts';
import { characterTable } from './character-table.ts';
import { fold, isAscii } from './fold.ts';
import { type QueryTerm, readQueryTerms } from './query-terms.ts';
import { STEMMERS } from './stem/stemmers.ts';
import { StemCache } from './stem-cache.ts';
import { Tokenizer } from './tokenizer.ts';

export type { QueryTerm } from './query-terms.ts';

/** A term with where it stands in the text, for highlighting. */
export type EmitSpan = (term: string, position: number, start: number, end: number) => void;

export interface Analyzer {
  readonly analyze: Analyze;
  /** As `analyze`, with the place of each term in the text. */
  analyzeSpans(text: string, language: string, emit: EmitSpan): number;
  /**
   * The terms that a query asks for. `language` where the reader has named one; else the likely ones are guessed from the words,
   * and `among` (the languages of the documents) widens the guess.
   */
  analyzeQuery(text: string, language: string | undefined, among?: readonly string[]): QueryTerm[];
  /** All terms that `analyzeQuery` has for a text of a known language; quick where it is one plain word. */
  termsOf(text: string, language: string): readonly string[];
}

export interface AnalyzerOptions {
  /** Words of each language whose terms are remembered, at most twice as many. */
  readonly remembered?: number;
}

/** Text to terms, for documents and queries alike. Not to be shared between threads; cheap to use and to make. */
export function createAnalyzer({ remembered }: AnalyzerOptions = {}): Analyzer {
  const table = characterTable();
  const tokenizer = new Tokenizer(table);
  const caches = new Map<string, StemCache>();

  function cacheOf(language: string): StemCache {
    // the documents of all languages without a stemmer share one cache, so that a tag cannot make another
    const key = language === '' || STEMMERS.has(language) ? language : 'other';
    let cache = caches.get(key);
    if (cache === undefined) {
      cache = new StemCache(termMaker(key), remembered);
      caches.set(key, cache);
    }
    return cache;
  }

  function termMaker(language: string): (word: string) => string {
    const stem = STEMMERS.get(language === '' ? 'en' : language);
    if (stem === undefined) return (word) => fold(word, table);
    return (word) => {
      const folded = fold(word, table);
      const isStemmed = isWordOfLetters(folded) && (language !== '' || isAscii(word));
      return isStemmed ? stem(folded) : folded;
    };
  }

  const termOf = (word: string, language: string): string => cacheOf(language).term(word);

  return {
    analyze(text, language, emit) {
      const cache = cacheOf(language);
      return tokenizer.tokenize(text, (token, position) => emit(cache.term(token), position));
    },
    analyzeSpans(text, language, emit) {
      const cache = cacheOf(language);
      return tokenizer.tokenize(text, (token, position, _role, start, end) =>
        emit(cache.term(token), position, start, end),
      );
    },
    analyzeQuery(text, language, among = []) {
      return readQueryTerms(text, language, among, tokenizer, termOf);
    },
    termsOf(text, language) {
      if (tokenizer.isToken(text)) return [termOf(text, language)];
      return readQueryTerms(text, language, [], tokenizer, termOf).flatMap(({ terms }) => terms);
    },
  };
}

/** Numbers, names such as c++ and addresses are not stemmed. */
function isWordOfLetters(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (code < 0x61 || (code > 0x7a && code < 0x80)) return false;
  }
  return true;
}
