import { type EmitRemembered, NO_NOTE, NOTE_BITS, type RememberedWords, type WordOwners } from '../analyze.ts';
import { NameSlots } from './name-slots.ts';
import type { TokenSink } from './token.ts';
import type { WordTable } from './word-table.ts';

/** Names that are remembered at first, and at most: powers of two. */
const FEWEST_SLOTS = 1 << 11;
const MOST_SLOTS = 1 << 16;
/** Longer ones, and those of more tokens, seldom come again. */
export const LONGEST_NAME = 48;
export const MOST_TOKENS = 10;
const PRIME = 0x01000193;
const HASH_START = 0x811c9dc5 | 0;

/**
 * Remembers which tokens are in a name such as `getElementById`, `java.util.List` or `state-of-the-art`: to take one apart takes as long as to
 * look up ten words, and texts that have names have the same ones again and again. Each name has one slot, where another may come
 * in its place, unless it came again meanwhile. The tokens are told from here as words of their own, so that those of a name are found
 * side by side, whatever the words have forgotten.
 */
export class RememberedNames implements RememberedWords {
  readonly #words: WordTable;
  readonly #tokenize: (text: string, sink: TokenSink) => number;
  readonly #take: EmitRemembered;
  #slots = new NameSlots(FEWEST_SLOTS, LONGEST_NAME, MOST_TOKENS);
  readonly #taken = new Uint32Array(MOST_TOKENS);
  readonly #notes = new Uint32Array(MOST_TOKENS);
  /** The slot of the name that was taken apart last, and its tokens. */
  #apart = -1;
  #tokens: string[] = [];
  #offsets: number[] = [];
  /** Where the words have these, as long as none of them has moved since. */
  readonly #wordPlaces = new Uint32Array(MOST_TOKENS);
  #movesThen = -1;
  readonly #note: TokenSink = (token, position) => {
    this.#tokens.push(token);
    this.#offsets.push(position);
  };

  /** `tokenize` of a text that is a name and nothing else. */
  constructor(words: WordTable, tokenize: (text: string, sink: TokenSink) => number, take: EmitRemembered) {
    this.#words = words;
    this.#tokenize = tokenize;
    this.#take = take;
  }

  /** Takes the name that stands there, which is ASCII. Returns how many positions it takes; -1 where it is left to be read as any other text. */
  read(units: Uint16Array, start: number, end: number, position: number): number {
    let hash = HASH_START;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ units[at], PRIME);
    let slot = this.#slots.of(hash);
    if (this.#slots.isAt(slot, units, start, end)) this.#slots.uses[slot] = 1;
    else if (this.#slots.uses[slot] === 0) slot = this.#put(hash, units, start, end);
    else {
      // The next one that comes takes the place, unless the name that has it comes before.
      this.#slots.uses[slot] = 0;
      return -1;
    }
    const slots = this.#slots;
    const count = slots.counts[slot];
    if (count === 0) return -1;
    const first = slot * MOST_TOKENS;
    const taken = this.#taken;
    for (let i = 0; i < count; i++) taken[i] = first + i;
    this.#take(this, taken, count, position, slots.offsets);
    return slots.positions[slot];
  }

  term(place: number): string {
    return this.#words.term(this.#wordAt(place));
  }

  form(place: number): number {
    return this.#slots.forms[place];
  }

  get owners(): WordOwners {
    return this.#words;
  }

  noted(place: number, owner: number): number {
    const known = this.#slots.noted(place, owner);
    return known === -1 ? this.#notedOfWord(place, owner) : known;
  }

  /** Of the tokens of one name. */
  notes(places: Uint32Array, count: number, owner: number): Uint32Array {
    const notes = this.#notes;
    const slots = this.#slots;
    const isNoted = slots.hasNoted(places[0], owner);
    for (let i = 0; i < count; i++) {
      const place = places[i];
      let number = isNoted ? slots.numbers[place] : -1;
      if (number === -1) number = this.#notedOfWord(place, owner);
      notes[i] = number === -1 ? NO_NOTE : number | (slots.forms[place] << NOTE_BITS);
    }
    return notes;
  }

  note(place: number, owner: number, number: number): void {
    this.#slots.note(place, owner, number);
    this.#words.note(this.#wordAt(place), owner, number);
  }

  /** Mostly another name or text has brought the word before. */
  #notedOfWord(place: number, owner: number): number {
    const number = this.#words.noted(this.#wordAt(place), owner);
    if (number !== -1) this.#slots.note(place, owner, number);
    return number;
  }

  /** Where the words have the token now. */
  #wordAt(place: number): number {
    const slot = (place / MOST_TOKENS) | 0;
    if (slot !== this.#apart) this.#takeApart(slot);
    const at = place - slot * MOST_TOKENS;
    return this.#words.moves === this.#movesThen ? this.#wordPlaces[at] : this.#words.of(this.#tokens[at]);
  }

  /** Returns the slot that the name has now. */
  #put(hash: number, units: Uint16Array, start: number, end: number): number {
    if (this.#slots.isFull && this.#slots.size < MOST_SLOTS) this.#slots = this.#slots.enlarged(hashOf);
    const slots = this.#slots;
    const slot = slots.of(hash);
    slots.put(slot, units, start, end);
    const positions = this.#takeApart(slot);
    const tokens = this.#tokens;
    // One of more is left to be read as any other text.
    if (tokens.length > MOST_TOKENS) return slot;
    const words = this.#words;
    const { moves } = words;
    for (let i = 0; i < tokens.length; i++) {
      const place = slot * MOST_TOKENS + i;
      const word = words.of(tokens[i]);
      slots.offsets[place] = this.#offsets[i];
      slots.forms[place] = words.form(word);
      this.#wordPlaces[i] = word;
    }
    if (words.moves === moves) this.#movesThen = moves;
    slots.counts[slot] = tokens.length;
    slots.positions[slot] = positions;
    return slot;
  }

  /** Returns how many positions the name takes. */
  #takeApart(slot: number): number {
    this.#apart = slot;
    this.#movesThen = -1;
    this.#tokens = [];
    this.#offsets = [];
    return this.#tokenize(this.#slots.text(slot), this.#note);
  }
}

function hashOf(bytes: Uint8Array): number {
  let hash = HASH_START;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, PRIME);
  return hash;
}
