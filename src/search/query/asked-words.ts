import type { Field, FormLimit, QueryNode } from '../../contracts/search-index.ts';
import type { QueryTerm } from '../../index/analysis/analyzer.ts';

/** Text to the terms of the index; `language` where it is known which. */
export type AnalyzeQuery = (text: string, language?: string) => readonly QueryTerm[];

/** The tag of no language: words are folded (case, accents) but not stemmed. */
export const FOLDED_ONLY = 'zxx';

/** A word, phrase or prefix that was asked for. */
export interface AskedWord {
  /** As typed; '' for a group of alternatives. */
  readonly text: string;
  /** Where in the query it was typed. */
  readonly start: number;
  readonly end: number;
  readonly node: QueryNode;
  /** Its words by themselves. */
  readonly loose: readonly QueryNode[];
  /** Per word of it the terms of the index; a prefix ends with *. */
  readonly terms: readonly (readonly string[])[];
  /** Which forms of these terms were typed. */
  readonly forms: readonly (readonly number[])[];
  /** Words in other forms are not what was asked for. */
  readonly only?: FormLimit;
  readonly phrase: boolean;
  readonly stop: boolean;
}

interface Typed {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Ways to read a phrase whose words have several stems; more would cost more than they find. */
const MOST_READINGS = 16;

/**
 * One word as typed. The analyzer may see several in it ("state-of-the-art", a run of Chinese): then they have to stand
 * side by side, or be written as one. Undefined where it holds no word at all.
 */
export function askedWord(analysed: readonly QueryTerm[], typed: Typed, phrase = false): AskedWord | undefined {
  const whole = sequenceNode(analysed);
  if (whole === undefined) return undefined;
  const words = meaningful(analysed);
  // A single word between quotation marks is meant as it is.
  const only = phrase && whole.kind === 'term' ? ({ only: 'form' } as const) : {};
  const node: QueryNode = 'only' in only ? { ...whole, ...only } : whole;
  return {
    text: typed.text,
    start: typed.start,
    end: typed.end,
    node,
    // A plain word by itself is the same question, whose answer the index may still have.
    loose:
      analysed.length === 1 && node === whole && node.kind === 'term' ? [node] : words.map((word) => termNode(word)),
    terms: words.map(shownTerms),
    forms: words.map(({ forms }) => forms),
    ...only,
    phrase: phrase && words.length > 1,
    stop: !phrase && words.every(({ stop }) => stop),
  };
}

/** Words that begin so. The terms of an index are stems, so the beginning itself, as a word, counts too. */
export function askedPrefix(
  analysed: readonly QueryTerm[],
  beginning: string,
  typed: Typed,
  field?: Field,
): AskedWord | undefined {
  const last = analysed.at(-1);
  if (last === undefined) return undefined;
  const before = sequenceNode(analysed.slice(0, -1), field);
  const limit = field === undefined ? {} : { field };
  const prefix: QueryNode = { kind: 'prefix', prefix: beginning, ...limit };
  const node: QueryNode = { kind: 'or', nodes: [prefix, { kind: 'term', terms: last.terms, ...limit }] };
  const whole: QueryNode = before === undefined ? node : { kind: 'and', nodes: [before, node] };
  return {
    text: typed.text,
    start: typed.start,
    end: typed.end,
    node: whole,
    loose: [whole],
    terms: [...analysed.slice(0, -1).map(({ terms }) => terms), [...last.terms, `${beginning}*`]],
    forms: [],
    phrase: false,
    stop: false,
  };
}

/**
 * Words side by side, stop words too; one term where documents write them as one. A name or flag with its signs counts as well,
 * so that documents with it as typed come first.
 */
export function sequenceNode(words: readonly QueryTerm[], field?: Field): QueryNode | undefined {
  const node = words.length > 1 ? sideBySide(words, field) : words.length === 1 ? termNode(words[0], field) : undefined;
  const verbatim = words[0]?.verbatim;
  if (node === undefined || verbatim?.words !== words.length) return node;
  const asTyped: QueryNode = { kind: 'term', terms: [verbatim.term], ...(field === undefined ? {} : { field }) };
  return { kind: 'or', nodes: node.kind === 'or' ? [...node.nodes, asTyped] : [node, asTyped] };
}

function sideBySide(words: readonly QueryTerm[], field?: Field): QueryNode {
  const limit = field === undefined ? {} : { field };
  const joined = words[0].terms.filter((term) => words.every(({ terms }) => terms.includes(term)));
  const apart = words.map(({ terms }) => terms.filter((term) => !joined.includes(term)));
  const offsets = words.map(({ position }) => position - words[0].position);
  // "word word": nothing tells the word from the joined one then.
  const parts = apart.every((terms) => terms.length > 0) ? apart : words.map(({ terms }) => terms);
  const formOf = (term: string, at: number): number => words[at].forms[words[at].terms.indexOf(term)];
  const nodes = readingsOf(parts).map(
    (terms): QueryNode => ({ kind: 'phrase', terms, offsets, forms: terms.map(formOf), ...limit }),
  );
  if (parts === apart && joined.length > 0) nodes.push({ kind: 'term', terms: joined, ...limit });
  return nodes.length === 1 ? nodes[0] : { kind: 'or', nodes };
}

function termNode({ terms, forms, prefix }: QueryTerm, field?: Field): QueryNode {
  const limit = field === undefined ? {} : { field };
  const term: QueryNode = { kind: 'term', terms, forms, ...limit };
  // One character of a script that is indexed by pairs stands at the beginning of the pairs.
  return prefix === true ? { kind: 'or', nodes: [term, { kind: 'prefix', prefix: terms[0], ...limit }] } : term;
}

function shownTerms({ terms, prefix }: QueryTerm): readonly string[] {
  return prefix === true ? [...terms, `${terms[0]}*`] : terms;
}

/** One term for each word, in every combination, the likeliest first. */
function readingsOf(words: readonly (readonly string[])[]): string[][] {
  let readings: string[][] = [[]];
  for (const terms of words) {
    const room = Math.max(1, Math.floor(MOST_READINGS / readings.length));
    const taken = terms.slice(0, room);
    // A long run of words that have one reading must not copy what was read for each of them.
    if (taken.length === 1) for (const reading of readings) reading.push(taken[0]);
    else readings = taken.flatMap((term) => readings.map((reading) => [...reading, term]));
  }
  return readings;
}

/** Stop words count where there is nothing else. */
function meaningful(analysed: readonly QueryTerm[]): readonly QueryTerm[] {
  const words = analysed.filter(({ stop }) => !stop);
  return words.length > 0 ? words : analysed;
}
