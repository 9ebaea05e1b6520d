import { CodeUnits } from '../../base/code-units.ts';
import {
  type CharacterTable,
  FIRST,
  JOINER,
  LOWER,
  MARK,
  PAIRED,
  SURROGATE,
  TAIL,
  UPPER,
  WORD,
} from './character-table.ts';
import { emitCompound, readCompound } from './compound-words.ts';
import { emitIdentifier, mayBeIdentifier } from './identifiers.ts';
import { LONGEST_NAME } from './remembered-names.ts';
import type { NameReader, RunReader, TokenSink, WordSink } from './token.ts';

const COMMA = 0x2c;
const DOT = 0x2e;
const PLUS = 0x2b;
const HYPHEN = 0x2d;
const UNDERSCORE = 0x5f;
const ASCII_END = 0x80;
const MIXED_CASE = LOWER | UPPER;
const LONGEST_NAME_WITH_TAIL = 2;
const MOST_CAMEL_PARTS = 8;

/** Cuts text into tokens, in one pass over its code units. Positions do not depend on the language, so that phrases hold in any. */
export class Tokenizer {
  readonly #kinds: Uint8Array;
  readonly #units = new CodeUnits();

  constructor(table: CharacterTable) {
    this.#kinds = table.kinds;
  }

  /**
   * Answers how many positions the text takes. Most tokens are plain words; whoever wants no string of them takes them by `plain`, and
   * whoever can read many of them at once does so by `runs`, and whoever remembers names takes these by `names`.
   */
  tokenize(text: string, sink: TokenSink, plain?: WordSink, runs?: RunReader, names?: NameReader): number {
    const kinds = this.#kinds;
    const units = this.#units.of(text);
    const { length } = text;
    let position = 0;
    let at = 0;
    runs?.begin(units, length);
    while (at < length) {
      // Other scripts than that of ASCII are told by their letters, the first of which mostly stands behind a space.
      if (runs !== undefined && (units[at] as number) < ASCII_END && (units[at + 1] as number) < ASCII_END) {
        position += runs.read(at, position);
        at = runs.end;
        if (at >= length) break;
      }
      const first = units[at] as number;
      const kind = kinds[first] as number;
      if ((kind & FIRST) === 0) {
        if ((kind & (PAIRED | SURROGATE)) === 0) at++;
        else {
          const end = this.#pairedEnd(text, at);
          if (end > at) {
            position = this.#emitPairs(text, at, end, position, sink);
            at = end;
          } else {
            const wide = this.#wordEnd(text, at);
            if (wide > at) sink(text.slice(at, wide), position++, 'word', at, wide);
            at = Math.max(wide, at + 1);
          }
        }
        continue;
      }
      const start = at;
      let inner = 0;
      let after = 0;
      for (at++; at < length; at++) {
        const code = units[at] as number;
        after = kinds[code] as number;
        if ((after & WORD) === 0) break;
        inner |= after;
        after = 0;
      }
      const special = after & (JOINER | TAIL | SURROGATE);
      const isPlain =
        special === 0
          ? ((inner | (kind & LOWER)) & MIXED_CASE) !== MIXED_CASE
          : special === JOINER && (inner & UPPER) === 0 && this.#joinsNothing(units, at);
      if (isPlain && !(start > 0 && units[start - 1] === DOT && this.#isDotted(text, start))) {
        if (mayBeIdentifier(units, start, at)) emitIdentifier(text, start, at, position, sink);
        if (plain === undefined) sink(text.substring(start, at), position++, 'word', start, at);
        else plain(start, at, position++, units);
        continue;
      }
      if (names !== undefined) {
        const end = this.#nameEnd(units, start, at, length);
        if (end > start) {
          const positions = names.read(units, start, end, position);
          if (positions >= 0) {
            position += positions;
            at = end;
            continue;
          }
        }
      }
      if (special === SURROGATE) at = this.#wordEnd(text, at);
      if (special === JOINER) {
        const compound = readCompound(text, start, at, kinds);
        if (compound !== undefined) {
          position = emitCompound(text, compound, position, sink);
          at = compound.end;
          continue;
        }
      }
      if (mayBeIdentifier(units, start, at)) emitIdentifier(text, start, at, position, sink);
      at = this.#emitName(text, start, at, position++, sink);
    }
    return position;
  }

  /** Whether `tokenize` would tell of one token, which is the whole text. */
  isToken(text: string): boolean {
    let all = 0;
    for (let at = 0; at < text.length; at++) {
      const kind = this.#kinds[text.charCodeAt(at)] as number;
      if ((kind & (at === 0 ? FIRST : WORD)) === 0) return false;
      all |= kind;
    }
    return (all & FIRST) !== 0 && (all & MIXED_CASE) !== MIXED_CASE;
  }

  /** Whether a joiner is a mere sign behind a word, as at the end of a sentence. */
  #joinsNothing(units: Uint16Array, at: number): boolean {
    const next = units[at + 1] as number;
    return units[at] !== UNDERSCORE && next !== UNDERSCORE && ((this.#kinds[next] as number) & FIRST) === 0;
  }

  /** The end of a name that is ASCII and says the same wherever it stands; `start` where it is none such. */
  #nameEnd(units: Uint16Array, start: number, wordEnd: number, length: number): number {
    if (start > 0) {
      const before = units[start - 1];
      // A flag, a name with underscores, or .NET; and what was cut off from something longer.
      if (before >= ASCII_END || before === HYPHEN || before === UNDERSCORE || before === DOT) return start;
      if (((this.#kinds[before] as number) & WORD) !== 0) return start;
    }
    const most = Math.min(length, start + LONGEST_NAME + 1);
    let end = start;
    while (end < most && units[end] < ASCII_END && ((this.#kinds[units[end]] as number) & (WORD | JOINER | TAIL)) !== 0)
      end++;
    const isCutOff = end - start > LONGEST_NAME;
    if (isCutOff || end < wordEnd || (end < length && units[end] >= ASCII_END)) return start;
    return this.#endsSentence(units, end - 1) ? end - 1 : end;
  }

  /** Whether a sign is none of the name before it. Of a word without small letters it tells what is in it, as of `I2D,`. */
  #endsSentence(units: Uint16Array, at: number): boolean {
    return (units[at] === COMMA || units[at] === DOT) && this.#kinds[units[at - 1]] === LOWER;
  }

  /** A single word with something about it: C++, C#, .NET, camelCase. Answers its end. */
  #emitName(text: string, start: number, end: number, position: number, sink: TokenSink): number {
    const word = text.slice(start, end);
    const tail = this.#tailEnd(text, start, end);
    if (tail > end) {
      sink(text.slice(start, tail), position, 'word', start, tail);
      sink(word, position, 'aside', start, end);
      return tail;
    }
    if (this.#isDotted(text, start)) {
      sink(text.slice(start - 1, end), position, 'word', start - 1, end);
      sink(word, position, 'aside', start, end);
      return end;
    }
    sink(word, position, 'word', start, end);
    this.#emitCamelParts(text, start, end, position, sink);
    return end;
  }

  #tailEnd(text: string, start: number, end: number): number {
    if (end - start > LONGEST_NAME_WITH_TAIL || ((this.#kinds[text.charCodeAt(end)] as number) & TAIL) === 0)
      return end;
    const isPlus = text.charCodeAt(end) === PLUS;
    if (isPlus && text.charCodeAt(end + 1) !== PLUS) return end;
    const tail = end + (isPlus ? 2 : 1);
    const next = tail < text.length ? (this.#kinds[text.charCodeAt(tail)] as number) : 0;
    return (next & (WORD | TAIL)) === 0 ? tail : end;
  }

  /** A dot right before a letter with nothing before the dot: .NET, .htaccess. */
  #isDotted(text: string, start: number): boolean {
    if (start === 0 || text.charCodeAt(start - 1) !== DOT) return false;
    if (((this.#kinds[text.charCodeAt(start)] as number) & MIXED_CASE) === 0) return false;
    return start === 1 || text.charCodeAt(start - 2) <= 0x20;
  }

  #emitCamelParts(text: string, start: number, end: number, position: number, sink: TokenSink): void {
    const cuts = [start];
    for (let at = start + 1; at < end && cuts.length < MOST_CAMEL_PARTS; at++) {
      if (!this.#isUpper(text, at)) continue;
      const afterLower = !this.#isUpper(text, at - 1);
      const beforeLower = at + 1 < end && !this.#isUpper(text, at + 1);
      if (afterLower || beforeLower) cuts.push(at);
    }
    if (cuts.length === 1) return;
    cuts.push(end);
    const emitted: string[] = [];
    for (let cut = 1; cut < cuts.length; cut++) {
      const [from, to] = [cuts[cut - 1] as number, cuts[cut] as number];
      const part = text.slice(from, to);
      if (part.length < 2 || emitted.includes(part)) continue;
      emitted.push(part);
      sink(part, position, 'aside', from, to);
    }
  }

  #isUpper(text: string, at: number): boolean {
    return this.#kinds[text.charCodeAt(at)] === UPPER;
  }

  /** Pairs of neighbours, each at its own place, and the last character alone, so that a prefix finds any of them. */
  #emitPairs(text: string, start: number, end: number, position: number, sink: TokenSink): number {
    const raw = text.slice(start, end);
    const run = raw.normalize('NFKC');
    const characters = [...run].filter((character) => this.#kinds[character.charCodeAt(0)] !== MARK);
    const exact = run === raw && characters.length === run.length;
    const { length } = characters;
    for (let at = 0; at < length - 1; at++) {
      const pair = (characters[at] as string) + (characters[at + 1] as string);
      sink(pair, position + at, 'word', exact ? start + at : start, exact ? start + at + 2 : end);
    }
    const last = characters[length - 1];
    if (last !== undefined)
      sink(last, position + length - 1, length === 1 ? 'lone' : 'aside', exact ? end - 1 : start, end);
    return position + length;
  }

  #pairedEnd(text: string, start: number): number {
    let at = start;
    while (at < text.length) {
      const kind = this.#kinds[text.charCodeAt(at)] as number;
      if (kind === PAIRED || (kind === MARK && at > start)) at++;
      else if (kind === SURROGATE && isWidePaired(text.codePointAt(at) as number)) at += 2;
      else break;
    }
    return at;
  }

  /** From a character beyond the basic plane on. */
  #wordEnd(text: string, start: number): number {
    let at = start;
    while (at < text.length) {
      const kind = this.#kinds[text.charCodeAt(at)] as number;
      if ((kind & WORD) !== 0) at++;
      else if (kind === SURROGATE && isWideLetter(text.codePointAt(at) as number)) at += 2;
      else break;
    }
    return at;
  }
}

function isWidePaired(code: number): boolean {
  return (code >= 0x20000 && code <= 0x3ffff) || (code >= 0x1b000 && code <= 0x1b16f);
}

const WIDE_LETTER = /[\p{L}\p{M}\p{N}]/u;

function isWideLetter(code: number): boolean {
  return code > 0xffff && !isWidePaired(code) && WIDE_LETTER.test(String.fromCodePoint(code));
}
