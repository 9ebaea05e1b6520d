import type { IndexSnapshot, QueryNode, Scored } from '../contracts/search-index.ts';
import type { AskedWord } from './asked-words.ts';
import type { ParsedQuery } from './query-parser.ts';

/** Matches of a query, those that have more of it first. */
export interface RelaxedMatches {
  readonly ranked: readonly Scored[];
  readonly total: number;
  readonly exact: boolean;
  /** The last step that was taken, for explaining scores. */
  readonly node: QueryNode;
  /** How many of `ranked` have everything that was asked for. */
  readonly whole: number;
  /** There may be more matches than were asked for. */
  readonly more: boolean;
  /** Words that no document has, or none of the best. */
  readonly dropped: readonly string[];
}

/** With more words than these a question is told in whole sentences: no document is expected to have them all. */
const LONG_QUESTION = 6;

/**
 * Looks for documents with all words; where there are fewer than `enough`, goes on with those that have any, the best
 * first. (Measured: what a word is worth ranks them better than how many of the words they have.) What always has to
 * hold (exclusions, +words, operators) holds in every step, and phrases until there is nothing without giving them up.
 */
export function relaxedTop(
  snapshot: IndexSnapshot,
  query: ParsedQuery & { readonly node: QueryNode },
  k: number,
  enough: number,
): RelaxedMatches {
  const ranked: Scored[] = [];
  const seen = new Set<number>();
  const { steps, unknown } = stepsOf(snapshot, query);
  let found = { total: 0, exact: true, more: false, node: query.node };
  let whole = 0;
  let taken = 0;
  for (const { node, least } of steps) {
    if (taken > 0 && ranked.length >= Math.min(least, enough)) break;
    const { top, total, exact } = snapshot.top(node, k, query.filter);
    for (const match of top) {
      if (seen.has(match.document)) continue;
      seen.add(match.document);
      ranked.push(match);
    }
    if (taken++ === 0 && unknown.length === 0) whole = ranked.length;
    found = { total: Math.max(total, ranked.length), exact, more: top.length >= k, node };
  }
  const isShort = query.yielding.length <= LONG_QUESTION;
  const missing = taken > 1 && isShort ? missingWords(snapshot, query, found.node, ranked.slice(0, enough), k) : [];
  return { ranked, ...found, whole, dropped: [...new Set([...unknown, ...missing])] };
}

interface Steps {
  /** Each is taken while there are fewer than `least` matches. */
  readonly steps: readonly { readonly node: QueryNode; readonly least: number }[];
  /** Words that no document has at all: they are given up before any other. */
  readonly unknown: readonly string[];
}

function stepsOf(snapshot: IndexSnapshot, query: ParsedQuery & { readonly node: QueryNode }): Steps {
  const { yielding, firm, phrases } = query;
  const held = [...phrases.map(({ node }) => node), ...firm];
  const isLong = yielding.length > LONG_QUESTION;
  const known = isLong ? yielding : yielding.filter((word) => isKnown(snapshot, word));
  const unknown = yielding.filter((word) => !known.includes(word)).map(({ text }) => text);
  // Nothing left to look for: documents that merely lack what is excluded were not asked for.
  if (known.length + phrases.length === 0) return { steps: [{ node: query.node, least: 1 }], unknown: [] };
  const steps: { node: QueryNode; least: number }[] = [];
  const any = anyOf(known.flatMap(({ loose }) => loose));
  if (!isLong)
    steps.push({ node: allOf([...known.map(({ node }) => node), ...held]), least: Number.POSITIVE_INFINITY });
  if (any !== undefined) steps.push({ node: allOf([any, ...held]), least: Number.POSITIVE_INFINITY });
  const words = anyOf([...known, ...phrases].flatMap(({ loose }) => loose));
  // In whole sentences quotation marks are no commands; elsewhere a phrase is given up only for nothing.
  if (phrases.length > 0 && words !== undefined)
    steps.push({ node: allOf([words, ...firm]), least: isLong ? Number.POSITIVE_INFINITY : 1 });
  return { steps, unknown };
}

/** Whether any document may have the word. */
function isKnown(snapshot: IndexSnapshot, { terms }: AskedWord): boolean {
  return terms.every((alternatives) => alternatives.some((term) => term.endsWith('*') || snapshot.frequency(term) > 0));
}

/** Words that none of the best matches has. */
function missingWords(
  snapshot: IndexSnapshot,
  { yielding, phrases, filter }: ParsedQuery,
  node: QueryNode,
  best: readonly Scored[],
  k: number,
): string[] {
  const shown = new Set(best.map(({ document }) => document));
  return [...yielding, ...phrases].flatMap((word) => {
    if (word.text === '' || !word.terms.every((terms) => terms.some((term) => snapshot.frequency(term) > 0))) return [];
    const having = snapshot.top({ kind: 'and', nodes: [node, word.node] }, k, filter).top;
    return having.some(({ document }) => shown.has(document)) ? [] : [word.text];
  });
}

function allOf(nodes: readonly QueryNode[]): QueryNode {
  return nodes.length === 1 ? nodes[0] : { kind: 'and', nodes };
}

function anyOf(nodes: readonly QueryNode[]): QueryNode | undefined {
  return nodes.length > 1 ? { kind: 'or', nodes } : nodes[0];
}
