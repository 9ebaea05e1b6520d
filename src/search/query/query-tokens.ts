const OPERATORS = ['site', 'inurl', 'intitle', 'filetype', 'lang', 'before', 'after'] as const;
export type OperatorName = (typeof OPERATORS)[number];

interface Place {
  readonly start: number;
  readonly end: number;
}

/** The pieces of a typed query. `not`: a minus stood before it. `firm`: a plus did. `flag`: several hyphens did, as in --onto. */
export type QueryToken =
  | (Place & {
      readonly kind: 'word';
      readonly text: string;
      readonly not: boolean;
      readonly firm: boolean;
      readonly flag: boolean;
    })
  | (Place & { readonly kind: 'phrase'; readonly text: string; readonly not: boolean })
  | (Place & { readonly kind: 'prefix'; readonly text: string; readonly not: boolean })
  | (Place & {
      readonly kind: 'operator';
      readonly name: OperatorName;
      readonly value: string;
      readonly quoted: boolean;
      readonly not: boolean;
    })
  | (Place & { readonly kind: 'open'; readonly not: boolean })
  | (Place & { readonly kind: 'close' })
  | (Place & { readonly kind: 'or'; readonly text: string });

export interface QueryTokens {
  readonly tokens: readonly QueryToken[];
  readonly notes: readonly string[];
}

/** Longer than any question; what is beyond is left out, so that a query cannot cost without bound. */
export const MOST_CHARACTERS = 8_000;

/** Any other word behind it is a word: "type:string" is how programs are written. */
const MEDIA = /^type:((?:image|picture|photo|video|film|sound)s?|audio)$/i;

const QUOTES = '"“”„‟«»＂';
const MINUSES = '-−';
/** However many hyphens were typed, and whichever. */
const FLAG = '--';
const SPACE = /\s/;

/** Cuts a query into its pieces; never fails. */
export function queryTokens(typed: string): QueryTokens {
  return new QueryLexer(typed).read();
}

class QueryLexer {
  readonly #text: string;
  readonly #tokens: QueryToken[] = [];
  readonly #notes = new Set<string>();
  #at = 0;

  constructor(typed: string) {
    this.#text = typed.slice(0, MOST_CHARACTERS);
    if (typed.length > MOST_CHARACTERS)
      this.#notes.add(`Only the first ${MOST_CHARACTERS} characters of the query were read.`);
  }

  read(): QueryTokens {
    for (;;) {
      this.#skipSpace();
      if (this.#at >= this.#text.length) return { tokens: this.#tokens, notes: [...this.#notes] };
      this.#one();
    }
  }

  #one(): void {
    const start = this.#at;
    const { not, firm, flag } = this.#signs();
    const sign = this.#text[this.#at];
    // A dash between spaces is punctuation, no sign.
    if (sign === undefined || SPACE.test(sign)) return;
    if (sign === '(') this.#push({ kind: 'open', not, start, end: ++this.#at });
    else if (sign === ')') this.#push({ kind: 'close', start, end: ++this.#at });
    else if (sign === '|') this.#or(start);
    else if (QUOTES.includes(sign)) this.#phrase(not);
    else this.#word(start, not, firm, flag);
  }

  /** One minus excludes. Several are how the flag of a command or a dash is typed: whoever asks for --onto wants it. */
  #signs(): { not: boolean; firm: boolean; flag: boolean } {
    let minuses = 0;
    let firm = false;
    for (; ; this.#at++) {
      const sign = this.#text[this.#at];
      if (sign === '+') firm = true;
      else if (sign !== undefined && MINUSES.includes(sign)) minuses++;
      else return { not: minuses === 1, firm, flag: minuses > 1 };
    }
  }

  #or(start: number): void {
    // || is what programmers type.
    while (this.#text[this.#at] === '|') this.#at++;
    this.#push({ kind: 'or', text: '|', start, end: this.#at });
  }

  #phrase(not: boolean): void {
    const start = this.#at;
    const text = this.#quoted();
    if (text === undefined) return;
    if (text.trim() === '') this.#notes.add('Quotation marks with nothing between them were left out.');
    else this.#push({ kind: 'phrase', text, not, start, end: this.#at });
  }

  /** What stands between the quotation mark here and the next; undefined, and past the mark, where there is no other. */
  #quoted(): string | undefined {
    const from = ++this.#at;
    for (let at = from; at < this.#text.length; at++) {
      if (!QUOTES.includes(this.#text[at])) continue;
      this.#at = at + 1;
      return this.#text.slice(from, at);
    }
    this.#notes.add('A quotation mark that was not closed was left out.');
    return undefined;
  }

  #word(start: number, not: boolean, firm: boolean, flag: boolean): void {
    const from = this.#at;
    const text = this.#run();
    const end = this.#at;
    const colon = text.indexOf(':');
    const name = colon > 0 ? OPERATORS.find((operator) => operator === text.slice(0, colon).toLowerCase()) : undefined;
    const media = MEDIA.exec(text)?.[1];
    const prefix = /^(.*?[^*])\*+$/s.exec(text)?.[1];
    // All words are asked for anyway.
    if (text === 'AND' && from === start) return;
    if (media !== undefined) this.#operator('filetype', media, not, start);
    else if (name !== undefined) this.#operator(name, text.slice(colon + 1), not, start);
    else if (text === 'OR' && from === start) this.#push({ kind: 'or', text, start, end });
    else if (prefix !== undefined) this.#push({ kind: 'prefix', text: prefix, not, start: from, end });
    else if (/[^*]/.test(text)) {
      const signs = flag ? FLAG : '';
      this.#push({ kind: 'word', text: signs + text, not, firm, flag, start: from - signs.length, end });
    } else this.#notes.add('A lone * was left out: it stands for the end of a word, as in exampl*.');
  }

  #operator(name: OperatorName, written: string, not: boolean, start: number): void {
    let value = written;
    let quoted = false;
    if (value === '' && QUOTES.includes(this.#text[this.#at] ?? ' ')) {
      value = this.#quoted() ?? this.#run();
      quoted = true;
    } else if (value === '' && SPACE.test(this.#text[this.#at] ?? '')) {
      value = this.#nextPlainWord();
      if (value !== '') this.#notes.add(`${name}: ${value} was read as ${name}:${value}.`);
    }
    if (value.trim() === '') this.#notes.add(`${name}: has no value and was left out.`);
    else this.#push({ kind: 'operator', name, value: value.trim(), quoted, not, start, end: this.#at });
  }

  /** The word after a space, where it is nothing but a word: "site: example.org". */
  #nextPlainWord(): string {
    const before = this.#at;
    this.#skipSpace();
    const word = this.#run();
    if (word !== '' && !/^[-−+|*]|:/.test(word) && word !== 'OR' && word !== 'AND') return word;
    this.#at = before;
    return '';
  }

  /** The characters up to the next that ends a word. */
  #run(): string {
    const from = this.#at;
    for (; this.#at < this.#text.length; this.#at++) {
      const sign = this.#text[this.#at];
      if (sign === '(' || sign === ')' || sign === '|' || QUOTES.includes(sign) || SPACE.test(sign)) break;
    }
    return this.#text.slice(from, this.#at);
  }

  #skipSpace(): void {
    while (this.#at < this.#text.length && SPACE.test(this.#text[this.#at])) this.#at++;
  }

  #push(token: QueryToken): void {
    this.#tokens.push(token);
  }
}
