import { bareWords, wordsIn } from './bare-words.ts';

/** What separates a headline from the name of its site; a colon may stand close to the word before it. */
const SEPARATOR = /(\s+[·•»«›‹~*—–:/-]+\s+|\s*\|+\s*|[:—]\s+)/;
/** Manuals put their name in brackets behind the title of the page. */
const BRACKETS = /^(.*\S)\s+\(((?:[^()]|\([^()]*\))+)\)$/;
/** Of a book: "3.2.", "Chapter 4.", "Appendix A.". */
const NUMBER =
  /^(?:(?:chapter|appendix|part|section|kapitel|anhang|teil)\s+\w{1,6}(?:\.|:|\s[–—-])?|\d+(?:\.\d+)*\.?|[A-Z]\.(?:\d+\.?)*)\s+/i;
const MANUAL = /\d+\.\d+|\b(?:documentation|manual|reference|api|docs|handbook|guide|wiki|dokumentation)\b/i;
const VERSION = /\d+\.\d+/;
/** Nothing but the name of a manual. */
const BOOK = /\d+\.\d+.*\b(?:documentation|manual|api|reference|docs)\b|\b(?:documentation|manual)$/i;
const MOST_PARTS = 12;
const SHORTEST_NAME = 3;
const MOST_HEADINGS = 20;

/** Whether a heading is the one of a numbered section. "10 ways to …" is not. */
export function isNumbered(heading: string): boolean {
  return NUMBER.test(heading) && !/^\d+\s/.test(heading);
}

/** How a heading lies in the `<title>` of its page. 'manual': at its end, as the name of a manual. */
export type TitlePlace = 'whole' | 'first' | 'later' | 'manual' | 'none';

/** The `<title>` of a page taken apart, to tell which of its headings is meant and what is the name of the site. */
export class TitleParts {
  readonly #whole: string;
  readonly #bare: string;
  /** Parts and what separates them, by turns. */
  readonly #parts: readonly string[];
  readonly #headings: readonly string[];
  readonly #longest: number;
  /** Of headings that were asked for. */
  readonly #known = new Map<string, TitlePlace>();
  #places: ReadonlyMap<string, TitlePlace | 'last'> | undefined;
  readonly #banners: readonly string[];

  /** `banners`: what the frame of the site says its name is. */
  constructor(whole: string, headings: readonly string[], banners: readonly string[]) {
    this.#whole = whole;
    this.#bare = bareWords(whole);
    const brackets = BRACKETS.exec(whole);
    this.#parts =
      brackets === null ? whole.split(SEPARATOR) : [...brackets[1].split(SEPARATOR), ' ', `(${brackets[2]})`];
    this.#headings = headings;
    // With the number of its section, and what the title leaves out between words.
    this.#longest = whole.length + 40;
    this.#banners = banners;
  }

  placeOf(heading: string): TitlePlace {
    let known = this.#known.get(heading);
    if (known === undefined) {
      const place = this.#placeOf(heading);
      known = place === 'last' ? (BOOK.test(heading) ? 'manual' : 'later') : place;
      this.#known.set(heading, known);
    }
    return known;
  }

  #placeOf(heading: string): TitlePlace | 'last' {
    if (heading.length > this.#longest) return 'none';
    // Most headings have not even a word of the title.
    const word = firstWord(heading);
    if (!this.#bare.includes(word) && !/\d/.test(word) && !NUMBER.test(heading)) return 'none';
    this.#places ??= placesOf(this.#whole, this.#parts);
    return this.#places.get(bareWords(heading)) ?? this.#places.get(bareWords(heading.replace(NUMBER, ''))) ?? 'none';
  }

  /**
   * The heading as the title has it: many leave the numbers of their sections out. Where styles draw what separates its words,
   * the heading runs them together, and the title does not.
   */
  formOf(heading: string): string {
    if (this.#bare === bareWords(heading) && wordCount(this.#whole) > wordCount(heading)) return this.#whole;
    const shorter = heading.replace(NUMBER, '');
    return shorter === heading || this.#bare.includes(bareWords(heading)) ? heading : shorter;
  }

  /**
   * The title without the last part, where that names the manual: a heading of the page says some of the rest and nothing of
   * that part, or it stands in brackets and speaks of a manual or a version.
   */
  withoutManual(): string {
    const count = this.#parts.length;
    if (count < 3) return this.#whole;
    const rest = this.#parts.slice(0, -2).join('').trim();
    const last = this.#parts[count - 1];
    if (this.#isBanner(last)) return rest;
    if (this.#isBanner(this.#parts[0])) return this.#parts.slice(2).join('').trim();
    const ours = wordSet(rest);
    const theirs = wordSet(last);
    if (ours.size === 0) return this.#whole;
    const versioned = VERSION.test(last);
    const named = this.#headings.slice(0, MOST_HEADINGS).some((text) => {
      const heading = wordSet(text);
      let shared = 0;
      for (const word of ours) if (heading.has(word)) shared++;
      // Of a manual that tells its version the name may stand in its headings, the version not.
      for (const word of theirs)
        if (heading.has(word) && !ours.has(word) && (!versioned || /\d/.test(word) || shared < ours.size)) return false;
      return shared * 2 >= ours.size;
    });
    const isManual = MANUAL.test(last) && (last.startsWith('(') || named);
    return isManual || (named && last.startsWith('(')) || (named && theirs.size <= 3) ? rest : this.#whole;
  }

  #isBanner(part: string): boolean {
    const bare = bareWords(part);
    return bare.length >= SHORTEST_NAME && this.#banners.some((banner) => bareWords(banner).startsWith(bare));
  }
}

/** Where each stretch of parts lies, by its bare words; the nearest to the whole counts. */
function placesOf(whole: string, parts: readonly string[]): ReadonlyMap<string, TitlePlace | 'last'> {
  const places = new Map<string, TitlePlace | 'last'>();
  const count = parts.length;
  const bare = parts.map((part, at) => (at % 2 === 0 ? bareWords(part) : ''));
  const add = (first: number, last: number, place: TitlePlace | 'last'): void => {
    const words = bare.slice(first, last).join('');
    if (words !== '' && !places.has(words)) places.set(words, place);
  };
  places.set(bareWords(whole), 'whole');
  if (count > 2 * MOST_PARTS) return places;
  for (let last = count - 2; last > 0; last -= 2) add(0, last, 'first');
  for (let first = 2; first < count; first += 2)
    for (let last = first + 1; last <= count; last += 2) add(first, last, last === count ? 'last' : 'later');
  places.delete('');
  return places;
}

/** In small letters; '' where there is none. */
function firstWord(text: string): string {
  let start = 0;
  while (start < text.length && !isAsciiWord(text.charCodeAt(start)) && text.charCodeAt(start) < 0x80) start++;
  let end = start;
  while (end < text.length && isAsciiWord(text.charCodeAt(end))) end++;
  // Other scripts have letters of their own.
  const isAscii = end === text.length || text.charCodeAt(end) < 0x80;
  const word = isAscii ? text.slice(start, end) : (/[\p{L}\p{N}]+/u.exec(text)?.[0] ?? '');
  return word.toLowerCase();
}

function isAsciiWord(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a && code < 0x80) || (code >= 0x30 && code <= 0x39);
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(wordsIn(text.toLowerCase()));
}

function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
