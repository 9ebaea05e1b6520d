/**
 * Which form of a term a word is, as a number that postings have room for: the ending by which its inflection goes (`ending`), and the kind of
 * suffix by which it was derived (`suffix`). Words of one term with the same form are nearly always the same word.
 */
export interface WordForm {
  /** 0: as the term, but for a final e or y; below `ENDINGS`. */
  readonly ending: number;
  /** 0: derived by none; below `SUFFIXES`. */
  readonly suffix: number;
}

/** The index term of a word, and which form of it the word is (`wordForm`). */
export interface TermOfWord {
  readonly term: string;
  readonly form: number;
}

export const ENDINGS = 6;
export const SUFFIXES = 6;
export const BASE_FORM = 0;

/** One number for both. */
function formNumber({ ending, suffix }: WordForm): number {
  return suffix * ENDINGS + ending;
}

/** The form of a folded word whose term is this. `derives`: the stemmer undoes derivation, as the English one does. */
export function wordForm(word: string, term: string, derives: boolean): number {
  if (word === term) return BASE_FORM;
  let shared = 0;
  while (shared < term.length && word.charCodeAt(shared) === term.charCodeAt(shared)) shared++;
  const rest = word.slice(shared);
  if (rest === '') return BASE_FORM;
  if (!derives) return formNumber({ ending: 1 + (hashOf(rest) % (ENDINGS - 1)), suffix: 0 });
  const [ending, length] = endingOf(word, rest);
  const suffix = withoutLastVowel(rest.slice(0, rest.length - length));
  // stop, stopped: the letter is doubled before the ending.
  const isDoubled = suffix.length === 1 && suffix === word[shared - 1];
  return formNumber({ ending, suffix: suffix === '' || isDoubled ? 0 : suffixKind(suffix) });
}

/** Whether a form is the one that is wanted, or one that is derived alike. */
export function isForm(form: number, wanted: number, limit: 'form' | 'derivation' = 'form'): boolean {
  return form === wanted || (limit === 'derivation' && Math.floor(form / ENDINGS) === Math.floor(wanted / ENDINGS));
}

/** Endings of inflection, and how long they are. */
function endingOf(word: string, rest: string): readonly [ending: number, length: number] {
  if (rest.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return [1, 1];
  if (rest.endsWith('ed')) return [2, 2];
  if (rest.endsWith('ing')) return [3, 3];
  return rest.endsWith('ly') ? [4, 2] : [0, 0];
}

function withoutLastVowel(suffix: string): string {
  return /[eiy]$/.test(suffix) ? suffix.slice(0, -1) : suffix;
}

/** Suffixes that are seldom found behind the same root share a number. */
const KINDS: readonly RegExp[] = [/ion$/, /(?:iv|ic|is[mt])$/, /(?:or|er|ment)$/, /(?:al|it|ous|[ai]bl)$/];

function suffixKind(suffix: string): number {
  const kind = KINDS.findIndex((pattern) => pattern.test(suffix));
  return kind < 0 ? SUFFIXES - 1 : kind + 1;
}

/** The factors tell the commonest endings of German, French, Italian, Spanish, Swedish and Russian apart best. */
function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (hash * 45 + text.charCodeAt(at)) % 51;
  return hash;
}
