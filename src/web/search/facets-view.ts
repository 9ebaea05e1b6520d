import type { FacetValue, SearchAnswer } from '../../contracts/search-service.ts';
import { type Html, html } from '../frame/html.ts';
import { searchLink } from '../frame/links.ts';
import type { LanguageNames } from './language-names.ts';
import { type FacetName, facetTerms, type Refinement } from './query-refinement.ts';
import { typeName } from './type-name.ts';

const TITLES: Readonly<Record<FacetName, string>> = { host: 'Host', language: 'Language', type: 'Type', year: 'Year' };
const COUNT = new Intl.NumberFormat('en', { notation: 'compact' });
/** Smaller numbers are written as they are, which takes a formatter a hundred times as long. */
const LEAST_COMPACT = 1_000;
const TYPES: Readonly<Record<string, string>> = { html: 'Web page', txt: 'Text', md: 'Markdown', feed: 'Feed' };
const MAX_VALUES = 8;

export interface FacetsOptions {
  readonly refinement: Refinement;
  readonly exactWords: boolean;
  readonly languages: LanguageNames;
}

/** Ways to narrow the search, as links that say so in the query itself. */
export function facetsView(facets: SearchAnswer['facets'], options: FacetsOptions): Html | undefined {
  if (facets === undefined) return undefined;
  const names = (Object.keys(TITLES) as FacetName[]).filter((name) =>
    isWorthShowing(options.refinement, name, facets[name]),
  );
  if (names.length === 0) return undefined;
  return html`<aside class="facets" aria-label="Narrow the search">${names.map(
    (name) =>
      html`<section><h2>${TITLES[name]}</h2><ul>${facets[name]
        .slice(0, MAX_VALUES)
        .map((value) => valueView(name, value, options))}</ul></section>`,
  )}</aside>`;
}

/** A facet with one value narrows nothing, unless it is the one that was chosen. */
function isWorthShowing(refinement: Refinement, name: FacetName, values: readonly FacetValue[]): boolean {
  if (values.length !== 1) return values.length > 1;
  const terms = facetTerms(name, values[0].value);
  return terms !== undefined && refinement.has(terms);
}

function valueView(name: FacetName, { value, count }: FacetValue, options: FacetsOptions): Html {
  const { refinement, exactWords, languages } = options;
  const text = html`<span class="value" dir="auto">${labelOf(name, value, languages)}</span> <span class="number">${count < LEAST_COMPACT ? count : COUNT.format(count)}</span>`;
  const terms = facetTerms(name, value);
  if (terms === undefined) return html`<li>${text}</li>`;
  if (!refinement.has(terms))
    return html`<li><a href="${searchLink(refinement.with(terms), exactWords)}">${text}</a></li>`;
  return html`<li><a class="chosen" aria-current="true" href="${searchLink(refinement.without(terms), exactWords)}">${text}<span class="hidden"> (chosen; follow to remove)</span></a></li>`;
}

function labelOf(name: FacetName, value: string, languages: LanguageNames): string {
  if (value === '') return 'unknown';
  if (name === 'type')
    return value.includes('/') ? (typeName(value) ?? 'Web page') : (TYPES[value] ?? value.toUpperCase());
  return name === 'language' ? languages.of(value) : value;
}
