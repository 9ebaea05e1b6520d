import type { RobotsPattern, StepMeter } from './robots-pattern.ts';
import { TextAutomaton } from './text-automaton.ts';

/** End of a list of patterns. */
const NONE = 0xffffffff;
const PATTERN_BYTES = 60;

/**
 * Matches many patterns with wildcards in one pass over the path. Each pattern waits for its next part; where a part is found,
 * the patterns that wait for it move on. A pattern is looked at no more often than it has characters.
 */
export class WildcardMatcher {
  readonly #patterns: readonly RobotsPattern[];
  readonly #texts: TextAutomaton;
  readonly #textLengths: readonly number[];
  /** By pattern: the numbers of the texts it searches for, in order. The tail of an anchored pattern is not searched. */
  readonly #wanted: readonly (readonly number[])[];

  // What changes during a match, made once: by text, the first pattern that waits for it; by pattern, the next that waits for
  // the same, how many of its texts were found, and where the last of them ends.
  readonly #waiting: Uint32Array;
  readonly #next: Uint32Array;
  readonly #found: Uint32Array;
  readonly #end: Uint32Array;

  constructor(patterns: readonly RobotsPattern[]) {
    this.#patterns = patterns;
    const texts = new Map<string, number>();
    this.#wanted = patterns.map(({ parts, anchored }) =>
      parts.slice(1, anchored ? -1 : parts.length).map(({ text }) => {
        const number = texts.get(text) ?? texts.size;
        texts.set(text, number);
        return number;
      }),
    );
    const distinct = [...texts.keys()];
    this.#texts = new TextAutomaton(distinct);
    this.#textLengths = distinct.map(({ length }) => length);
    this.#waiting = new Uint32Array(distinct.length);
    this.#next = new Uint32Array(patterns.length);
    this.#found = new Uint32Array(patterns.length);
    this.#end = new Uint32Array(patterns.length);
  }

  /** Estimated bytes of memory. */
  get bytes(): number {
    return this.#texts.bytes + this.#patterns.length * PATTERN_BYTES;
  }

  /** The first pattern that matches, or `best`. `starts` names those whose first parts begin the path, and their lengths. */
  firstMatch(
    path: string,
    starts: readonly (readonly [length: number, numbers: readonly number[]])[],
    best: number,
    meter: StepMeter = { steps: 0 },
  ): number {
    this.#waiting.fill(NONE);
    let first = best;
    for (const [length, numbers] of starts) {
      for (const number of numbers) {
        if (number >= first) break;
        this.#found[number] = 0;
        this.#end[number] = length;
        meter.steps++;
        if (this.#waitsOn(number, path, meter)) first = number;
      }
    }
    let node = 0;
    for (let at = 0; at < path.length; at++) {
      node = this.#texts.next(node, path.charCodeAt(at), meter);
      for (let end = this.#texts.longestEnd(node); end !== 0; end = this.#texts.shorterEnd(end)) {
        meter.steps++;
        first = this.#moveOn(this.#texts.textAt(end), at + 1, path, first, meter);
      }
    }
    return first;
  }

  /** The text ends at `end`: the patterns that wait for it move on, unless they begin to wait only within it. */
  #moveOn(text: number, end: number, path: string, best: number, meter: StepMeter): number {
    const start = end - this.#textLengths[text];
    let first = best;
    let number = this.#waiting[text];
    this.#waiting[text] = NONE;
    while (number !== NONE) {
      meter.steps++;
      const next = this.#next[number];
      // One that comes after a pattern that matches is given up.
      if (number < first) {
        if (this.#end[number] <= start) {
          this.#found[number]++;
          this.#end[number] = end;
        }
        if (this.#waitsOn(number, path, meter)) first = number;
      }
      number = next;
    }
    return first;
  }

  /** Puts the pattern where its next text is awaited. True where all were found and the path ends as it must. */
  #waitsOn(number: number, path: string, meter: StepMeter): boolean {
    const wanted = this.#wanted[number];
    const found = this.#found[number];
    if (found < wanted.length) {
      this.#next[number] = this.#waiting[wanted[found]];
      this.#waiting[wanted[found]] = number;
      return false;
    }
    const { parts, anchored } = this.#patterns[number];
    if (!anchored) return true;
    const tail = parts[parts.length - 1].text;
    meter.steps += tail.length;
    return path.length - tail.length >= this.#end[number] && path.endsWith(tail);
  }
}
