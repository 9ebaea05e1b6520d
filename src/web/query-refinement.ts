import type { SearchAnswer } from '../contracts/search-service.ts';

export type FacetName = keyof NonNullable<SearchAnswer['facets']>;

/** The words of the query language that narrow a search to one value of a facet; undefined where it cannot be written. */
export function facetTerms(facet: FacetName, value: string): readonly string[] | undefined {
  if (value === '' || /[\s"()]/.test(value)) return undefined;
  switch (facet) {
    case 'host':
      return [`site:${value}`];
    case 'language':
      return [`lang:${value}`];
    case 'type':
      return [`filetype:${value}`];
    case 'year':
      return /^\d{4}$/.test(value) ? [`after:${value}`, `before:${Number(value) + 1}`] : undefined;
  }
}

/** Whether a query says this already. */
export function isRefined(query: string, terms: readonly string[]): boolean {
  const words = new Set(query.split(/\s+/));
  return terms.every((term) => words.has(term));
}

export function refine(query: string, terms: readonly string[]): string {
  const missing = terms.filter((term) => !isRefined(query, [term]));
  return [query.trim(), ...missing].join(' ').trim();
}

export function unrefine(query: string, terms: readonly string[]): string {
  return query
    .split(/\s+/)
    .filter((word) => word !== '' && !terms.includes(word))
    .join(' ');
}
