import { likelyLanguages } from './likely-languages.ts';
import { isStopWord } from './stop-words.ts';
import type { TokenRole } from './token.ts';
import type { Tokenizer } from './tokenizer.ts';
import type { TermOfWord } from './word-forms.ts';

/** A word of a query. */
export interface QueryTerm {
  /** As typed, folded but not stemmed. */
  readonly text: string;
  /** Index terms any of which is the word: its stems in the likely languages, the likeliest first. Never empty. */
  readonly terms: readonly string[];
  /** For each of the terms which form of it the word is (`wordForm`). */
  readonly forms: readonly number[];
  /** So common that it says nothing beside other words; it counts in phrases, and where there is nothing else. */
  readonly stop: boolean;
  /** Where it stands; the gaps are those that documents have as well. */
  readonly position: number;
  /** For a part of a word such as "state-of-the-art": the terms of it written in one. They end `terms`, too. */
  readonly whole?: readonly string[];
  /**
   * The first word of `select_related` or `--onto`: the term of all of it with its signs, and how many words it takes.
   * Indexes of older versions lack the term.
   */
  readonly verbatim?: { readonly term: string; readonly words: number };
  /** A single character of a script that is indexed by pairs: terms that begin with it count too. */
  readonly prefix?: true;
}

interface Token {
  readonly text: string;
  readonly position: number;
  readonly role: TokenRole;
  readonly start: number;
  readonly end: number;
}

export type TermOf = (word: string, language: string) => TermOfWord;

/** No language has this tag, so that words are folded alone. */
const FOLDED_ALONE = 'other';

/** What the words of a query are in the index. Whether a word is a stop word does not depend on the others, so that queries can be read word by word. */
export function readQueryTerms(
  text: string,
  language: string | undefined,
  among: readonly string[],
  tokenizer: Tokenizer,
  termOf: TermOf,
): QueryTerm[] {
  const tokens: Token[] = [];
  const verbatims: Token[] = [];
  tokenizer.tokenize(text, (token, position, role, start, end) => {
    if (role === 'verbatim') verbatims.push({ text: token, position, role, start, end });
    else if (role !== 'aside') tokens.push({ text: token, position, role, start, end });
  });
  const folded = tokens.map((token) => termOf(token.text, FOLDED_ALONE).term);
  const languages = language === undefined ? likelyLanguages(text, folded, among) : [language];
  const isShouted = text === text.toUpperCase();
  const stems = (word: string): TermOfWord[] => languages.map((tongue) => termOf(word, tongue));
  const terms: QueryTerm[] = [];
  let joined: Token | undefined;
  for (const [at, token] of tokens.entries()) {
    if (token.role === 'joined') continue;
    const next = tokens[at + 1];
    if (next?.role === 'joined') joined = next;
    else if (joined !== undefined && token.start >= joined.end) joined = undefined;
    const whole = joined === undefined ? [] : stems(joined.text);
    const word = folded[at] as string;
    const verbatim = isWithin(token, verbatims[0]) ? verbatims.shift() : undefined;
    const formOf = new Map<string, number>();
    for (const { term, form } of [...stems(token.text), ...whole]) if (!formOf.has(term)) formOf.set(term, form);
    terms.push({
      text: word,
      terms: [...formOf.keys()],
      forms: [...formOf.values()],
      stop: isStopWord(word, languages) && (isShouted || !isName(token.text)),
      position: token.position,
      ...(whole.length > 0 && { whole: [...new Set(whole.map(({ term }) => term))] }),
      ...(verbatim !== undefined && {
        verbatim: { term: termOf(verbatim.text, FOLDED_ALONE).term, words: wordsOf(verbatim, tokens) },
      }),
      ...(token.role === 'lone' && { prefix: true as const }),
    });
  }
  return terms;
}

/** How many words of the query a name takes. */
function wordsOf(name: Token, tokens: readonly Token[]): number {
  return tokens.filter((token) => token.role !== 'joined' && isWithin(token, name)).length;
}

function isWithin(token: Token, other: Token | undefined): boolean {
  return other !== undefined && token.start >= other.start && token.end <= other.end;
}

/** IT, US and WHO are not it, us and who. */
function isName(word: string): boolean {
  return word.length > 1 && word !== word.toLowerCase() && word === word.toUpperCase();
}
