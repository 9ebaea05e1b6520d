import { isAscii } from './fold.ts';
import { languagesByStopWords } from './stop-words.ts';

/** Letters that few languages have. */
const TELLING_LETTERS: readonly (readonly [letters: RegExp, languages: readonly string[]])[] = [
  [/[а-яё]/i, ['ru']],
  [/ß/, ['de']],
  [/[äöü]/i, ['de', 'sv', 'fi', 'hu', 'tr']],
  [/å/i, ['sv', 'no', 'da']],
  [/[æø]/i, ['no', 'da']],
  [/ñ/i, ['es']],
  [/ç/i, ['fr', 'pt', 'tr']],
  [/[ãõ]/i, ['pt']],
  [/[èàùì]/i, ['fr', 'it']],
  [/[êôâœ]/i, ['fr', 'pt']],
  [/[éó]/i, ['fr', 'es', 'pt', 'hu']],
  [/[áí]/i, ['es', 'pt', 'hu']],
  [/[őű]/i, ['hu']],
  [/[ğşıİ]/i, ['tr']],
  [/[ășțţ]/i, ['ro']],
];
const MOST_LANGUAGES = 6;
/** Documents of no known language, which are read as English as far as their letters allow, and of those that words are not stemmed in. */
export const ANY_LANGUAGE: readonly string[] = ['', 'other'];

/** This many stop words of one language leave no doubt. */
const ENOUGH_STOP_WORDS = 2;

/**
 * What the words of a query may be of, the likeliest first: by its stop words, by its letters, and English, which queries are mostly of.
 * `among`, where known, are the languages of the documents: others would find nothing, and where the words do not tell it may be any of them.
 * With `ANY_LANGUAGE` among them there are more, and never fewer.
 */
export function likelyLanguages(text: string, words: readonly string[], among: readonly string[]): readonly string[] {
  const { languages: byWords, count } = words.length > 1 ? languagesByStopWords(words) : NO_WORDS;
  const any = among.includes('other') ? ANY_LANGUAGE : [];
  if (count >= ENOUGH_STOP_WORDS && byWords.length === 1) return [...byWords, ...any];
  const byLetters = isAscii(text) ? [] : languagesByLetters(text.normalize('NFC'));
  const guessed = new Set([...(byWords.includes('en') ? [] : byWords), ...byLetters, 'en']);
  if (among.length === 0) return [...guessed].slice(0, MOST_LANGUAGES);
  const known = new Set(among);
  const likely = [...guessed].filter((language) => known.has(language) || (language === 'en' && known.has('')));
  // English comes with them.
  const most = MOST_LANGUAGES + (any.length === 0 ? 0 : any.length + 1);
  return [...new Set([...likely, ...among])].slice(0, most);
}

const NO_WORDS = { languages: [], count: 0 };

function languagesByLetters(text: string): string[] {
  return TELLING_LETTERS.flatMap(([pattern, languages]) => (pattern.test(text) ? languages : []));
}
