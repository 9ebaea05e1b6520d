import type { FactCounts } from '../../contracts/search-index.ts';
import { documentsOfSegment } from './documents-of-segment.ts';
import type { SearchedSegment } from './searched-segment.ts';

const WORDS = ['host', 'mediaType', 'language'] as const;
const FIRST_YEAR = 1970;
/** The average year of the calendar: dividing by it is off by one year at most. */
const YEAR_MS = 365.2425 * 24 * 3600 * 1000;
/** When each year from 1970 on begins. */
const YEAR_STARTS = Float64Array.from({ length: 300 }, (_, year) => Date.UTC(FIRST_YEAR + year, 0, 1));

/** Counts the values of facts over many documents by reading columns alone: by the numbers of words, not by the words. */
export function countFacts(documents: ArrayLike<number>, segments: readonly SearchedSegment[]): FactCounts {
  const counts = { host: new Map(), mediaType: new Map(), language: new Map(), year: new Map() };
  const values = new Float64Array(documents.length);
  for (const searched of segments) {
    const { columns } = searched.segment;
    const local = documentsOfSegment(documents, searched);
    if (local.length === 0) continue;
    for (const name of WORDS) {
      const words = columns.words(name);
      const ofWord = new Uint32Array(words.length);
      columns.column(name).read(local, values);
      for (let at = 0; at < local.length; at++) ofWord[values[at]]++;
      for (let word = 0; word < ofWord.length; word++)
        if (ofWord[word] > 0) add(counts[name], words[word], ofWord[word]);
    }
    const ofYear = new Uint32Array(YEAR_STARTS.length);
    columns.column('date').read(local, values);
    for (let at = 0; at < local.length; at++) {
      const date = values[at];
      if (date <= 0) continue;
      const year = yearOf(date);
      if (year < ofYear.length) ofYear[year]++;
      else add(counts.year, new Date(date).getUTCFullYear(), 1);
    }
    for (let year = 0; year < ofYear.length; year++)
      if (ofYear[year] > 0) add(counts.year, FIRST_YEAR + year, ofYear[year]);
  }
  return counts;
}

function add<Value>(counts: Map<Value, number>, value: Value, count: number): void {
  counts.set(value, (counts.get(value) ?? 0) + count);
}

/** Years since 1970; as many as the table has, or more, where it does not reach. A Date for each document would cost far more. */
function yearOf(date: number): number {
  let year = Math.floor(date / YEAR_MS);
  if (year + 1 >= YEAR_STARTS.length) return YEAR_STARTS.length;
  if (date >= YEAR_STARTS[year + 1]) year++;
  else if (date < YEAR_STARTS[year]) year--;
  return year;
}
