import { type OperatorName, type QueryToken, queryTokens } from './query-tokens.ts';

/** A query as it was typed, before any word of it was analysed. Places are offsets into what was typed. */
export type SyntaxNode =
  | {
      readonly kind: 'word';
      readonly text: string;
      readonly start: number;
      readonly end: number;
      readonly firm: boolean;
      /** Typed as the flag of a command, --onto: never a stop word. */
      readonly flag: boolean;
    }
  | { readonly kind: 'phrase'; readonly text: string; readonly start: number; readonly end: number }
  | { readonly kind: 'prefix'; readonly text: string; readonly start: number; readonly end: number }
  | { readonly kind: 'operator'; readonly name: OperatorName; readonly value: string; readonly quoted: boolean }
  | { readonly kind: 'and'; readonly nodes: readonly SyntaxNode[] }
  | { readonly kind: 'or'; readonly nodes: readonly SyntaxNode[] }
  | { readonly kind: 'not'; readonly node: SyntaxNode };

export interface QuerySyntax {
  /** What all has to hold; empty where nothing was asked for. */
  readonly nodes: readonly SyntaxNode[];
  /** What was wrong and how it was read. */
  readonly notes: readonly string[];
}

/** Nobody means more levels than this; beyond it parentheses are read as spaces, so that none can exhaust the stack. */
const MOST_LEVELS = 20;

/** Reads a query. Every text is one: what makes no sense is left out, with a note. */
export function querySyntax(typed: string): QuerySyntax {
  const { tokens, notes } = queryTokens(typed);
  const reader = new SyntaxReader(tokens, new Set(notes));
  const nodes = reader.everything();
  return { nodes, notes: [...reader.notes] };
}

class SyntaxReader {
  readonly notes: Set<string>;
  readonly #tokens: readonly QueryToken[];
  #at = 0;

  constructor(tokens: readonly QueryToken[], notes: Set<string>) {
    this.#tokens = tokens;
    this.notes = notes;
  }

  everything(): SyntaxNode[] {
    const nodes = this.#sequence(0);
    while (this.#at < this.#tokens.length) {
      // Only a parenthesis that closes nothing ends a sequence early.
      this.#at++;
      this.notes.add('A closing parenthesis without an opening one was left out.');
      nodes.push(...this.#sequence(0));
    }
    return nodes;
  }

  /** Items side by side, up to a closing parenthesis or the end. OR binds closer than the AND between neighbours. */
  #sequence(level: number): SyntaxNode[] {
    const nodes: SyntaxNode[] = [];
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token === undefined || token.kind === 'close') return nodes;
      if (token.kind === 'or') {
        this.#at++;
        this.#lonelyOr(token, nodes);
      } else {
        const node = this.#alternatives(level);
        if (node !== undefined) nodes.push(node);
      }
    }
  }

  #lonelyOr(token: Extract<QueryToken, { kind: 'or' }>, nodes: SyntaxNode[]): void {
    const { text, start, end } = token;
    // "OR gate": with nothing before it the word is a word.
    if (text === 'OR' && nodes.length === 0 && this.#tokens[this.#at] !== undefined)
      nodes.push({ kind: 'word', text, start, end, firm: false, flag: false });
    else this.notes.add(`${text} stands between two alternatives; one without them was left out.`);
  }

  #alternatives(level: number): SyntaxNode | undefined {
    const nodes: SyntaxNode[] = [];
    for (;;) {
      const node = this.#signed(level);
      if (node !== undefined) nodes.push(node);
      const [or, after] = [this.#tokens[this.#at], this.#tokens[this.#at + 1]];
      if (or?.kind !== 'or' || after === undefined || after.kind === 'or' || after.kind === 'close') break;
      this.#at++;
    }
    return nodes.length > 1 ? { kind: 'or', nodes } : nodes[0];
  }

  #signed(level: number): SyntaxNode | undefined {
    const token = this.#tokens[this.#at++];
    if (token === undefined || token.kind === 'close' || token.kind === 'or') return undefined;
    const node = token.kind === 'open' ? this.#group(level) : nodeOf(token);
    return node === undefined || !token.not ? node : { kind: 'not', node };
  }

  #group(level: number): SyntaxNode | undefined {
    if (level >= MOST_LEVELS) {
      this.notes.add(`Parentheses deeper than ${MOST_LEVELS} levels were left out.`);
      return undefined;
    }
    const nodes = this.#sequence(level + 1);
    if (this.#tokens[this.#at] === undefined) this.notes.add('A parenthesis that was not closed ends with the query.');
    else this.#at++;
    if (nodes.length === 0) this.notes.add('Parentheses with nothing between them were left out.');
    return nodes.length > 1 ? { kind: 'and', nodes } : nodes[0];
  }
}

function nodeOf(token: Extract<QueryToken, { kind: 'word' | 'phrase' | 'prefix' | 'operator' }>): SyntaxNode {
  switch (token.kind) {
    case 'word':
      return {
        kind: 'word',
        text: token.text,
        start: token.start,
        end: token.end,
        firm: token.firm,
        flag: token.flag,
      };
    case 'phrase':
    case 'prefix':
      return { kind: token.kind, text: token.text, start: token.start, end: token.end };
    case 'operator':
      return { kind: 'operator', name: token.name, value: token.value, quoted: token.quoted };
  }
}
