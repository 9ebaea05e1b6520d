/** A member of a dictionary: the token it holds, or undefined where it holds anything else. */
export type DictionaryTokens = ReadonlyMap<string, string | undefined>;

/**
 * Reads a dictionary of RFC 9651 as far as tokens go: other values and all parameters are parsed and passed over. Of two
 * members with one key the last counts. Undefined where the syntax is broken, as the RFC wants the whole field ignored then.
 */
export function dictionaryTokens(text: string): DictionaryTokens | undefined {
  const found = new Map<string, string | undefined>();
  const reader = new Reader(text);
  reader.skipSpaces();
  if (reader.atEnd) return found;
  for (;;) {
    const key = reader.take(KEY);
    if (key === undefined) return undefined;
    let token: string | undefined;
    if (reader.skip('=')) {
      const value = reader.value();
      if (value === undefined) return undefined;
      token = value.token;
    }
    if (!reader.parameters()) return undefined;
    found.set(key, token);
    reader.skipWhite();
    if (reader.atEnd) return found;
    if (!reader.skip(',')) return undefined;
    reader.skipWhite();
    // A comma at the end is an error in the RFC.
    if (reader.atEnd) return undefined;
  }
}

const KEY = /[a-z*][a-z0-9_.*-]*/y;
const TOKEN = /[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*/y;
const STRING = /"(?:[ !#-[\]-~]|\\["\\])*"/y;
const OTHER = /-?\d{1,15}(?:\.\d{1,3})?|:[A-Za-z0-9+/=]*:|\?[01]|@-?\d{1,15}|%"(?:[ !#-$&-~]|%[0-9a-f]{2})*"/y;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  take(pattern: RegExp): string | undefined {
    const search = new RegExp(pattern);
    search.lastIndex = this.#at;
    const match = search.exec(this.#text);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match[0];
  }

  skip(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  skipSpaces(): void {
    while (this.#text[this.#at] === ' ') this.#at++;
  }

  skipWhite(): void {
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at++;
  }

  /** An item or an inner list. */
  value(): { readonly token?: string } | undefined {
    if (!this.skip('(')) return this.#item();
    for (;;) {
      this.skipSpaces();
      if (this.skip(')')) return {};
      if (this.#item() === undefined || !this.parameters()) return undefined;
      if (this.#text[this.#at] !== ' ' && this.#text[this.#at] !== ')') return undefined;
    }
  }

  parameters(): boolean {
    while (this.skip(';')) {
      this.skipSpaces();
      if (this.take(KEY) === undefined) return false;
      if (this.skip('=') && this.#item() === undefined) return false;
    }
    return true;
  }

  #item(): { readonly token?: string } | undefined {
    const token = this.take(TOKEN);
    if (token !== undefined) return { token };
    return this.take(STRING) === undefined && this.take(OTHER) === undefined ? undefined : {};
  }
}
