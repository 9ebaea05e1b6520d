import type { Analyze, EmitRemembered } from '../analyze.ts';
import { characterTable } from './character-table.ts';
import { fold, isAscii } from './fold.ts';
import { type QueryTerm, readQueryTerms } from './query-terms.ts';
import { RememberedNames } from './remembered-names.ts';
import { DERIVING, STEMMERS } from './stem/stemmers.ts';
import type { TokenSink } from './token.ts';
import { Tokenizer } from './tokenizer.ts';
import { BASE_FORM, type TermOfWord, wordForm } from './word-forms.ts';
import type { TakeWords, WordRuns } from './word-runs.ts';
import { WordTable } from './word-table.ts';

export type { QueryTerm } from './query-terms.ts';
export type { TermOfWord } from './word-forms.ts';

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
  termsOf(text: string, language: string): readonly TermOfWord[];
}

export interface AnalyzerOptions {
  /** Words of each language whose terms are remembered, rounded up to a power of two. */
  readonly remembered?: number;
  /** For those who take the words of long texts, and remember no more of them than is usual: reads many at once. */
  readonly readRuns?: (words: WordTable) => WordRuns;
  /** Remembers which words names are made of, too: for those who read many texts. */
  readonly remembersNames?: boolean;
}

/** Shorter texts are read word by word: a run of a few does not pay for the look at it. */
const SHORTEST_RUN = 64;

/** Text to terms, for documents and queries alike. Not to be shared between threads; cheap to use and to make. */
export function createAnalyzer({ remembered, readRuns, remembersNames = false }: AnalyzerOptions = {}): Analyzer {
  const table = characterTable();
  const tokenizer = new Tokenizer(table);
  /** For a name that stands alone, while another text is read. */
  const nameTokenizer = new Tokenizer(table);
  const readName = (name: string, sink: TokenSink): number => nameTokenizer.tokenize(name, sink);
  const tables = new Map<string, WordTable>();
  const names = new Map<WordTable, RememberedNames>();
  /** For a word that comes alone. */
  const one = new Uint32Array(1);
  /** The text that is being read, its words, and who takes them. */
  let reading = '';
  let words = wordsOf('');
  let take: EmitRemembered = () => {};
  // Made once: the engine drops the code of functions that live no longer than a text with every collection of garbage.
  const takePlace = (place: number, position: number): void => {
    one[0] = place;
    take(words, one, 1, position);
  };
  const takeToken = (token: string, position: number): void => takePlace(words.of(token), position);
  const takeWord = (start: number, end: number, position: number, units: Uint16Array): void =>
    takePlace(words.find(reading, units, start, end), position);
  const takeName: EmitRemembered = (name, places, count, position, offsets) =>
    take(name, places, count, position, offsets);
  const takeRun: TakeWords = (run, places, count, position) => take(run, places, count, position);

  function wordsOf(language: string): WordTable {
    // the documents of all languages without a stemmer share one table, so that a tag cannot make another
    const key = language === '' || STEMMERS.has(language) ? language : 'other';
    let words = tables.get(key);
    if (words === undefined) {
      words = new WordTable(termMaker(key), remembered);
      tables.set(key, words);
    }
    return words;
  }

  function namesOf(words: WordTable): RememberedNames {
    let known = names.get(words);
    if (known === undefined) {
      known = new RememberedNames(words, readName, takeName);
      names.set(words, known);
    }
    return known;
  }

  function termMaker(language: string): (word: string) => TermOfWord {
    const tongue = language === '' ? 'en' : language;
    const stem = STEMMERS.get(tongue);
    if (stem === undefined) return (word) => ({ term: fold(word, table), form: BASE_FORM });
    return (word) => {
      const folded = fold(word, table);
      const isStemmed = isWordOfLetters(folded) && (language !== '' || isAscii(word));
      if (!isStemmed) return { term: folded, form: BASE_FORM };
      const term = stem(folded);
      return { term, form: wordForm(folded, term, DERIVING.has(tongue)) };
    };
  }

  const termOf = (word: string, language: string): TermOfWord => {
    const words = wordsOf(language);
    const place = words.of(word);
    return { term: words.term(place), form: words.form(place) };
  };

  return {
    analyze(text, language, emit, remembered) {
      if (remembered === undefined) {
        const words = wordsOf(language);
        const tell = (place: number, position: number): void => emit(words.term(place), position, words.form(place));
        return tokenizer.tokenize(
          text,
          (token, position) => tell(words.of(token), position),
          (start, end, position, units) => tell(words.find(text, units, start, end), position),
        );
      }
      reading = text;
      words = wordsOf(language);
      take = remembered;
      const runs = text.length < SHORTEST_RUN ? undefined : readRuns?.(words);
      if (runs !== undefined) runs.take = takeRun;
      const positions = tokenizer.tokenize(
        text,
        takeToken,
        takeWord,
        runs,
        remembersNames ? namesOf(words) : undefined,
      );
      reading = '';
      return positions;
    },
    analyzeSpans(text, language, emit) {
      const words = wordsOf(language);
      return tokenizer.tokenize(text, (token, position, _role, start, end) =>
        emit(words.term(words.of(token)), position, start, end),
      );
    },
    analyzeQuery(text, language, among = []) {
      return readQueryTerms(text, language, among, tokenizer, termOf);
    },
    termsOf(text, language) {
      if (tokenizer.isToken(text)) return [termOf(text, language)];
      return readQueryTerms(text, language, [], tokenizer, termOf).flatMap(({ terms, forms }) =>
        terms.map((term, at) => ({ term, form: forms[at] as number })),
      );
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
