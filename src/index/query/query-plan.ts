import type { QueryNode } from '../../contracts/search-index.ts';
import type { RankingOptions } from '../ranking-options.ts';
import { inverseDocumentFrequency } from './score-model.ts';

type Leaf = Extract<QueryNode, { kind: 'term' | 'phrase' | 'prefix' }>;

/** What has to be known of a leaf in all segments before it can be scored in one. */
export interface LeafPlan {
  /** The terms that stand for it; those of a phrase in order. */
  readonly terms: readonly string[];
  /** Documents that hold it, at most. */
  readonly documents: number;
  /** Its score where it occurs without end. */
  readonly weight: number;
}

/** What a plan asks of the snapshot. */
export interface PlanStatistics {
  readonly documents: number;
  frequency(term: string): number;
  terms(prefix: string, limit: number): readonly { readonly term: string; readonly documents: number }[];
}

/** A prefix stands for this many terms at most, the most frequent ones. */
const PREFIX_TERMS = 256;

/** The leaves of a query with their weights. */
export class QueryPlan {
  readonly #leaves = new Map<QueryNode, LeafPlan>();

  constructor(query: QueryNode, statistics: PlanStatistics, ranking: RankingOptions) {
    this.#visit(query, statistics, ranking);
  }

  leaf(node: QueryNode): LeafPlan {
    return this.#leaves.get(node)!;
  }

  #visit(node: QueryNode, statistics: PlanStatistics, ranking: RankingOptions): void {
    if (node.kind === 'all') return;
    if (node.kind === 'not') this.#visit(node.node, statistics, ranking);
    else if (node.kind === 'and' || node.kind === 'or') {
      for (const inner of node.nodes) this.#visit(inner, statistics, ranking);
    } else this.#leaves.set(node, planLeaf(node, statistics, ranking));
  }
}

function planLeaf(node: Leaf, statistics: PlanStatistics, ranking: RankingOptions): LeafPlan {
  const scale = ranking.k1 + 1;
  const total = statistics.documents;
  if (node.kind === 'phrase') {
    const frequencies = node.terms.map((term) => statistics.frequency(term));
    const sum = frequencies.reduce((all, frequency) => all + inverseDocumentFrequency(total, frequency), 0);
    return { terms: node.terms, documents: Math.min(...frequencies, total), weight: sum * scale };
  }
  const found =
    node.kind === 'prefix'
      ? statistics.terms(node.prefix, PREFIX_TERMS)
      : [...new Set(node.terms)].map((term) => ({ term, documents: statistics.frequency(term) }));
  const sum = found.reduce((all, { documents }) => all + documents, 0);
  const boost = node.kind === 'term' ? (node.boost ?? 1) : 1;
  const documents = Math.min(sum, total);
  return {
    terms: found.map(({ term }) => term),
    documents,
    weight: inverseDocumentFrequency(total, documents) * boost * scale,
  };
}

/** The words of a query that a document is meant to have, in order, for proximity. */
export function wantedWords(node: QueryNode): Leaf[] {
  if (node.kind === 'term') return [node];
  if (node.kind === 'and' || node.kind === 'or') return node.nodes.flatMap(wantedWords);
  return [];
}
