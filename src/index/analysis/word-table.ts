import { copyOf } from '../../base/code-units.ts';
import type { RememberedWords } from '../analyze.ts';
import type { TermOfWord } from './word-forms.ts';

/** The shortest string that the engine keeps as a window on a longer one; such a key would hold the whole page in memory. */
const SHORTEST_WINDOW = 13;
/** Places that a word can have. */
const WAYS = 4;
const FEWEST_WORDS = 1024;
const PRIME = 0x01000193;

/**
 * What is needed of a word for most of its occurrences lies side by side, in half a line of the processor's cache: waiting for memory is
 * what looking words up costs. 32-bit words of a place: hash, owner and number of a note, length and form, and 16 code units.
 */
const PLACE = 8;
const OWNER = 1;
const NUMBER = 2;
const SHAPE = 3;
/** In bytes. */
const UNITS = 16;
/** Longer words, and those with code units of two bytes, are compared as strings. */
const SHORT = 16;
/** In the shape: the length in the lower bits, then the form. A place that nobody has is all zeros, and no word is empty. */
const LENGTH_BITS = 16;
const LENGTH_MASK = 2 ** LENGTH_BITS - 1;

/** The hash of a text of code units, begun with `HASH_START` and told one by one. */
export const HASH_START = 0x811c9dc5 | 0;
export function hashWith(hash: number, code: number): number {
  return Math.imul(hash ^ code, PRIME);
}

/**
 * Remembers what became of a word, and finds it where it stands in a text, without making a string of it. Bounded: a word has
 * four places, and one that finds none takes that of another. So neither a page of rubbish nor words whose hashes are the same,
 * as somebody may choose them, can make a search long.
 */
export class WordTable implements RememberedWords {
  readonly #make: (word: string) => TermOfWord;
  readonly #limit: number;
  #places: Int32Array<ArrayBuffer>;
  /** The same memory byte by byte. */
  #bytes: Uint8Array;
  #words: string[];
  #terms: string[];
  readonly #asked = new Uint16Array(SHORT);
  #count = 0;
  #turn = 0;
  #owners = 0;

  /** `limit`: words that are remembered at most, rounded up to a power of two. */
  constructor(make: (word: string) => TermOfWord, limit = 1 << 16) {
    this.#make = make;
    this.#limit = powerOfTwo(limit);
    const size = Math.min(FEWEST_WORDS, this.#limit);
    this.#places = new Int32Array(size * PLACE);
    this.#bytes = new Uint8Array(this.#places.buffer);
    this.#words = new Array<string>(size).fill('');
    this.#terms = new Array<string>(size).fill('');
  }

  term(place: number): string {
    return this.#terms[place] as string;
  }

  form(place: number): number {
    return (this.#places[place * PLACE + SHAPE] as number) >>> LENGTH_BITS;
  }

  newOwner(): number {
    return ++this.#owners;
  }

  noted(place: number, owner: number): number {
    const places = this.#places;
    return places[place * PLACE + OWNER] === owner ? (places[place * PLACE + NUMBER] as number) : -1;
  }

  note(place: number, owner: number, number: number): void {
    this.#places[place * PLACE + OWNER] = owner;
    this.#places[place * PLACE + NUMBER] = number;
  }

  /** The place of a word, until the next one is asked for. */
  of(word: string): number {
    let hash = HASH_START;
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at);
      hash = hashWith(hash, code);
      if (at < SHORT) this.#asked[at] = code;
    }
    return this.find(word, this.#asked, 0, word.length, hash);
  }

  /** The same for a word that stands in a text, with its hash. `units`: those of the text; of a long word they do not matter. */
  find(text: string, units: Uint16Array, start: number, end: number, hash: number): number {
    const places = this.#places;
    const length = end - start;
    const set = firstPlace(hash, places.length / PLACE);
    for (let place = set; place < set + WAYS; place++) {
      const at = place * PLACE;
      if (places[at] !== hash || ((places[at + SHAPE] as number) & LENGTH_MASK) !== Math.min(length, LENGTH_MASK))
        continue;
      const isThis = this.#isLong(place)
        ? isAt(this.#words[place] as string, text, start, end)
        : this.#isAt(4 * at + UNITS, units, start, end);
      if (isThis) return place;
    }
    return this.#add(text.substring(start, end), hash);
  }

  #isAt(first: number, units: Uint16Array, start: number, end: number): boolean {
    const bytes = this.#bytes;
    for (let at = start; at < end; at++) if (bytes[first - start + at] !== units[at]) return false;
    return true;
  }

  /** Its first byte says so: no short word begins with 0. */
  #isLong(place: number): boolean {
    return this.#bytes[4 * place * PLACE + UNITS] === 0;
  }

  #add(word: string, hash: number): number {
    const key = word.length >= SHORTEST_WINDOW ? copyOf(word) : word;
    const made = this.#make(key);
    const size = this.#words.length;
    if (this.#count > size / 4 && size < this.#limit) this.#grow();
    return this.#put(key, hash, made);
  }

  #put(word: string, hash: number, { term, form }: TermOfWord): number {
    const set = firstPlace(hash, this.#words.length);
    let place = set;
    while (place < set + WAYS && this.#words[place] !== '') place++;
    if (place === set + WAYS) place = set + (this.#turn++ % WAYS);
    else this.#count++;
    const at = place * PLACE;
    this.#places[at] = hash;
    this.note(place, 0, 0);
    this.#places[at + SHAPE] = Math.min(word.length, LENGTH_MASK) | (form << LENGTH_BITS);
    const isShort = word.length <= SHORT && hasOneByteUnits(word);
    for (let unit = 0; unit < SHORT; unit++)
      this.#bytes[4 * at + UNITS + unit] = isShort && unit < word.length ? word.charCodeAt(unit) : 0;
    this.#words[place] = word;
    this.#terms[place] = term;
    return place;
  }

  #grow(): void {
    const [places, words, terms] = [this.#places, this.#words, this.#terms];
    const size = 2 * words.length;
    this.#places = new Int32Array(size * PLACE);
    this.#bytes = new Uint8Array(this.#places.buffer);
    this.#words = new Array<string>(size).fill('');
    this.#terms = new Array<string>(size).fill('');
    this.#count = 0;
    for (const [place, word] of words.entries()) {
      if (word === '') continue;
      const form = (places[place * PLACE + SHAPE] as number) >>> LENGTH_BITS;
      const moved = this.#put(word, places[place * PLACE] as number, { term: terms[place] as string, form });
      this.note(moved, places[place * PLACE + OWNER] as number, places[place * PLACE + NUMBER] as number);
    }
  }
}

/** The first place of a hash among so many. Its upper bits say more of the word than the lower ones. */
function firstPlace(hash: number, size: number): number {
  return ((hash ^ (hash >>> 15)) & (size / WAYS - 1)) * WAYS;
}

function hasOneByteUnits(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (code === 0 || code > 0xff) return false;
  }
  return true;
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
}

function powerOfTwo(least: number): number {
  let size = WAYS;
  while (size < least) size *= 2;
  return size;
}
