import type { FactCounts, ValueCounts } from '../../contracts/search-index.ts';
import type { FacetValue, SearchAnswer } from '../../contracts/search-service.ts';
import { fileTypeName } from '../query/file-types.ts';

type Facets = NonNullable<SearchAnswer['facets']>;

/** More values than a reader looks through help nobody. */
const MOST_VALUES = 20;

/**
 * How matches spread over hosts, languages, kinds of files and years; each value as its operator takes it. `weight`: each
 * match that was counted stands for so many.
 */
export function facetsOf({ host, language, mediaType, year }: FactCounts, weight = 1): Facets {
  return {
    host: mostFrequent(host, weight),
    language: mostFrequent(language, weight),
    type: mostFrequent(typeCounts(mediaType), weight),
    year: mostFrequent(year, weight).sort((a, b) => Number(b.value) - Number(a.value)),
  };
}

/** Several media types may be one kind of file. */
function typeCounts({ values, counts }: FactCounts['mediaType']): ValueCounts<string> {
  const types = new Map<string, number>();
  for (const [at, name] of values.entries()) {
    if (name === '' || counts[at] === 0) continue;
    const shown = fileTypeName(name);
    types.set(shown, (types.get(shown) ?? 0) + counts[at]);
  }
  return { values: [...types.keys()], counts: [...types.values()] };
}

function mostFrequent({ values, counts }: ValueCounts<string | number>, weight: number): FacetValue[] {
  const least = leastShown(counts);
  const shown: FacetValue[] = [];
  // Most values are of few documents each: only those that may be shown are written and put in order.
  for (let at = 0; at < counts.length; at++)
    if (counts[at] >= least && values[at] !== '')
      shown.push({ value: String(values[at]), count: Math.round(counts[at] * weight) });
  return shown.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, MOST_VALUES);
}

/** No value of fewer documents is among the most frequent. Hosts are many: sorting all their counts would take the longest. */
function leastShown(counts: ArrayLike<number>): number {
  const most: number[] = [];
  for (let place = 0; place < counts.length; place++) {
    const count = counts[place];
    if (count === 0 || (most.length > MOST_VALUES && count <= most[MOST_VALUES])) continue;
    let at = most.length;
    while (at > 0 && most[at - 1] < count) at--;
    most.splice(at, 0, count);
    if (most.length > MOST_VALUES + 1) most.pop();
  }
  return most[MOST_VALUES] ?? 1;
}
