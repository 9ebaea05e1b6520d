import type { DocumentFacts } from '../contracts/search-index.ts';
import type { FacetValue, SearchAnswer } from '../contracts/search-service.ts';
import { fileTypeName } from './file-types.ts';

type Facets = NonNullable<SearchAnswer['facets']>;

/** More values than a reader looks through help nobody. */
const MOST_VALUES = 20;

/** How the matches spread over hosts, languages, kinds of files and years; each value as its operator takes it. */
export function facetsOf(matches: Iterable<DocumentFacts>): Facets {
  const host = new Map<string, number>();
  const language = new Map<string, number>();
  const mediaType = new Map<string, number>();
  const year = new Map<string, number>();
  for (const facts of matches) {
    count(host, facts.host);
    count(language, facts.language);
    count(mediaType, facts.mediaType);
    if (facts.date > 0) count(year, String(new Date(facts.date).getUTCFullYear()));
  }
  const type = new Map<string, number>();
  for (const [name, n] of mediaType) count(type, fileTypeName(name), n);
  return {
    host: mostFrequent(host),
    language: mostFrequent(language),
    type: mostFrequent(type),
    year: mostFrequent(year).sort((a, b) => Number(b.value) - Number(a.value)),
  };
}

function count(counts: Map<string, number>, value: string, n = 1): void {
  if (value !== '') counts.set(value, (counts.get(value) ?? 0) + n);
}

function mostFrequent(counts: ReadonlyMap<string, number>): FacetValue[] {
  return [...counts]
    .map(([value, n]) => ({ value, count: n }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MOST_VALUES);
}
