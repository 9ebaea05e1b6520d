import { fourTimes, holds } from './four-bytes.ts';
import type { KnownTag } from './known-tag.ts';

/** Powers of two. A site has some hundred tags that come again and again; nine of ten tags are among them. */
const SLOTS = 2048;
/** Bytes of the longest tag that is kept. */
const LONGEST = 128;
const MOST_FOURS = LONGEST / 4;
const GREATER_THAN = 0x3e;
const FOUR_GREATER_THAN = fourTimes(GREATER_THAN);

/**
 * The start tags that documents have in common, by their bytes: the pages of a site are written by one template. A tag is kept when it
 * comes for the second time, so that the many that come once displace nothing. One per thread.
 */
export class TagMemory {
  readonly #tags: (KnownTag | undefined)[] = [];
  /** Of the tag in each slot: its bytes without the brackets, by fours and then those that are left, and how many they are. */
  readonly #fours = new Int32Array(SLOTS * MOST_FOURS);
  readonly #lengths = new Uint8Array(SLOTS);
  /** The hash of the last tag that was met there and not kept. */
  readonly #met = new Int32Array(SLOTS);
  /** Whether the tag in each slot was met since another one wanted its place. */
  readonly #isUsed = new Uint8Array(SLOTS);
  /** Of the tag that was looked for last, without its brackets; 0 where it is too long to be kept. */
  length = 0;
  #hash = 0;
  #slot = 0;
  /** Its last bytes, fewer than four. */
  #rest = 0;

  constructor() {
    for (let slot = 0; slot < SLOTS; slot++) this.#tags.push(undefined);
  }

  /** The tag whose name begins at `start`, if it is kept. It reaches up to the first `>`. */
  find(view: DataView, start: number): KnownTag | undefined {
    const stop = Math.min(view.byteLength, start + LONGEST);
    let hash = 0;
    let at = start;
    for (; at + 4 <= stop; at += 4) {
      const four = view.getInt32(at, true);
      if (holds(four, FOUR_GREATER_THAN)) break;
      hash = Math.imul(hash ^ four, 0x01000193);
      // What the higher bytes say must reach the lower ones.
      hash ^= hash >>> 15;
    }
    let rest = 0;
    for (; at < stop; at++) {
      const code = view.getUint8(at);
      if (code === GREATER_THAN) break;
      rest = (rest << 8) | code;
    }
    const length = at === stop ? 0 : at - start;
    hash = Math.imul(hash ^ rest, 0x01000193);
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    this.length = length;
    if (length === this.#lengths[slot] && length !== 0 && this.#isSame(view, start, slot, rest)) {
      this.#isUsed[slot] = 1;
      return this.#tags[slot];
    }
    this.#hash = hash;
    this.#slot = slot;
    this.#rest = rest;
    return undefined;
  }

  /** Whether to keep the tag that was looked for last and turned out to have this length, without its brackets. */
  wants(length: number): boolean {
    if (length !== this.length || length === 0) return false;
    const slot = this.#slot;
    const isKnown = this.#met[slot] === this.#hash;
    this.#met[slot] = this.#hash;
    if (!isKnown) return false;
    const isFree = this.#isUsed[slot] === 0;
    this.#isUsed[slot] = 0;
    return isFree;
  }

  /** Keeps that tag, which begins at `start`. */
  keep(tag: KnownTag, view: DataView, start: number): void {
    const slot = this.#slot;
    this.#tags[slot] = tag;
    this.#lengths[slot] = this.length;
    const fours = this.length >>> 2;
    for (let four = 0; four < fours; four++)
      this.#fours[slot * MOST_FOURS + four] = view.getInt32(start + 4 * four, true);
    this.#fours[slot * MOST_FOURS + fours] = this.#rest;
  }

  #isSame(view: DataView, start: number, slot: number, rest: number): boolean {
    const kept = this.#fours;
    const end = start + (this.#lengths[slot] & ~3);
    let place = slot * MOST_FOURS;
    for (let at = start; at < end; at += 4) if (kept[place++] !== view.getInt32(at, true)) return false;
    return kept[place] === rest;
  }
}
