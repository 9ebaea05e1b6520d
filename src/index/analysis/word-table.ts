import { copyOf } from '../../base/code-units.ts';
import { NO_NOTE, NOTE_BITS, type RememberedWords, type WordOwners } from '../analyze.ts';
import type { TermOfWord } from './word-forms.ts';
import { firstPlace, hashOfShort, MOST_WORDS, NUMBER, OWNER, PLACE, SHAPE, SHORT, UNITS, WAYS } from './word-places.ts';

/** The shortest string that the engine keeps as a window on a longer one; such a key would hold the whole page in memory. */
const SHORTEST_WINDOW = 13;
const FEWEST_WORDS = 1024;
const PRIME = 0x01000193;
const HASH_START = 0x811c9dc5 | 0;

/** In the shape: the length in the lower bits, then the form. A place that nobody has is all zeros, and no word is empty. */
const LENGTH_BITS = 16;
const LENGTH_MASK = 2 ** LENGTH_BITS - 1;

/** Memory for so many places, all zeros. What it has given before may be lost. */
export type PlaceRoom = (places: number) => Int32Array<ArrayBuffer>;

/**
 * Remembers what became of a word, and finds it where it stands in a text, without making a string of it. Bounded: a word has
 * four places, and one that finds none takes that of another. So neither a page of rubbish nor words whose hashes are the same,
 * as somebody may choose them, can make a search long.
 */
export class WordTable implements RememberedWords, WordOwners {
  readonly #make: (word: string) => TermOfWord;
  readonly #limit: number;
  #room: PlaceRoom = (places) => new Int32Array(places * PLACE);
  #places: Int32Array<ArrayBuffer>;
  /** Those that are not short; '' for those that are, which lie in their places whole. */
  #longs: string[];
  #terms: string[];
  /** The units of a short word that is asked for, as they stand in its place. */
  readonly #asked = new Int32Array(SHORT / 4);
  readonly #askedUnits = new Uint8Array(this.#asked.buffer);
  #notes = new Uint32Array(1);
  #count = 0;
  #turn = 0;
  #moves = 0;
  #owners = 0;

  /** `limit`: words that are remembered at most, rounded up to a power of two. */
  constructor(make: (word: string) => TermOfWord, limit = MOST_WORDS) {
    this.#make = make;
    this.#limit = powerOfTwo(limit);
    const size = Math.min(FEWEST_WORDS, this.#limit);
    this.#places = this.#room(size);
    this.#longs = new Array<string>(size).fill('');
    this.#terms = new Array<string>(size).fill('');
  }

  /** Sets of places that words of the same hash share. */
  get sets(): number {
    return this.#terms.length / WAYS;
  }

  /** As long as this stays the same, every word that was found has the place that it had. */
  get moves(): number {
    return this.#moves;
  }

  /** The places lie there from now on. */
  moveTo(room: PlaceRoom): void {
    const places = this.#places;
    this.#room = room;
    this.#places = room(this.#terms.length);
    this.#places.set(places);
  }

  term(place: number): string {
    return this.#terms[place] as string;
  }

  form(place: number): number {
    return (this.#places[place * PLACE + SHAPE] as number) >>> LENGTH_BITS;
  }

  get owners(): WordOwners {
    return this;
  }

  newOwner(): number {
    return ++this.#owners;
  }

  noted(place: number, owner: number): number {
    const places = this.#places;
    return places[place * PLACE + OWNER] === owner ? (places[place * PLACE + NUMBER] as number) : -1;
  }

  notes(places: Uint32Array, count: number, owner: number): Uint32Array {
    if (count > this.#notes.length) this.#notes = new Uint32Array(2 * count);
    const notes = this.#notes;
    for (let i = 0; i < count; i++) {
      const number = this.noted(places[i], owner);
      notes[i] = number === -1 ? NO_NOTE : number | (this.form(places[i]) << NOTE_BITS);
    }
    return notes;
  }

  note(place: number, owner: number, number: number): void {
    this.#places[place * PLACE + OWNER] = owner;
    this.#places[place * PLACE + NUMBER] = number;
  }

  /** The place of a word, until the next one is asked for. */
  of(word: string): number {
    const { length } = word;
    let isShort = length <= SHORT;
    if (isShort) {
      this.#askAnew();
      for (let at = 0; at < length && isShort; at++) isShort = this.#ask(at, word.charCodeAt(at));
    }
    return isShort ? this.#findShort(word, 0, length) : this.#findLong(word, 0, length);
  }

  /** The same for a word that stands in a text. `units`: those of the text. */
  find(text: string, units: Uint16Array, start: number, end: number): number {
    let isShort = end - start <= SHORT;
    if (isShort) {
      this.#askAnew();
      for (let at = start; at < end && isShort; at++) isShort = this.#ask(at - start, units[at] as number);
    }
    return isShort ? this.#findShort(text, start, end) : this.#findLong(text, start, end);
  }

  /** One by one: a call of the engine takes longer. */
  #askAnew(): void {
    const asked = this.#asked;
    asked[0] = 0;
    asked[1] = 0;
    asked[2] = 0;
    asked[3] = 0;
  }

  /** Whether a word with this code unit may be a short one. */
  #ask(at: number, code: number): boolean {
    this.#askedUnits[at] = code;
    return code > 0 && code <= 0xff;
  }

  #findShort(text: string, start: number, end: number): number {
    const places = this.#places;
    const asked = this.#asked;
    const hash = hashOfShort(asked);
    const set = firstPlace(hash, this.sets);
    for (let place = set; place < set + WAYS; place++) {
      const at = place * PLACE + UNITS / 4;
      if (
        places[at] === asked[0] &&
        places[at + 1] === asked[1] &&
        places[at + 2] === asked[2] &&
        places[at + 3] === asked[3]
      )
        return place;
    }
    return this.#add(text.substring(start, end), hash, true);
  }

  #findLong(text: string, start: number, end: number): number {
    const places = this.#places;
    const length = Math.min(end - start, LENGTH_MASK);
    let hash = HASH_START;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
    const set = firstPlace(hash, this.sets);
    for (let place = set; place < set + WAYS; place++) {
      const at = place * PLACE;
      if (places[at] !== hash || ((places[at + SHAPE] as number) & LENGTH_MASK) !== length) continue;
      if (!this.#isShort(place) && isAt(this.#longs[place] as string, text, start, end)) return place;
    }
    return this.#add(text.substring(start, end), hash, false);
  }

  /** No short word begins with zeros. */
  #isShort(place: number): boolean {
    return this.#places[place * PLACE + UNITS / 4] !== 0;
  }

  /** A short one is what was asked for last. */
  #add(word: string, hash: number, isShort: boolean): number {
    const key = word.length >= SHORTEST_WINDOW ? copyOf(word) : word;
    const { term, form } = this.#make(key);
    const size = this.#terms.length;
    if (this.#count > size / 4 && size < this.#limit) this.#grow();
    const place = this.#newPlace(hash);
    const places = this.#places;
    const at = place * PLACE;
    places[at] = hash;
    this.note(place, 0, 0);
    places[at + SHAPE] = Math.min(word.length, LENGTH_MASK) | (form << LENGTH_BITS);
    for (let i = 0; i < SHORT / 4; i++) places[at + UNITS / 4 + i] = isShort ? this.#asked[i] : 0;
    this.#longs[place] = isShort ? '' : key;
    this.#terms[place] = term;
    return place;
  }

  /** One that nobody has, or else that of another. */
  #newPlace(hash: number): number {
    const set = firstPlace(hash, this.sets);
    let place = set;
    while (place < set + WAYS && this.#places[place * PLACE + SHAPE] !== 0) place++;
    if (place < set + WAYS) this.#count++;
    else {
      place = set + (this.#turn++ % WAYS);
      this.#moves++;
    }
    return place;
  }

  #grow(): void {
    this.#moves++;
    const [longs, terms] = [this.#longs, this.#terms];
    const places = this.#places.slice();
    const size = 2 * terms.length;
    this.#places = this.#room(size);
    this.#longs = new Array<string>(size).fill('');
    this.#terms = new Array<string>(size).fill('');
    this.#count = 0;
    for (let place = 0; place < terms.length; place++) {
      const at = place * PLACE;
      if (places[at + SHAPE] === 0) continue;
      const moved = this.#newPlace(places[at] as number);
      for (let i = 0; i < PLACE; i++) this.#places[moved * PLACE + i] = places[at + i];
      this.#longs[moved] = longs[place] as string;
      this.#terms[moved] = terms[place] as string;
    }
  }
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
