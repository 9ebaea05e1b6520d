/**
 * Porter's second English stemmer ("Porter2"), after its published rules. Takes words in lower case without accents.
 * Two tables of exceptions, two regions (R1: after the first vowel and consonant; R2: the same again within R1) and six steps.
 */
export function stemEnglish(word: string): string {
  if (word.length <= 2) return word;
  const exception = word.length <= LONGEST_EXCEPTION ? EXCEPTIONS.get(word) : undefined;
  if (exception !== undefined) return exception;
  const marked = markConsonantY(word.charCodeAt(0) === APOSTROPHE ? word.slice(1) : word);
  const r1 = firstRegion(marked);
  const r2 = regionAfter(marked, r1);
  let stem = withoutPlural(withoutPossessive(marked));
  if (stem.length <= LONGEST_KEPT && KEPT_AFTER_PLURAL.has(stem)) return stem;
  stem = withoutVerbEnding(stem, r1);
  stem = withFinalI(stem);
  stem = withShorterSuffix(stem, r1);
  stem = withoutAdjectiveEnding(stem, r1, r2);
  stem = withoutSuffix(stem, r2);
  stem = withoutFinalLetter(stem, r1, r2);
  return stem.includes('Y') ? stem.toLowerCase() : stem;
}

const APOSTROPHE = 0x27;
/** No longer than the longest of them. */
const LONGEST_EXCEPTION = 6;
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word): [string, string] => [word, word]),
]);
const LONGEST_KEPT = 7;
const KEPT_AFTER_PLURAL: ReadonlySet<string> = new Set([
  'inning',
  'outing',
  'canning',
  'herring',
  'earring',
  'evening',
  'proceed',
  'exceed',
  'succeed',
]);
/** Beginnings after which R1 starts, whatever the letters: so that "general" and "generate", say, stay apart. */
const FIXED_REGION_STARTS = ['gener', 'commun', 'arsen', 'past', 'univers', 'later', 'emerg', 'organ', 'inter'].map(
  (start): [code: number, start: string] => [start.charCodeAt(0), start],
);
const DOUBLES: ReadonlySet<string> = new Set(['bb', 'dd', 'ff', 'gg', 'mm', 'nn', 'pp', 'rr', 'tt']);
const BEFORE_LI = 'cdeghkmnrt';

const LETTER_A = 0x61;
const LETTER_D = 0x64;
const LETTER_G = 0x67;
const LETTER_S = 0x73;
const LETTER_Y = 0x79;
const LETTERS = 26;
const NONE: readonly Replacement[] = [];

type Replacement = readonly [suffix: string, by: string];
/** In R1; the longest of those that fit is the one that counts. */
const SHORTER_SUFFIXES = byLastLetter([
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['entli', 'ent'],
  ['izer', 'ize'],
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['alli', 'al'],
  ['fulness', 'ful'],
  ['ousli', 'ous'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['ogist', 'og'],
  ['fulli', 'ful'],
  ['lessli', 'less'],
  ['li', ''],
]);
const ADJECTIVE_ENDINGS = byLastLetter([
  ['tional', 'tion'],
  ['ational', 'ate'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
  ['ative', ''],
]);
const SUFFIXES = byLastLetter(
  'al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion'
    .split(' ')
    .map((suffix): Replacement => [suffix, '']),
);

/** Those that end in each letter, so that few are tried. */
function byLastLetter(table: readonly Replacement[]): readonly (readonly Replacement[])[] {
  const byLetter = Array.from({ length: LETTERS }, (): Replacement[] => []);
  for (const replacement of [...table].sort((a, b) => b[0].length - a[0].length))
    byLetter[lastCode(replacement[0]) - LETTER_A].push(replacement);
  return byLetter;
}

function endingLike(word: string, table: readonly (readonly Replacement[])[]): readonly Replacement[] {
  return table[lastCode(word) - LETTER_A] ?? NONE;
}

function lastCode(word: string): number {
  return word.charCodeAt(word.length - 1);
}

function isVowel(code: number): boolean {
  // a e i o u y; a Y in upper case is one that acts as a consonant
  return code === 97 || code === 101 || code === 105 || code === 111 || code === 117 || code === 121;
}

function markConsonantY(word: string): string {
  if (!word.includes('y')) return word;
  let marked = '';
  for (let at = 0; at < word.length; at++) {
    const consonant = word[at] === 'y' && (at === 0 || isVowel(marked.charCodeAt(at - 1)));
    marked += consonant ? 'Y' : word[at];
  }
  return marked;
}

function firstRegion(word: string): number {
  const first = word.charCodeAt(0);
  for (const [code, start] of FIXED_REGION_STARTS) if (code === first && word.startsWith(start)) return start.length;
  return regionAfter(word, 0);
}

/** Behind the first consonant that follows a vowel, from `from` on. */
function regionAfter(word: string, from: number): number {
  for (let at = from + 1; at < word.length; at++)
    if (!isVowel(word.charCodeAt(at)) && isVowel(word.charCodeAt(at - 1))) return at + 1;
  return word.length;
}

function hasVowel(word: string, end: number): boolean {
  for (let at = 0; at < end; at++) if (isVowel(word.charCodeAt(at))) return true;
  return false;
}

/** A vowel between two consonants (the last not w, x or Y), or a vowel at the start with a consonant after it; at the end of the word. */
function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1;
  if (word === 'past') return true;
  if (last < 1 || isVowel(word.charCodeAt(last)) || !isVowel(word.charCodeAt(last - 1))) return false;
  if (last === 1) return true;
  return !isVowel(word.charCodeAt(last - 2)) && !'wxY'.includes(word[last] as string);
}

function withoutPossessive(word: string): string {
  if (!word.includes("'")) return word;
  for (const suffix of ["'s'", "'s", "'"]) if (word.endsWith(suffix)) return word.slice(0, -suffix.length);
  return word;
}

function withoutPlural(word: string): string {
  const { length } = word;
  const last = lastCode(word);
  if (last !== LETTER_S && last !== LETTER_D) return word;
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, length > 4 ? -2 : -1);
  if (!word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word;
  return hasVowel(word, length - 2) ? word.slice(0, -1) : word;
}

function withoutVerbEnding(word: string, r1: number): string {
  const last = lastCode(word);
  if (last !== LETTER_D && last !== LETTER_G && last !== LETTER_Y) return word;
  for (const suffix of ['eedly', 'eed'])
    if (word.endsWith(suffix)) {
      const start = word.length - suffix.length;
      return start >= r1 ? `${word.slice(0, start)}ee` : word;
    }
  for (const suffix of ['ingly', 'edly', 'ing', 'ed']) {
    if (!word.endsWith(suffix)) continue;
    const start = word.length - suffix.length;
    if (!hasVowel(word, start)) return word;
    const stem = word.slice(0, start);
    if (suffix === 'ing' && start === 2 && stem[1] === 'y' && !isVowel(stem.charCodeAt(0))) return `${stem[0]}ie`;
    if (stem.endsWith('at') || stem.endsWith('bl') || stem.endsWith('iz')) return `${stem}e`;
    if (DOUBLES.has(stem.slice(-2)))
      return stem.length === 3 && 'aeo'.includes(stem[0] as string) ? stem : stem.slice(0, -1);
    return r1 >= stem.length && endsInShortSyllable(stem) ? `${stem}e` : stem;
  }
  return word;
}

function withFinalI(word: string): string {
  const last = word.length - 1;
  if (last < 2 || (word[last] !== 'y' && word[last] !== 'Y') || isVowel(word.charCodeAt(last - 1))) return word;
  return `${word.slice(0, -1)}i`;
}

function withShorterSuffix(word: string, r1: number): string {
  for (const [suffix, by] of endingLike(word, SHORTER_SUFFIXES)) {
    if (!word.endsWith(suffix)) continue;
    const start = word.length - suffix.length;
    if (start < r1) return word;
    if (suffix === 'ogi' && word[start - 1] !== 'l') return word;
    if (suffix === 'li' && !BEFORE_LI.includes(word[start - 1] as string)) return word;
    return word.slice(0, start) + by;
  }
  return word;
}

function withoutAdjectiveEnding(word: string, r1: number, r2: number): string {
  for (const [suffix, by] of endingLike(word, ADJECTIVE_ENDINGS)) {
    if (!word.endsWith(suffix)) continue;
    const start = word.length - suffix.length;
    return start >= (suffix === 'ative' ? r2 : r1) ? word.slice(0, start) + by : word;
  }
  return word;
}

function withoutSuffix(word: string, r2: number): string {
  for (const [suffix] of endingLike(word, SUFFIXES)) {
    if (!word.endsWith(suffix)) continue;
    const start = word.length - suffix.length;
    const before = word[start - 1];
    const fits = start >= r2 && (suffix !== 'ion' || before === 's' || before === 't');
    return fits ? word.slice(0, start) : word;
  }
  return word;
}

function withoutFinalLetter(word: string, r1: number, r2: number): string {
  const last = word.length - 1;
  if (word[last] === 'l') return last >= r2 && word[last - 1] === 'l' ? word.slice(0, last) : word;
  if (word[last] !== 'e') return word;
  const stem = word.slice(0, last);
  return last >= r2 || (last >= r1 && !endsInShortSyllable(stem)) ? stem : word;
}
