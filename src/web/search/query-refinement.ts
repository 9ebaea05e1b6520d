import type { SearchAnswer } from '../../contracts/search-service.ts';

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

/** A query that links of its page narrow and widen; it is taken apart once for all of them. */
export class Refinement {
  readonly #query: string;
  readonly #words: ReadonlySet<string>;

  constructor(query: string) {
    this.#query = query.trim();
    this.#words = new Set(query.split(/\s+/));
  }

  /** Whether the query says this already. */
  has(terms: readonly string[]): boolean {
    return terms.every((term) => this.#words.has(term));
  }

  with(terms: readonly string[]): string {
    const missing = terms.filter((term) => !this.#words.has(term));
    return [this.#query, ...missing].join(' ').trim();
  }

  without(terms: readonly string[]): string {
    return this.#query
      .split(/\s+/)
      .filter((word) => !terms.includes(word))
      .join(' ');
  }
}
