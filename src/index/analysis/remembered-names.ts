import type { TokenSink } from './token.ts';
import type { WordTable } from './word-table.ts';

/** Names that are remembered: a power of two. */
const SLOTS = 1 << 13;
const MET = 1 << 14;
/** Longer ones seldom come again. */
export const LONGEST_NAME = 48;
const PRIME = 0x01000193;
const HASH_START = 0x811c9dc5 | 0;

interface Name {
  /** As the words have them: to compare strings takes no time where they are the same one. */
  readonly tokens: string[];
  /** Positions of the tokens behind that of the name. */
  readonly offsets: readonly number[];
  /** Where the words have had each token last. */
  readonly places: number[];
  /** How many positions it takes. */
  readonly positions: number;
}

/** Takes tokens of a text one by one, without their places in it. */
export type TakePlace = (place: number, position: number) => void;

/**
 * Remembers which tokens are in a name such as `getElementById`, `java.util.List` or `state-of-the-art`: to take one apart takes as long as to
 * look up ten words, and texts that have names have the same ones again and again. Each name has one slot, where another may come
 * in its place.
 */
export class RememberedNames {
  readonly #words: WordTable;
  readonly #tokenize: (text: string, sink: TokenSink) => number;
  readonly #take: TakePlace;
  /** By slot; the characters of each, and how many they are. */
  readonly #names = new Array<Name | undefined>(SLOTS).fill(undefined);
  readonly #bytes = new Uint8Array(SLOTS * LONGEST_NAME);
  readonly #lengths = new Uint8Array(SLOTS);
  /** Of names that came once: many never come again, and are not worth it. */
  readonly #met = new Int32Array(MET);
  /** Of the name that is taken apart. */
  #tokens: string[] = [];
  #offsets: number[] = [];
  readonly #note: TokenSink = (token, position) => {
    this.#tokens.push(token);
    this.#offsets.push(position);
  };

  /** `tokenize` of a text that is a name and nothing else. */
  constructor(words: WordTable, tokenize: (text: string, sink: TokenSink) => number, take: TakePlace) {
    this.#words = words;
    this.#tokenize = tokenize;
    this.#take = take;
  }

  /** Takes the name that stands there, which is ASCII. Returns how many positions it takes; -1 where it is left to be read as any other text. */
  read(text: string, units: Uint16Array, start: number, end: number, position: number): number {
    let hash = HASH_START;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ units[at], PRIME);
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    if (this.#lengths[slot] !== end - start || !this.#isAt(slot, units, start, end)) {
      const met = hash & (MET - 1);
      if (this.#met[met] !== hash) {
        this.#met[met] = hash;
        return -1;
      }
      this.#put(slot, text, units, start, end);
    }
    const { tokens, offsets, places, positions } = this.#names[slot] as Name;
    const words = this.#words;
    for (let i = 0; i < tokens.length; i++) {
      if (words.word(places[i]) !== tokens[i]) {
        places[i] = words.of(tokens[i]);
        tokens[i] = words.word(places[i]);
      }
      this.#take(places[i], position + offsets[i]);
    }
    return positions;
  }

  #isAt(slot: number, units: Uint16Array, start: number, end: number): boolean {
    const bytes = this.#bytes;
    const from = slot * LONGEST_NAME;
    for (let at = start; at < end; at++) if (bytes[from + at - start] !== units[at]) return false;
    return true;
  }

  #put(slot: number, text: string, units: Uint16Array, start: number, end: number): void {
    for (let at = start; at < end; at++) this.#bytes[slot * LONGEST_NAME + at - start] = units[at];
    this.#lengths[slot] = end - start;
    this.#names[slot] = this.#takeApart(text.slice(start, end));
  }

  #takeApart(part: string): Name {
    // A window on the text would hold all of it in memory.
    const text = String.fromCharCode(...Array.from(part, (character) => character.charCodeAt(0)));
    this.#tokens = [];
    this.#offsets = [];
    const positions = this.#tokenize(text, this.#note);
    return { tokens: this.#tokens, offsets: this.#offsets, places: this.#tokens.map(() => 0), positions };
  }
}
