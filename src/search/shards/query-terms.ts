import type { QueryNode } from '../../contracts/search-index.ts';

/** The terms and prefixes of a query whose frequencies its scores depend on. */
export function queryTerms(node: QueryNode): {
  readonly terms: readonly string[];
  readonly prefixes: readonly string[];
} {
  switch (node.kind) {
    case 'term':
    case 'phrase':
      return { terms: [...new Set(node.terms)], prefixes: [] };
    case 'prefix':
      return { terms: [], prefixes: [node.prefix] };
    case 'not':
      return queryTerms(node.node);
    case 'and':
    case 'or': {
      const parts = node.nodes.map(queryTerms);
      return {
        terms: [...new Set(parts.flatMap(({ terms }) => terms))],
        prefixes: [...new Set(parts.flatMap(({ prefixes }) => prefixes))],
      };
    }
    case 'all':
      return { terms: [], prefixes: [] };
  }
}
