import { FIELDS } from '../fields.ts';
import type { TermPostings } from '../format/term-postings.ts';
import type { ListMemory } from '../memory/list-memory.ts';
import type { SearchMemory } from '../memory/search-memory.ts';
import type { ScoredList } from './scored-list.ts';
import type { SearchedSegment } from './searched-segment.ts';

/** This many lists are merged one into the other; more are added up over all documents of the segment. */
const MOST_MERGED = 4;

/** Postings of a term; `accepts`: those with such forms alone. */
export interface HeldTerm {
  readonly postings: TermPostings;
  readonly accepts?: (forms: number) => boolean;
}

/** Several terms as one word: their weights, added up, in the place of scores. `field`: of this field alone; -1: of all. */
export function unionOfTerms(
  held: readonly HeldTerm[],
  searched: SearchedSegment,
  field: number,
  memory: SearchMemory,
): ScoredList {
  const [documents, codes, forms] = [memory.blocks.take(), memory.blocks.take(), memory.blocks.take()];
  const lists = held.map((term) => weightsOf(term, searched, field, memory.lists, { documents, codes, forms }));
  if (lists.length === 0) return memory.lists.take(0);
  if (lists.length <= MOST_MERGED) return lists.reduce((a, b) => merged(a, b, memory.lists));
  return addedUp(lists, searched.segment.documents, memory.lists);
}

/** What a block of postings is unpacked to. */
interface Unpacked {
  readonly documents: Uint32Array;
  readonly codes: Uint32Array;
  readonly forms: Uint32Array;
}

function weightsOf(
  { postings, accepts }: HeldTerm,
  { segment, weigher }: SearchedSegment,
  field: number,
  memory: ListMemory,
  { documents: held, codes, forms }: Unpacked,
): ScoredList {
  const { documents, scores } = memory.take(postings.documents);
  const { levels } = segment.codes;
  let length = 0;
  for (let block = 0; block < postings.blocks; block++) {
    const count = postings.readDocuments(block, held);
    postings.readCodes(block, codes);
    if (accepts !== undefined) postings.readForms(block, forms);
    for (let at = 0; at < count; at++) {
      if (accepts?.(forms[at]) === false) continue;
      if (field >= 0 && levels[codes[at] * FIELDS.length + field] === 0) continue;
      documents[length] = held[at];
      scores[length++] =
        field < 0 ? weigher.weigh(held[at], codes[at]) : weigher.weighField(held[at], codes[at], field);
    }
  }
  return { documents: documents.subarray(0, length), scores: scores.subarray(0, length) };
}

function merged(a: ScoredList, b: ScoredList, memory: ListMemory): ScoredList {
  const { documents, scores } = memory.take(a.documents.length + b.documents.length);
  let length = 0;
  let inA = 0;
  let inB = 0;
  while (inA < a.documents.length && inB < b.documents.length) {
    const [ofA, ofB] = [a.documents[inA], b.documents[inB]];
    documents[length] = ofA < ofB ? ofA : ofB;
    scores[length++] = ofA < ofB ? a.scores[inA] : ofB < ofA ? b.scores[inB] : a.scores[inA] + b.scores[inB];
    if (ofA <= ofB) inA++;
    if (ofB <= ofA) inB++;
  }
  for (; inA < a.documents.length; inA++) {
    documents[length] = a.documents[inA];
    scores[length++] = a.scores[inA];
  }
  for (; inB < b.documents.length; inB++) {
    documents[length] = b.documents[inB];
    scores[length++] = b.scores[inB];
  }
  return { documents: documents.subarray(0, length), scores: scores.subarray(0, length) };
}

function addedUp(lists: readonly ScoredList[], all: number, memory: ListMemory): ScoredList {
  const weights = new Float64Array(all).fill(-1);
  let length = 0;
  for (const { documents, scores } of lists) {
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at];
      if (weights[document] < 0) {
        weights[document] = scores[at];
        length++;
      } else weights[document] += scores[at];
    }
  }
  const { documents, scores } = memory.take(length);
  for (let document = 0, at = 0; document < all; document++) {
    if (weights[document] < 0) continue;
    documents[at] = document;
    scores[at++] = weights[document];
  }
  return { documents, scores };
}
