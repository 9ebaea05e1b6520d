import { copyOf } from '../../base/code-units.ts';

/** The shortest string that the engine keeps as a window on a longer one; such a key would hold the whole page in memory. */
const SHORTEST_WINDOW = 13;
/** Places that a word can have. */
const WAYS = 4;
const FEWEST_WORDS = 1024;
/** Words up to this length are compared by their code units, which lie side by side. */
const SHORT = 16;
const PRIME = 0x01000193;

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
export class TermCache<Made> {
  readonly #make: (word: string) => Made;
  readonly #limit: number;
  #hashes: Int32Array;
  #words: string[];
  /** The code units of short words. */
  #units: Uint16Array;
  /** How long each word is; 255 for all that are longer. */
  #lengths: Uint8Array;
  #made: (Made | undefined)[];
  readonly #asked = new Uint16Array(SHORT);
  #count = 0;
  #turn = 0;

  /** `limit`: words that are remembered at most, rounded up to a power of four. */
  constructor(make: (word: string) => Made, limit = 1 << 16) {
    this.#make = make;
    this.#limit = powerOfFour(limit);
    const size = Math.min(FEWEST_WORDS, this.#limit);
    this.#hashes = new Int32Array(size);
    this.#words = new Array<string>(size).fill('');
    this.#units = new Uint16Array(size * SHORT);
    this.#lengths = new Uint8Array(size);
    this.#made = new Array<Made | undefined>(size).fill(undefined);
  }

  of(word: string): Made {
    let hash = HASH_START;
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at);
      hash = hashWith(hash, code);
      if (at < SHORT) this.#asked[at] = code;
    }
    return this.find(word, this.#asked, 0, word.length, hash);
  }

  /** The same for a word that stands in a text, with its hash. `units`: those of the text; of a long word they do not matter. */
  find(text: string, units: Uint16Array, start: number, end: number, hash: number): Made {
    const hashes = this.#hashes;
    const set = placeOf(hash, hashes.length);
    for (let place = set; place < set + WAYS; place++) {
      if (hashes[place] !== hash) continue;
      const made = this.#made[place];
      if (made !== undefined && this.#isAt(place, text, units, start, end)) return made;
    }
    return this.#add(text.substring(start, end), hash);
  }

  #isAt(place: number, text: string, units: Uint16Array, start: number, end: number): boolean {
    const length = end - start;
    if (length > SHORT) return isAt(this.#words[place], text, start, end);
    if (this.#lengths[place] !== length) return false;
    const kept = this.#units;
    const first = place * SHORT - start;
    for (let at = start; at < end; at++) if (kept[first + at] !== units[at]) return false;
    return true;
  }

  #add(word: string, hash: number): Made {
    const key = word.length >= SHORTEST_WINDOW ? copyOf(word) : word;
    const made = this.#make(key);
    if (this.#count > this.#hashes.length / 2 && this.#hashes.length < this.#limit) this.#grow();
    this.#put(key, hash, made);
    return made;
  }

  #put(word: string, hash: number, made: Made): void {
    const set = placeOf(hash, this.#hashes.length);
    let place = set;
    while (place < set + WAYS && this.#made[place] !== undefined) place++;
    if (place === set + WAYS) place = set + (this.#turn++ % WAYS);
    else this.#count++;
    this.#hashes[place] = hash;
    this.#words[place] = word;
    this.#lengths[place] = Math.min(word.length, 0xff);
    if (word.length <= SHORT)
      for (let at = 0; at < word.length; at++) this.#units[place * SHORT + at] = word.charCodeAt(at);
    this.#made[place] = made;
  }

  #grow(): void {
    const [hashes, words, made] = [this.#hashes, this.#words, this.#made];
    const size = hashes.length * 4;
    this.#hashes = new Int32Array(size);
    this.#words = new Array<string>(size).fill('');
    this.#units = new Uint16Array(size * SHORT);
    this.#lengths = new Uint8Array(size);
    this.#made = new Array<Made | undefined>(size).fill(undefined);
    this.#count = 0;
    for (let place = 0; place < hashes.length; place++) {
      const held = made[place];
      if (held !== undefined) this.#put(words[place] as string, hashes[place] as number, held);
    }
  }
}

/** The first place of a hash among so many. Its upper bits say more of the word than the lower ones. */
function placeOf(hash: number, size: number): number {
  return ((hash ^ (hash >>> 15)) & (size / WAYS - 1)) * WAYS;
}

function isAt(word: string | undefined, text: string, start: number, end: number): boolean {
  if (word === undefined || word.length !== end - start) return false;
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
}

function powerOfFour(least: number): number {
  let size = WAYS;
  while (size < least) size *= 4;
  return size;
}
