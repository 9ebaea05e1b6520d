/** Where values lie deeper, reading ends: nothing that describes a page lies there. */
const MAX_DEPTH = 64;

/**
 * JSON as people write it into pages. What is right is read by the platform; the rest by a reader that also takes line feeds
 * and bare quotes in strings, comments, single quotes, commas too many or too few, and an end too early. Never throws; undefined where there
 * is no value at all. Linear in the length of the text.
 */
export function parseLenientJson(text: string): unknown {
  const trimmed = withoutWrapping(text);
  if (trimmed === '') return undefined;
  try {
    return JSON.parse(trimmed);
  } catch {
    return new LenientReader(trimmed).value(0);
  }
}

/** Scripts are wrapped in HTML comments or CDATA sections, and end with a semicolon. */
function withoutWrapping(text: string): string {
  let rest = text.trim();
  const opening = /^(?:\/\/|\/\*)?\s?(?:<!--|<!\[CDATA\[)(?:\s?\*\/|\/\/-->)?/.exec(rest);
  if (opening !== null) rest = rest.slice(opening[0].length).trim();
  for (const closing of [';', '*/', '-->', ']]>', '//', '/*', ';']) {
    if (rest.endsWith(closing)) rest = rest.slice(0, -closing.length).trimEnd();
  }
  return rest;
}

class LenientReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) this.#at = this.#text.length;
    this.#skip();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
      case "'":
        return this.#string();
      case undefined:
        return undefined;
      default:
        return this.#word();
    }
  }

  #object(depth: number): Record<string, unknown> {
    const found: Record<string, unknown> = Object.create(null);
    this.#at++;
    for (;;) {
      this.#skip();
      const char = this.#text[this.#at];
      if (char === undefined) return found;
      if (char === '}' || char === ']') {
        this.#at++;
        return found;
      }
      if (char === ',' || char === ':') {
        this.#at++;
        continue;
      }
      const start = this.#at;
      const key = char === '"' || char === "'" ? this.#string() : String(this.#word());
      this.#skip();
      if (this.#text[this.#at] === ':') {
        this.#at++;
        this.#put(found, key, depth);
      }
      if (this.#at === start) this.#at++;
    }
  }

  #put(into: Record<string, unknown>, key: string, depth: number): void {
    const value = this.value(depth + 1);
    if (value !== undefined) into[key] = value;
  }

  #array(depth: number): unknown[] {
    const found: unknown[] = [];
    this.#at++;
    for (;;) {
      this.#skip();
      const char = this.#text[this.#at];
      if (char === undefined) return found;
      if (char === ']' || char === '}') {
        // A brace here closes what is around: the bracket was forgotten.
        if (char === ']') this.#at++;
        return found;
      }
      const start = this.#at;
      if (char === ',' || char === ':') this.#at++;
      else {
        const value = this.value(depth + 1);
        if (value !== undefined) found.push(value);
      }
      if (this.#at === start) this.#at++;
    }
  }

  /** A quote ends a string only where something follows that may follow one. */
  #string(): string {
    const text = this.#text;
    const quote = text[this.#at++];
    let out = '';
    let from = this.#at;
    for (; this.#at < text.length; this.#at++) {
      const char = text[this.#at];
      if (char === '\\') {
        out += text.slice(from, this.#at) + this.#escape();
        from = this.#at + 1;
      } else if (char === quote && this.#endsString(this.#at + 1)) {
        out += text.slice(from, this.#at++);
        return out;
      }
    }
    return out + text.slice(from);
  }

  /** The character of the escape at hand; stays on its last character. */
  #escape(): string {
    const char = this.#text[++this.#at];
    switch (char) {
      case 'n':
      case 'r':
      case 't':
      case 'b':
      case 'f':
        return ' ';
      case 'u': {
        const hex = this.#text.slice(this.#at + 1, this.#at + 5);
        if (!/^[\da-f]{4}$/i.test(hex)) return '';
        this.#at += 4;
        return String.fromCharCode(Number.parseInt(hex, 16));
      }
      default:
        return char ?? '';
    }
  }

  #endsString(from: number): boolean {
    let at = from;
    // Bounded, so that a page of quotes and blanks takes linear time.
    const limit = Math.min(this.#text.length, from + 200);
    while (at < limit && isWhite(this.#text.charCodeAt(at))) at++;
    const char = this.#text[at];
    if (char === undefined || char === ':' || char === '}' || char === ']') return true;
    if (char === '"') return at > from;
    if (char !== ',') return char === '/' && this.#text[at + 1] === '/';
    at++;
    while (at < limit && isWhite(this.#text.charCodeAt(at))) at++;
    const next = this.#text[at];
    return next === undefined || /["'{}[\]\d/,tfn-]/.test(next);
  }

  #word(): unknown {
    const start = this.#at;
    while (this.#at < this.#text.length && !/[\s,:{}[\]"']/.test(this.#text[this.#at])) this.#at++;
    const word = this.#text.slice(start, this.#at);
    if (word === '') {
      this.#at++;
      return undefined;
    }
    if (word === 'true' || word === 'false') return word === 'true';
    if (word === 'null') return null;
    const number = Number(word);
    return Number.isFinite(number) ? number : word;
  }

  /** Passes over white space and comments. */
  #skip(): void {
    const text = this.#text;
    for (;;) {
      while (this.#at < text.length && isWhite(text.charCodeAt(this.#at))) this.#at++;
      if (text.startsWith('//', this.#at)) this.#at = endOf(text, '\n', this.#at);
      else if (text.startsWith('/*', this.#at)) this.#at = endOf(text, '*/', this.#at + 2);
      else if (text.startsWith('<!--', this.#at)) this.#at = endOf(text, '-->', this.#at + 4);
      else return;
    }
  }
}

function endOf(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at < 0 ? text.length : at + what.length;
}

function isWhite(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0xfeff;
}
