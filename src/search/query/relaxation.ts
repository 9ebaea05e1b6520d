import type { BestMatches, IndexSnapshot, QueryNode, Scored } from '../../contracts/search-index.ts';
import type { AskedWord } from './asked-words.ts';
import type { ParsedQuery } from './query-parser.ts';

/** Matches of a query, those that have more of it first, until they are disposed of. */
export interface RelaxedMatches extends Disposable {
  /** All that were read or seen, in no order of meaning. */
  readonly documents: ArrayLike<number>;
  /** There may be matches besides `documents`. */
  readonly isPart: boolean;
  readonly total: number;
  readonly exact: boolean;
  /** The last step that was taken, for explaining scores. */
  readonly node: QueryNode;
  /** The words of the query as they were looked for in the end, to show hits with. */
  readonly asked: readonly AskedWord[];
  /** Those of `documents` that have everything that was asked for, where fewer than all have it; undefined where all have it. */
  readonly whole: ArrayLike<number> | undefined;
  /** Several words were asked for, and documents with all of them were looked for. */
  readonly several: boolean;
  /** The best `k` of each step, in order. */
  ranked(k: number): readonly Scored[];
  /** There may be matches beyond the best `k`. */
  hasMore(k: number): boolean;
  /** Words that no document has, or none of these, which are the best. */
  dropped(best: readonly Scored[]): readonly string[];
}

export interface WantedMatches {
  /** So many of the best. */
  readonly best: number;
  /** So many of any rank, to count by. */
  readonly seen?: number;
  /** With fewer matches words are given up. */
  readonly enough: number;
}

/** With more words than these a question is told in whole sentences: no document is expected to have them all. */
const LONG_QUESTION = 6;

/** Words in more documents are not narrowed to their own derivation: all postings would have to be read. */
const MOST_NARROWED = 50_000;

/**
 * Looks for documents with all words; where there are fewer than `enough`, goes on with those that have any, the best
 * first. (Measured: what a word is worth ranks them better than how many of the words they have.) What always has to
 * hold (exclusions, +words, operators) holds in every step, and phrases until there is nothing without giving them up.
 */
export function relaxedMatches(
  snapshot: IndexSnapshot,
  query: ParsedQuery & { readonly node: QueryNode },
  wanted: WantedMatches,
): RelaxedMatches {
  const { best, seen, enough } = wanted;
  const { steps, unknown } = stepsOf(snapshot, withNarrowExclusions(snapshot, query));
  const taken: BestMatches[] = [];
  let { node, asked } = query;
  let documents: ArrayLike<number> = [];
  for (const step of steps) {
    if ((taken.at(-1)?.total ?? 0) >= Math.min(step.least, enough)) break;
    node = step.node;
    asked = step.asked ?? query.asked;
    const matches = snapshot.matches(node, best, query.filter, seen);
    documents = taken.length === 0 ? matches.documents : unionOf(documents, matches.documents);
    taken.push(matches);
  }
  const [first, last] = [taken[0], taken[taken.length - 1]];
  const isShort = query.yielding.length <= LONG_QUESTION;
  return {
    documents,
    isPart: last.isPart,
    total: Math.max(last.total, documents.length),
    exact: last.exact,
    node,
    asked,
    whole: unknown.length > 0 ? [] : taken.length > 1 ? first.documents : undefined,
    several: isShort && [...query.yielding, ...query.phrases].flatMap(({ loose }) => loose).length > 1,
    ranked: (k) => rankedOf(taken, k),
    hasMore: (k) => last.best >= k,
    dropped: (best) => {
      const missing = taken.length > 1 && isShort ? missingWords(snapshot, query, best) : [];
      return [...new Set([...unknown, ...missing])];
    },
    [Symbol.dispose]: () => {
      for (const matches of taken) matches[Symbol.dispose]();
    },
  };
}

/** Another step is taken only where the ones before found few, which are looked for among the many that it finds. */
function unionOf(few: ArrayLike<number>, many: ArrayLike<number>): ArrayLike<number> {
  const numbers = many instanceof Uint32Array ? many : Uint32Array.from(many);
  const missing = Array.from(few).filter((document) => !numbers.includes(document));
  if (missing.length === 0) return numbers;
  const union = new Uint32Array(numbers.length + missing.length);
  union.set(numbers);
  union.set(missing, numbers.length);
  return union;
}

function rankedOf(steps: readonly BestMatches[], k: number): readonly Scored[] {
  if (steps.length === 1) return steps[0].top(k);
  const ranked = new Map<number, Scored>();
  for (const step of steps)
    for (const match of step.top(k)) if (!ranked.has(match.document)) ranked.set(match.document, match);
  return [...ranked.values()];
}

interface Step {
  readonly node: QueryNode;
  readonly least: number;
  /** Where it asks for the words otherwise than they were typed. */
  readonly asked?: readonly AskedWord[];
}

interface Steps {
  /** Each is taken while there are fewer than `least` matches. */
  readonly steps: readonly Step[];
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
  const steps: Step[] = [];
  const alone = known.length === 1 && phrases.length === 0 ? wordAlone(snapshot, known[0]) : undefined;
  const any = anyOf(known.flatMap(({ loose }) => loose));
  if (alone !== undefined) {
    const asked = query.asked.map((word) => (word === known[0] ? alone : word));
    steps.push({ node: allOf([alone.node, ...held]), least: Number.POSITIVE_INFINITY, asked });
  } else if (!isLong)
    steps.push({ node: allOf([...known.map(({ node }) => node), ...held]), least: Number.POSITIVE_INFINITY });
  if (any !== undefined)
    steps.push({ node: allOf([any, ...held]), least: alone === undefined ? Number.POSITIVE_INFINITY : 1 });
  const words = anyOf([...known, ...phrases].flatMap(({ loose }) => loose));
  // In whole sentences quotation marks are no commands; elsewhere a phrase is given up only for nothing.
  if (phrases.length > 0 && words !== undefined)
    steps.push({
      node: allOf([words, ...firm]),
      least: isLong ? Number.POSITIVE_INFINITY : 1,
      asked: query.asked.map(({ only: _, ...word }) => word),
    });
  return { steps, unknown };
}

/**
 * A word that is all there is to go by: nothing beside it tells whether others of its root are about the same (comprehension,
 * comprehensive), so they are looked for only where no document has the word itself.
 */
function wordAlone(snapshot: IndexSnapshot, word: AskedWord): AskedWord | undefined {
  const node = inOwnDerivation(snapshot, word.node);
  return node === undefined ? undefined : { ...word, node, only: 'derivation' };
}

function inOwnDerivation(snapshot: IndexSnapshot, node: QueryNode): QueryNode | undefined {
  if (node.kind !== 'term' || node.forms === undefined) return undefined;
  if (node.terms.reduce((sum, term) => sum + snapshot.frequency(term), 0) > MOST_NARROWED) return undefined;
  return { ...node, only: 'derivation' };
}

/** What is excluded is what the word alone would find: -comprehension says nothing of comprehensive guides. */
function withNarrowExclusions<Q extends { readonly node: QueryNode; readonly firm: readonly QueryNode[] }>(
  snapshot: IndexSnapshot,
  query: Q,
): Q {
  const narrowed = (node: QueryNode, not: boolean): QueryNode => {
    switch (node.kind) {
      case 'not':
        return { ...node, node: narrowed(node.node, !not) };
      case 'and':
      case 'or':
        return { ...node, nodes: node.nodes.map((part) => narrowed(part, not)) };
      case 'term': {
        // A quoted word is narrower already; words of a field are found in all their forms.
        const isWide = node.only === undefined && node.field === undefined;
        return (not && isWide && inOwnDerivation(snapshot, node)) || node;
      }
      default:
        return node;
    }
  };
  return { ...query, node: narrowed(query.node, false), firm: query.firm.map((node) => narrowed(node, false)) };
}

/** Whether any document may have the word. */
function isKnown(snapshot: IndexSnapshot, { terms }: AskedWord): boolean {
  return terms.every((alternatives) => alternatives.some((term) => term.endsWith('*') || snapshot.frequency(term) > 0));
}

/** Words that none of the best matches has. */
function missingWords(snapshot: IndexSnapshot, { yielding, phrases }: ParsedQuery, best: readonly Scored[]): string[] {
  const shown = best.map(({ document }) => document);
  return [...yielding, ...phrases].flatMap((word) => {
    if (word.text === '' || !word.terms.every((terms) => terms.some((term) => snapshot.frequency(term) > 0))) return [];
    return snapshot.matchesAny(word.node, shown) ? [] : [word.text];
  });
}

function allOf(nodes: readonly QueryNode[]): QueryNode {
  return nodes.length === 1 ? nodes[0] : { kind: 'and', nodes };
}

function anyOf(nodes: readonly QueryNode[]): QueryNode | undefined {
  return nodes.length > 1 ? { kind: 'or', nodes } : nodes[0];
}
