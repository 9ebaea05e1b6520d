import type { DocumentFilter, Field, QueryNode } from '../../contracts/search-index.ts';
import type { QueryTerm } from '../../index/analysis/analyzer.ts';
import { type AnalyzeQuery, type AskedWord, askedPrefix, askedWord, FOLDED_ONLY, sequenceNode } from './asked-words.ts';
import { type Exclusions, FilterReader } from './filter-reader.ts';
import { type QuerySyntax, querySyntax, type SyntaxNode } from './query-syntax.ts';
import { wordsInContext } from './words-in-context.ts';

/** A query as it was understood. */
export interface ParsedQuery {
  /** Everything that was asked for; undefined where nothing was. */
  readonly node: QueryNode | undefined;
  readonly filter: DocumentFilter;
  /** What the filter of an index has no word for: -lang: -filetype: -inurl: */
  readonly without: Exclusions;
  /** Parts that may be given up, one by one, where no document has them all. */
  readonly yielding: readonly AskedWord[];
  /** Parts that always hold: +words, -words, intitle: */
  readonly firm: readonly QueryNode[];
  /** "Phrases", which hold as long as any document has them. */
  readonly phrases: readonly AskedWord[];
  /** Every word and phrase that a hit may be shown with, in the order typed. */
  readonly asked: readonly AskedWord[];
  /** Documents are wanted for what they are, not for words: site:example.org alone. */
  readonly onlyFilter: boolean;
  readonly notes: readonly string[];
}

/** Reads what was typed. Never fails: what makes no sense is left out, and a note says so. */
export function parseQuery(typed: string, analyze: AnalyzeQuery): ParsedQuery {
  const syntax = withoutBareExclusions(querySyntax(typed));
  const filter = new FilterReader();
  // The language decides how words are stemmed, wherever it stands in the query.
  const language = onlyLanguage(syntax.nodes);
  const words = wordsInContext(syntax.nodes, (text) => analyze(text, language));
  const lowering = new Lowering(words, (text) => analyze(text, FOLDED_ONLY).at(-1)?.terms[0] ?? text, filter);
  const parts = lowering.parts(syntax.nodes);
  const positive = [...parts.yielding, ...parts.phrases].map(({ node }) => node);
  positive.push(...parts.firm);
  const { conditions, without, notes, asked: filtered } = filter.result();
  const onlyFilter = positive.every(({ kind }) => kind === 'not') && (filtered || positive.length > 0);
  if (onlyFilter) positive.push({ kind: 'all' });
  if (onlyFilter) parts.firm.push({ kind: 'all' });
  return {
    node: positive.length > 1 ? { kind: 'and', nodes: positive } : positive[0],
    filter: conditions,
    without,
    yielding: parts.yielding,
    firm: parts.firm,
    phrases: parts.phrases,
    asked: lowering.asked,
    onlyFilter,
    notes: [...syntax.notes, ...notes],
  };
}

interface Parts {
  readonly yielding: AskedWord[];
  readonly firm: QueryNode[];
  readonly phrases: AskedWord[];
}

/** From what was typed to what the index understands. */
class Lowering {
  readonly asked: AskedWord[] = [];
  readonly #analyze: (text: string) => readonly QueryTerm[];
  readonly #fold: (text: string) => string;
  readonly #filter: FilterReader;

  constructor(analyze: (text: string) => readonly QueryTerm[], fold: (text: string) => string, filter: FilterReader) {
    this.#analyze = analyze;
    this.#fold = fold;
    this.#filter = filter;
  }

  parts(nodes: readonly SyntaxNode[]): Parts {
    const yielding: AskedWord[] = [];
    const stops: AskedWord[] = [];
    const firm: QueryNode[] = [];
    const phrases: AskedWord[] = [];
    for (const node of nodes.flatMap(conjuncts)) {
      if (node.kind === 'word' && !node.firm) {
        const word = askedWord(this.#analyze(node.text), node);
        if (word === undefined) continue;
        (word.stop && !node.flag ? stops : yielding).push(word);
      } else if (node.kind === 'phrase') {
        const phrase = askedWord(this.#analyze(node.text), node, true);
        if (phrase !== undefined) phrases.push(phrase);
      } else if (node.kind === 'or') {
        const group = this.#group(node);
        if (group?.node.kind === 'not') firm.push(group.node);
        else if (group !== undefined) yielding.push(group);
      } else {
        const lowered = this.#lower(node, false);
        if (lowered !== undefined) firm.push(lowered);
      }
    }
    // Stop words count only where there is nothing else.
    if (yielding.length + phrases.length === 0 && firm.every(({ kind }) => kind === 'not')) yielding.push(...stops);
    this.asked.push(...yielding.filter(({ text }) => text !== ''), ...phrases);
    this.asked.sort((a, b) => a.start - b.start);
    return { yielding, firm, phrases };
  }

  /** Alternatives are given up as a whole. */
  #group(node: Extract<SyntaxNode, { kind: 'or' }>): AskedWord | undefined {
    const lowered = this.#lower(node, false);
    return lowered === undefined
      ? undefined
      : {
          text: '',
          start: 0,
          end: 0,
          node: lowered,
          loose: [lowered],
          terms: [],
          forms: [],
          phrase: false,
          stop: false,
        };
  }

  #lower(node: SyntaxNode, inside: boolean, not = false): QueryNode | undefined {
    switch (node.kind) {
      case 'word':
        return this.#keep(askedWord(this.#analyze(node.text), node), not);
      case 'phrase':
        return this.#keep(askedWord(this.#analyze(node.text), node, true), not);
      case 'prefix':
        return this.#keep(askedPrefix(this.#analyze(node.text), this.#fold(node.text), node), not);
      case 'operator':
        return this.#operator(node, inside, not);
      case 'not':
        return this.#negated(node.node, inside, not);
      case 'and':
      case 'or':
        return this.#several(node, inside, not);
    }
  }

  #keep(word: AskedWord | undefined, not: boolean): QueryNode | undefined {
    if (word !== undefined && !not) this.asked.push(word);
    return word?.node;
  }

  #negated(node: SyntaxNode, inside: boolean, not: boolean): QueryNode | undefined {
    const lowered = this.#lower(node, inside, !not);
    if (lowered === undefined) return undefined;
    return lowered.kind === 'not' ? lowered.node : { kind: 'not', node: lowered };
  }

  #several(node: Extract<SyntaxNode, { kind: 'and' | 'or' }>, inside: boolean, not: boolean): QueryNode | undefined {
    const deep = inside || node.kind === 'or' || not;
    const lowered = node.nodes.map((part) => ({ part, to: this.#lower(part, deep, not) }));
    const nodes = lowered.flatMap(({ to }) => (to === undefined ? [] : [to]));
    const conditions = lowered.filter(({ part, to }) => to === undefined && part.kind === 'operator');
    if (node.kind === 'or' && conditions.length > 0 && nodes.length > 0) this.#filter.heldForAll(conditions[0].part);
    return nodes.length > 1 ? { kind: node.kind, nodes: withAll(node.kind, nodes) } : nodes[0];
  }

  #operator(node: Extract<SyntaxNode, { kind: 'operator' }>, inside: boolean, not: boolean): QueryNode | undefined {
    if (node.name === 'intitle') return this.#inField(node, 'title', not);
    // Conditions on the whole hold for the whole; among alternatives the words of the URL do.
    if (node.name === 'inurl' && inside && !not) return this.#inField(node, 'url', true);
    this.#filter.take(node.name, node.value, not);
    return undefined;
  }

  #inField(node: Extract<SyntaxNode, { kind: 'operator' }>, field: Field, not: boolean): QueryNode | undefined {
    const prefix = node.quoted ? undefined : /^(.*[^*])\*+$/s.exec(node.value)?.[1];
    const analysed = this.#analyze(prefix ?? node.value);
    const place = { text: prefix ?? node.value, start: 0, end: 0 };
    const word =
      prefix === undefined ? askedWord(analysed, place) : askedPrefix(analysed, this.#fold(prefix), place, field);
    if (word === undefined) return undefined;
    if (!not) this.asked.push({ ...word, node: { kind: 'all' } });
    return prefix === undefined ? sequenceNode(analysed, field) : word.node;
  }
}

/** "-DSQLITE_DEBUG" alone: nobody asks for all pages that lack a word, so a flag is meant. */
function withoutBareExclusions(syntax: QuerySyntax): QuerySyntax {
  const { nodes, notes } = syntax;
  const words = nodes.flatMap((node) => (node.kind === 'not' && node.node.kind === 'word' ? [node.node] : []));
  if (words.length === 0 || words.length < nodes.length) return syntax;
  const note = 'There is nothing but exclusions in the query: they were taken for words.';
  return { nodes: words, notes: [...notes, note] };
}

/** "-a OR b": a choice that holds for whatever lacks a word needs something to lack it. */
function withAll(kind: 'and' | 'or', nodes: readonly QueryNode[]): QueryNode[] {
  const bare = (node: QueryNode): QueryNode =>
    node.kind === 'not' ? { kind: 'and', nodes: [{ kind: 'all' }, node] } : node;
  if (kind === 'or') return nodes.map(bare);
  return nodes.every((node) => node.kind === 'not') ? [{ kind: 'all' }, ...nodes] : [...nodes];
}

/** (a b) c asks for a, b and c. */
function conjuncts(node: SyntaxNode): readonly SyntaxNode[] {
  return node.kind === 'and' ? node.nodes.flatMap(conjuncts) : [node];
}

function onlyLanguage(nodes: readonly SyntaxNode[]): string | undefined {
  const found = nodes.flatMap((node) => (node.kind === 'operator' && node.name === 'lang' ? [node.value] : []));
  return found.length === 1 ? found[0].toLowerCase().split(/[-_]/)[0] : undefined;
}
