/** What separates a headline from the name of its site; a colon may stand close to the word before it. */
const SEPARATOR = /(\s+[·•»«›‹~*—–:/-]+\s+|\s*\|+\s*|[:—]\s+)/;
/** Manuals put their name in brackets behind the title of the page. */
const BRACKETS = /^(.*\S)\s+\(((?:[^()]|\([^()]*\))+)\)$/;
/** Of a book: "3.2.", "Chapter 4.", "Appendix A.". */
const NUMBER =
  /^(?:(?:chapter|appendix|part|section|kapitel|anhang|teil)\s+\w{1,6}(?:\.|:|\s[–—-])?|\d+(?:\.\d+)*\.?|[A-Z]\.(?:\d+\.?)*)\s+/i;
const MANUAL = /\d+\.\d+|\b(?:documentation|manual|reference|api|docs|handbook|guide|wiki|dokumentation)\b/i;
/** Nothing but the name of a manual. */
const BOOK = /\d+\.\d+.*\b(?:documentation|manual|api|reference|docs)\b|\b(?:documentation|manual)$/i;
const MOST_PARTS = 12;
const SHORTEST_NAME = 3;

/** Whether a heading is the one of a numbered section. "10 ways to …" is not. */
export function isNumbered(heading: string): boolean {
  return NUMBER.test(heading) && !/^\d+\s/.test(heading);
}

/** How a heading lies in the `<title>` of its page. 'manual': at its end, as the name of a manual. */
export type TitlePlace = 'whole' | 'first' | 'later' | 'manual' | 'none';

/** The `<title>` of a page taken apart, to tell which of its headings is meant and what is the name of the site. */
export class TitleParts {
  readonly #whole: string;
  /** Parts and what separates them, by turns. */
  readonly #parts: readonly string[];
  readonly #headings: readonly ReadonlySet<string>[];
  readonly #banners: readonly string[];

  /** `banners`: what the frame of the site says its name is. */
  constructor(whole: string, headings: readonly string[], banners: readonly string[]) {
    this.#whole = whole;
    const brackets = BRACKETS.exec(whole);
    this.#parts =
      brackets === null ? whole.split(SEPARATOR) : [...brackets[1].split(SEPARATOR), ' ', `(${brackets[2]})`];
    this.#headings = headings.map(wordsIn);
    this.#banners = banners.map(bareWords);
  }

  placeOf(heading: string): TitlePlace {
    const wanted = bareWords(heading);
    const plain = bareWords(heading.replace(NUMBER, ''));
    if (wanted === '') return 'none';
    const same = (text: string): boolean => {
      const bare = bareWords(text);
      return bare === wanted || bare === plain;
    };
    if (same(this.#whole)) return 'whole';
    const count = this.#parts.length;
    if (count > 2 * MOST_PARTS) return 'none';
    for (let last = count - 2; last > 0; last -= 2) if (same(this.#parts.slice(0, last).join(''))) return 'first';
    for (let first = 2; first < count; first += 2)
      for (let last = first + 1; last <= count; last += 2)
        if (same(this.#parts.slice(first, last).join('')))
          return last === count && BOOK.test(heading) ? 'manual' : 'later';
    return 'none';
  }

  /** The heading as the title has it: many leave the numbers of their sections out. */
  formOf(heading: string): string {
    const shorter = heading.replace(NUMBER, '');
    return shorter === heading || bareWords(this.#whole).includes(bareWords(heading)) ? heading : shorter;
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
    const ours = wordsIn(rest);
    const theirs = wordsIn(last);
    if (ours.size === 0) return this.#whole;
    const named = this.#headings.some((heading) => {
      let shared = 0;
      for (const word of ours) if (heading.has(word)) shared++;
      for (const word of theirs) if (heading.has(word) && !ours.has(word)) return false;
      return shared * 2 >= ours.size;
    });
    const isManual = MANUAL.test(last) && (last.startsWith('(') || named);
    return isManual || (named && last.startsWith('(')) || (named && theirs.size <= 3) ? rest : this.#whole;
  }

  #isBanner(part: string): boolean {
    const bare = bareWords(part);
    return bare.length >= SHORTEST_NAME && this.#banners.some((banner) => banner.startsWith(bare));
  }
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function bareWords(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
