import { type Comparison, type Content, contentAt, isSameToTheEye } from './page-content.ts';

const CAPACITY = 32;
const START = 8;
const STRIDE = 7;
/** Places of an entry after its content. */
const PATH = 5;
const MARKS = 6;

const AGREES = 1;
const EXACT = 2;
/** Both sides had the path in their samples, so that it would have been compared whatever it held. */
const SAMPLED = 4;
/** Unlike every other content that the two agree on. */
const DISTINCT = 8;

export interface EvidenceTally {
  /** Paths with the same content on both sides, and those with another. */
  readonly matches: number;
  readonly mismatches: number;
  /** Matches with contents of their own: an error page shown everywhere counts once. */
  readonly distinct: number;
  readonly exact: number;
  readonly sampledMatches: number;
}

/** The latest comparisons of two origins, path by path: bounded, so that what was true long ago gives way. */
export class PairEvidence {
  #entries = new Uint32Array(START * STRIDE);
  #size = 0;
  #next = 0;
  /** The latest comparisons as bits, 1 for a mismatch, the newest lowest. */
  #history = 0;

  get size(): number {
    return this.#size;
  }

  /** Mismatches among the latest `of` comparisons (at most 32). */
  recentMismatches(of: number): number {
    let bits = of >= 32 ? this.#history : this.#history & ((1 << of) - 1);
    let count = 0;
    for (; bits !== 0; bits &= bits - 1) count++;
    return count;
  }

  add(path: number, content: Content, comparison: Exclude<Comparison, 'none'>, sampled: boolean): void {
    let at = this.#find(path);
    const before = at < 0 ? 0 : this.#entries[at + MARKS];
    const agrees = comparison !== 'different';
    let marks = sampled ? SAMPLED : 0;
    if (agrees) marks |= AGREES | (comparison === 'same' ? EXACT : 0) | (this.#isDistinct(content, at) ? DISTINCT : 0);
    // The same said again is no news.
    if (at < 0 || (before & AGREES) !== (marks & AGREES)) this.#history = (this.#history << 1) | (agrees ? 0 : 1);
    if (at < 0) at = this.#place();
    const { digest, low, high, seconds, flags } = content;
    this.#entries.set([digest, low, high, seconds, flags, path, marks], at);
  }

  outcome(path: number): 'agrees' | 'differs' | 'unknown' {
    const at = this.#find(path);
    if (at < 0) return 'unknown';
    return (this.#entries[at + MARKS] & AGREES) !== 0 ? 'agrees' : 'differs';
  }

  tally(): EvidenceTally {
    let matches = 0;
    let distinct = 0;
    let exact = 0;
    let sampledMatches = 0;
    for (let at = MARKS; at < this.#size * STRIDE; at += STRIDE) {
      const marks = this.#entries[at];
      if ((marks & AGREES) === 0) continue;
      matches++;
      if ((marks & DISTINCT) !== 0) distinct++;
      if ((marks & EXACT) !== 0) exact++;
      if ((marks & SAMPLED) !== 0) sampledMatches++;
    }
    return { matches, mismatches: this.#size - matches, distinct, exact, sampledMatches };
  }

  /** Forgets everything, for a fresh start. */
  clear(): void {
    this.#size = 0;
    this.#next = 0;
    this.#history = 0;
  }

  toJson(): string {
    const numbers = new Uint32Array(2 + this.#size * STRIDE);
    numbers[0] = this.#next;
    numbers[1] = this.#history;
    numbers.set(this.#entries.subarray(0, this.#size * STRIDE), 2);
    return Buffer.from(numbers.buffer).toString('base64');
  }

  static fromJson(text: string): PairEvidence {
    const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
    const numbers = new Uint32Array(bytes.buffer, 0, bytes.length >> 2);
    const evidence = new PairEvidence();
    if (numbers.length < 2) return evidence;
    const size = Math.min(CAPACITY, Math.floor((numbers.length - 2) / STRIDE));
    evidence.#entries = new Uint32Array(Math.max(START, size) * STRIDE);
    evidence.#entries.set(numbers.subarray(2, 2 + size * STRIDE));
    evidence.#size = size;
    evidence.#next = size < CAPACITY ? size : numbers[0] % CAPACITY;
    evidence.#history = numbers[1] | 0;
    return evidence;
  }

  #find(path: number): number {
    const end = this.#size * STRIDE;
    for (let at = 0; at < end; at += STRIDE) if (this.#entries[at + PATH] === path) return at;
    return -1;
  }

  /** The next free entry, or the oldest. */
  #place(): number {
    const at = this.#next * STRIDE;
    if (this.#size < CAPACITY) {
      this.#size++;
      if (at === this.#entries.length) {
        const larger = new Uint32Array(at * 2);
        larger.set(this.#entries);
        this.#entries = larger;
      }
    }
    this.#next = (this.#next + 1) % CAPACITY;
    return at;
  }

  #isDistinct(content: Content, except: number): boolean {
    for (let at = 0; at < this.#size * STRIDE; at += STRIDE) {
      if (at === except || (this.#entries[at + MARKS] & DISTINCT) === 0) continue;
      if (isSameToTheEye(contentAt(this.#entries, at), content)) return false;
    }
    return true;
  }
}
