import type { FactCounts } from '../../contracts/search-index.ts';
import type { SearchedSegment } from './searched-segment.ts';

const WORDS = ['host', 'mediaType', 'language'] as const;
const FIRST_YEAR = 1970;
/** The average year of the calendar: dividing by it is off by one year at most. */
const YEAR_MS = 365.2425 * 24 * 3600 * 1000;
/** When each year from 1970 on begins. */
const YEAR_STARTS = Float64Array.from({ length: 300 }, (_, year) => Date.UTC(FIRST_YEAR + year, 0, 1));

/** Counts the values of facts over many documents in one pass over the columns: by the numbers of words, not by the words. */
export function countFacts(documents: ArrayLike<number>, segments: readonly SearchedSegment[]): FactCounts {
  const counts = { host: new Map(), mediaType: new Map(), language: new Map(), year: new Map() };
  // Sorted, so that each segment has one run of them.
  const sorted = Float64Array.from(documents).sort();
  let at = 0;
  for (const { segment, base } of segments) {
    const { columns } = segment;
    const from = at;
    while (at < sorted.length && sorted[at] < base + segment.documents) at++;
    if (from === at) continue;
    for (const name of WORDS) {
      const words = columns.words(name);
      const ofWord = new Uint32Array(words.length);
      for (let of = from; of < at; of++) ofWord[columns.number(name, sorted[of] - base)]++;
      for (const [word, count] of ofWord.entries()) if (count > 0) add(counts[name], words[word], count);
    }
    for (let of = from; of < at; of++) {
      const date = columns.number('date', sorted[of] - base);
      if (date > 0) add(counts.year, yearOf(date), 1);
    }
  }
  return counts;
}

function add<Value>(counts: Map<Value, number>, value: Value, count: number): void {
  counts.set(value, (counts.get(value) ?? 0) + count);
}

/** A Date for each document would cost more than everything else here. */
function yearOf(date: number): number {
  const guess = Math.floor(date / YEAR_MS);
  for (let year = guess - 1; year <= guess + 1; year++)
    if (date >= YEAR_STARTS[year] && date < YEAR_STARTS[year + 1]) return FIRST_YEAR + year;
  return new Date(date).getUTCFullYear();
}
