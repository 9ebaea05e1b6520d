import type { FactCounts } from '../../contracts/search-index.ts';
import { FAR_YEAR, NO_YEAR, YEAR_CODES, yearOfCode } from '../format/year-codes.ts';
import type { ColumnBuffers } from './column-buffers.ts';
import { documentsOfSegment } from './documents-of-segment.ts';
import type { SearchedSegment } from './searched-segment.ts';

const WORDS = ['host', 'mediaType', 'language'] as const;

/** Counts the values of facts over many documents by reading columns alone: by the numbers of words, not by the words. */
export function countFacts(
  documents: ArrayLike<number>,
  segments: readonly SearchedSegment[],
  buffers: ColumnBuffers,
): FactCounts {
  const counts = { host: new Map(), mediaType: new Map(), language: new Map(), year: new Map() };
  for (const searched of segments) {
    const { columns } = searched.segment;
    const local = documentsOfSegment(documents, searched, buffers);
    if (local.length === 0) continue;
    for (const name of WORDS) {
      const words = columns.words(name);
      const ofWord = new Uint32Array(words.length);
      columns.column(name).tally(local, ofWord);
      for (let word = 0; word < ofWord.length; word++)
        if (ofWord[word] > 0) add(counts[name], words[word], ofWord[word]);
    }
    const { years } = columns;
    const ofYear = new Uint32Array(YEAR_CODES);
    for (let at = 0; at < local.length; at++) ofYear[years[local[at]]]++;
    for (let code = NO_YEAR + 1; code < FAR_YEAR; code++)
      if (ofYear[code] > 0) add(counts.year, yearOfCode(code), ofYear[code]);
    if (ofYear[FAR_YEAR] === 0) continue;
    for (const document of local)
      if (years[document] === FAR_YEAR)
        add(counts.year, new Date(columns.number('date', document)).getUTCFullYear(), 1);
  }
  return counts;
}

function add<Value>(counts: Map<Value, number>, value: Value, count: number): void {
  counts.set(value, (counts.get(value) ?? 0) + count);
}
