import type { FactCounts, ValueCounts } from '../../contracts/search-index.ts';
import { FAR_YEAR, NO_YEAR, YEAR_CODES, yearOfCode } from '../format/year-codes.ts';
import type { ColumnBuffers } from '../memory/column-buffers.ts';
import { documentsBySegment } from './documents-by-segment.ts';
import type { SearchedSegment } from './searched-segment.ts';
import { type SnapshotWords, WORD_FACTS } from './snapshot-words.ts';

/** The years that have a code. */
const YEARS = Array.from({ length: FAR_YEAR - NO_YEAR - 1 }, (_, at) => yearOfCode(NO_YEAR + 1 + at));

/** Counts the values of facts over many documents by reading columns alone: by the numbers of words, not by the words. */
export function countFacts(
  documents: ArrayLike<number>,
  segments: readonly SearchedSegment[],
  snapshotWords: SnapshotWords,
  buffers: ColumnBuffers,
): FactCounts {
  const facts = WORD_FACTS.map((name) => {
    const { words, places } = snapshotWords.of(name);
    return { name, places, values: words, counts: new Uint32Array(words.length) };
  });
  const ofYear = new Uint32Array(YEAR_CODES);
  const far = new Map<number, number>();
  for (const [at, local] of documentsBySegment(documents, segments, buffers).entries()) {
    const { columns } = segments[at].segment;
    if (local.length === 0) continue;
    for (const { name, places, counts } of facts) {
      const placesHere = places[at];
      const ofWord = buffers.counts(placesHere.length);
      columns.column(name).tally(local, ofWord);
      for (let word = 0; word < placesHere.length; word++) counts[placesHere[word]] += ofWord[word];
    }
    const { years } = columns;
    const farBefore = ofYear[FAR_YEAR];
    for (let document = 0; document < local.length; document++) ofYear[years[local[document]]]++;
    if (ofYear[FAR_YEAR] === farBefore) continue;
    for (const document of local) {
      if (years[document] !== FAR_YEAR) continue;
      const year = new Date(columns.number('date', document)).getUTCFullYear();
      far.set(year, (far.get(year) ?? 0) + 1);
    }
  }
  const [host, mediaType, language] = facts;
  return { host, mediaType, language, year: yearCounts(ofYear, far) };
}

function yearCounts(ofYear: Uint32Array, far: ReadonlyMap<number, number>): ValueCounts<number> {
  const counts = ofYear.subarray(NO_YEAR + 1, FAR_YEAR);
  if (far.size === 0) return { values: YEARS, counts };
  return { values: [...YEARS, ...far.keys()], counts: [...counts, ...far.values()] };
}
