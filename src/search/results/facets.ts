import type { FactCounts } from '../../contracts/search-index.ts';
import type { FacetValue, SearchAnswer } from '../../contracts/search-service.ts';
import { fileTypeName } from '../query/file-types.ts';

type Facets = NonNullable<SearchAnswer['facets']>;

/** More values than a reader looks through help nobody. */
const MOST_VALUES = 20;

/** How matches spread over hosts, languages, kinds of files and years; each value as its operator takes it. */
export function facetsOf({ host, language, mediaType, year }: FactCounts): Facets {
  const type = new Map<string, number>();
  for (const [name, count] of mediaType) {
    if (name === '') continue;
    const shown = fileTypeName(name);
    type.set(shown, (type.get(shown) ?? 0) + count);
  }
  return {
    host: mostFrequent(host),
    language: mostFrequent(language),
    type: mostFrequent(type),
    year: mostFrequent(year).sort((a, b) => Number(b.value) - Number(a.value)),
  };
}

function mostFrequent(counts: ReadonlyMap<string | number, number>): FacetValue[] {
  const least = leastShown(counts.values());
  return (
    [...counts]
      // Most values are of few documents each: only those that may be shown are written and put in order.
      .filter(([value, n]) => value !== '' && n >= least)
      .map(([value, n]) => ({ value: String(value), count: n }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, MOST_VALUES)
  );
}

/** No value of fewer documents is among the most frequent. Hosts are many: sorting all their counts would take the longest. */
function leastShown(counts: Iterable<number>): number {
  const most: number[] = [];
  for (const count of counts) {
    if (most.length > MOST_VALUES && count <= most[MOST_VALUES]) continue;
    let at = most.length;
    while (at > 0 && most[at - 1] < count) at--;
    most.splice(at, 0, count);
    if (most.length > MOST_VALUES + 1) most.pop();
  }
  return most[MOST_VALUES] ?? 0;
}
