import { ALL_BUT_LINE_ENDS, CharacterSet, DIGITS, WHITE_SPACE, WORD_CHARACTERS } from './character-set.ts';

export type RegexNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
  | { readonly kind: 'repeat'; readonly body: RegexNode; readonly min: number; readonly max: number };

/** What is wrong with a regular expression, and where. */
export class RegexSyntaxError extends Error {}

const MAX_LENGTH = 2000;
const MAX_COUNT = 1000;

/**
 * The part of JavaScript's syntax that an automaton can decide in linear time: groups, alternation, classes, quantifiers
 * and the anchors. Where it accepts an expression, it means what JavaScript means by it (without flags, or with `i` after a
 * leading `(?i)`); the rest is refused rather than guessed.
 */
export function parseRegex(source: string): RegexNode {
  if (source.length > MAX_LENGTH) throw new RegexSyntaxError(`it is longer than ${MAX_LENGTH} characters`);
  const ignoreCase = source.startsWith('(?i)');
  return new RegexParser(source, ignoreCase ? 4 : 0, ignoreCase).parse();
}

class RegexParser {
  readonly #source: string;
  readonly #ignoreCase: boolean;
  #at: number;

  constructor(source: string, at: number, ignoreCase: boolean) {
    this.#source = source;
    this.#at = at;
    this.#ignoreCase = ignoreCase;
  }

  parse(): RegexNode {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw this.#error('the ")" has no "(" before it');
    return node;
  }

  #choice(): RegexNode {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 ? options[0] : { kind: 'choice', options };
  }

  #sequence(): RegexNode {
    const parts: RegexNode[] = [];
    for (;;) {
      const next = this.#source[this.#at];
      if (next === undefined || next === '|' || next === ')') break;
      parts.push(this.#repeated());
    }
    return parts.length === 1 ? parts[0] : { kind: 'sequence', parts };
  }

  #repeated(): RegexNode {
    const start = this.#at;
    const body = this.#atom();
    const bounds = this.#quantifier();
    if (bounds === undefined) return body;
    if (body.kind === 'start' || body.kind === 'end') throw this.#error('an anchor cannot be repeated', start);
    // A lazy quantifier matches the same texts as an eager one; only what it would capture differs.
    this.#take('?');
    return { kind: 'repeat', body, ...bounds };
  }

  #quantifier(): { min: number; max: number } | undefined {
    if (this.#take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#take('?')) return { min: 0, max: 1 };
    if (this.#source[this.#at] !== '{') return undefined;
    const counts = /^\{(\d+)(,(\d*))?\}/.exec(this.#source.slice(this.#at, this.#at + 24));
    if (counts === null)
      throw this.#error('a "{" must begin a count such as {2} or {2,5}; write \\{ for the character');
    const min = Number(counts[1]);
    const max = counts[2] === undefined ? min : counts[3] === '' ? Number.POSITIVE_INFINITY : Number(counts[3]);
    if (max < min) throw this.#error('the counts are in the wrong order');
    if (min > MAX_COUNT || (max !== Number.POSITIVE_INFINITY && max > MAX_COUNT)) {
      throw this.#error(`counts go up to ${MAX_COUNT}`);
    }
    this.#at += counts[0].length;
    return { min, max };
  }

  #atom(): RegexNode {
    const character = this.#source[this.#at];
    switch (character) {
      case '(':
        return this.#group();
      case '[':
        return { kind: 'set', set: this.#class() };
      case '.':
        this.#at++;
        return { kind: 'set', set: ALL_BUT_LINE_ENDS };
      case '^':
        this.#at++;
        return { kind: 'start' };
      case '$':
        this.#at++;
        return { kind: 'end' };
      case '*':
      case '+':
      case '?':
      case '{':
        throw this.#error(`there is nothing to repeat before "${character}"`);
      case ']':
      case '}':
        throw this.#error(`the "${character}" has no partner before it; write \\${character} for the character`);
      case '\\':
        return { kind: 'set', set: this.#cased(this.#escape()) };
      default:
        this.#at++;
        return { kind: 'set', set: this.#cased(CharacterSet.of(character)) };
    }
  }

  #group(): RegexNode {
    const start = this.#at++;
    if (this.#take('?')) {
      const rest = this.#source.slice(this.#at, this.#at + 64);
      const named = /^<[A-Za-z_$][\w$]*>/.exec(rest);
      if (rest.startsWith(':')) this.#at++;
      else if (named !== null) this.#at += named[0].length;
      else if (/^<?[=!]/.test(rest)) throw this.#error('look-ahead and look-behind are not supported', start);
      else throw this.#error('only (…), (?:…) and (?<name>…) are supported, and (?i) at the very beginning', start);
    }
    const body = this.#choice();
    if (!this.#take(')')) throw this.#error('the "(" is not closed', start);
    return body;
  }

  #class(): CharacterSet {
    const start = this.#at++;
    const negated = this.#take('^');
    let set = new CharacterSet([]);
    while (!this.#take(']')) {
      if (this.#at >= this.#source.length) throw this.#error('the "[" is not closed', start);
      const from = this.#at;
      const first = this.#classCharacter();
      const isRange = this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']';
      if (!isRange) {
        set = set.union(first);
        continue;
      }
      this.#at++;
      if (this.#at >= this.#source.length) throw this.#error('the "[" is not closed', start);
      const low = onlyCode(first);
      const high = onlyCode(this.#classCharacter());
      if (low === undefined || high === undefined) throw this.#error('a range needs a character at both ends', from);
      if (low > high) throw this.#error('the range is in the wrong order', from);
      set = set.union(new CharacterSet([[low, high]]));
    }
    const cased = this.#cased(set);
    return negated ? cased.complement() : cased;
  }

  #classCharacter(): CharacterSet {
    if (this.#source[this.#at] === '\\') return this.#escape();
    return CharacterSet.of(this.#source[this.#at++]);
  }

  #escape(): CharacterSet {
    const start = this.#at++;
    const character = this.#source[this.#at++];
    if (character === undefined) throw this.#error('the "\\" at the end escapes nothing', start);
    switch (character) {
      case 'd':
        return DIGITS;
      case 'D':
        return DIGITS.complement();
      case 'w':
        return WORD_CHARACTERS;
      case 'W':
        return WORD_CHARACTERS.complement();
      case 's':
        return WHITE_SPACE;
      case 'S':
        return WHITE_SPACE.complement();
      case 'x':
        return this.#hexadecimal(2, start);
      case 'u':
        return this.#hexadecimal(4, start);
    }
    if (/[1-9k]/.test(character)) throw this.#error('back-references are not supported', start);
    if (/[bB]/.test(character)) throw this.#error('word boundaries are not supported', start);
    if (/[A-Za-z0-9]/.test(character)) throw this.#error(`the escape \\${character} is not supported`, start);
    return CharacterSet.of(character);
  }

  #hexadecimal(digits: number, start: number): CharacterSet {
    const text = this.#source.slice(this.#at, this.#at + digits);
    if (text.length < digits || !/^[0-9A-Fa-f]+$/.test(text))
      throw this.#error(`${digits} hexadecimal digits must follow`, start);
    this.#at += digits;
    return CharacterSet.of(String.fromCharCode(Number.parseInt(text, 16)));
  }

  #cased(set: CharacterSet): CharacterSet {
    return this.#ignoreCase ? set.ignoringCase() : set;
  }

  #take(character: string): boolean {
    if (this.#source[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #error(what: string, at = this.#at): RegexSyntaxError {
    return new RegexSyntaxError(`at character ${at + 1}: ${what}`);
  }
}

function onlyCode(set: CharacterSet): number | undefined {
  const [range] = set.ranges;
  return set.ranges.length === 1 && range[0] === range[1] ? range[0] : undefined;
}
