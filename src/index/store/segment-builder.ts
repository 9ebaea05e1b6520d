import type { IndexedDocument } from '../../contracts/search-index.ts';
import type { Analyze } from '../analyze.ts';
import { FIELDS } from '../fields.ts';
import { ANCHOR_STEPS, anchorSum } from '../format/anchor-sum.ts';
import { CodeCounter, type CodeTable } from '../format/code-table.ts';
import { DocumentColumnsWriter } from '../format/document-columns.ts';
import { addedForms, FORM_MARKS, ownForms } from '../format/form-marks.ts';
import type { PostingWriter } from '../format/posting-writer.ts';
import { byteOfLength, lengthOfByte, levelOfAnchorWeight, levelOfFrequency } from '../format/quantise.ts';
import { urlText } from '../format/url-form.ts';
import { fieldNorms } from '../query/score-model.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { IndexDisk } from './index-disk.ts';
import { Occurrences, POSITION_BITS, POSITION_MASK, type SortedOccurrences } from './occurrences.ts';
import { SegmentWriter } from './segment-writer.ts';
import type { TermNumbers } from './term-numbers.ts';
import type { WordArrays } from './word-arrays.ts';

const FIELD_COUNT = FIELDS.length;
const TITLE = FIELDS.indexOf('title');
const BODY = FIELDS.indexOf('body');
const ANCHORS = FIELDS.indexOf('anchors');
/**
 * What one call works on. A segment has thousands of terms: the engine would compile a loop over all of them with each segment again, while it keeps
 * the code of a function that is called often.
 */
const TERMS_AT_ONCE = 128;
const OCCURRENCES_AT_ONCE = 4096;

/** What is used again from term to term while postings get their codes. */
interface Coding {
  readonly counter: CodeCounter;
  readonly levels: Uint8Array;
  /** The common case, words of the body alone, by its frequency. */
  readonly bodyCodes: number[];
}

/** Documents in memory, on their way to a segment. */
export class SegmentBuilder {
  readonly #held: Occurrences;
  /** Where the fields of each document begin, and where the last one ends. */
  readonly #fieldStarts: number[] = [];
  readonly #strings: { readonly id: string; readonly title: string }[] = [];
  readonly #columns = new DocumentColumnsWriter();
  readonly #frequencies = new Float64Array(FIELD_COUNT);

  constructor(analyze: Analyze, arrays?: WordArrays, numbers?: TermNumbers) {
    this.#held = new Occurrences(analyze, arrays, numbers);
  }

  get documents(): number {
    return this.#held.documents;
  }

  /** Words held; each takes about 16 bytes until the segment is written. */
  get occurrences(): number {
    return this.#held.count;
  }

  /** Returns the number of the document in the segment to be. */
  add(document: IndexedDocument): number {
    const { language } = document.facts;
    const lengths = new Uint8Array(FIELD_COUNT);
    let start = 0;
    for (let field = 0; field < FIELD_COUNT; field++) {
      let used = 0;
      if (field === ANCHORS) used = this.#held.addAnchors(document.anchors, language, start);
      else {
        const text = FIELDS[field] === 'url' ? urlText(document.id) : textOf(document, field);
        if (text !== '') used = this.#held.add(text, language, start);
      }
      lengths[field] = byteOfLength(used);
      this.#fieldStarts.push(start);
      start += lengthOfByte(lengths[field]);
    }
    this.#fieldStarts.push(start);
    this.#strings.push({ id: document.id, title: document.title });
    this.#columns.add(document.id, document.facts, lengths, anchorSum(document.anchors));
    return this.#held.endDocument();
  }

  /** Writes everything held as a segment. Where that fails nothing is left of it, and it can be tried again. */
  write(disk: IndexDisk, folder: string, name: string, ranking: RankingOptions): SegmentWriter {
    const writer = new SegmentWriter(disk, folder, name);
    try {
      this.#writeTo(writer, ranking);
      return writer;
    } catch (error) {
      writer.discard();
      throw error;
    }
  }

  #writeTo(writer: SegmentWriter, ranking: RankingOptions): void {
    for (const { id, title } of this.#strings) writer.addStrings(id, title);
    const sorted = this.#held.sort();
    const table = this.#codeOccurrences(sorted);
    const norms = fieldNorms(ranking, this.#columns.lengthSums, this.documents);
    const postings = writer.beginTerms(table, this.#columns, norms, ranking);
    for (let from = 0; from < sorted.order.length; from += TERMS_AT_ONCE)
      this.#writeTerms(sorted, from, from + TERMS_AT_ONCE, postings, writer);
    for (const _slice of writer.writePairs());
    writer.finish(this.#columns);
  }

  #writeTerms(
    sorted: SortedOccurrences,
    from: number,
    to: number,
    postings: PostingWriter,
    writer: SegmentWriter,
  ): void {
    const { terms, order, starts } = sorted;
    for (const term of order.subarray(from, to)) {
      this.#writePostings(sorted, starts[term], starts[term + 1], postings);
      writer.endTerm(terms[term]);
    }
  }

  #writePostings(sorted: SortedOccurrences, start: number, end: number, postings: PostingWriter): void {
    const { documents, codes, places, forms, counts } = sorted;
    for (let at = start; at < end; at++) places[at] &= POSITION_MASK;
    for (let at = start; at < end; at += counts[at])
      this.#writePosting(postings, documents[at], codes[at], places, forms, at, counts[at]);
  }

  /** Puts down for the first occurrence of each posting how many there are, and the code of their fields. */
  #codeOccurrences(sorted: SortedOccurrences): CodeTable {
    const { order, counts, codes } = sorted;
    const coding: Coding = { counter: new CodeCounter(), levels: new Uint8Array(FIELD_COUNT), bodyCodes: [] };
    // In the order of the dictionary, so that the codes do not depend on which segment was written before.
    for (let from = 0; from < order.length; from += TERMS_AT_ONCE)
      this.#codeTerms(sorted, from, from + TERMS_AT_ONCE, coding);
    const { table, lasting } = coding.counter.sorted();
    for (let at = 0; at < codes.length; ) at = recode(codes, counts, at, lasting);
    return table;
  }

  #codeTerms(sorted: SortedOccurrences, from: number, to: number, coding: Coding): void {
    const { order, starts } = sorted;
    for (const term of order.subarray(from, to)) this.#codeTerm(sorted, starts[term], starts[term + 1], coding);
  }

  /** A function of its own: as the inner of two loops it is optimised, and given up again, a hundred times in a crawl. */
  #codeTerm(
    { documents, places, counts, codes }: SortedOccurrences,
    start: number,
    last: number,
    coding: Coding,
  ): void {
    const { counter, levels, bodyCodes } = coding;
    for (let at = start; at < last; ) {
      const document = documents[at];
      const fields = document * (FIELD_COUNT + 1);
      let end = at + 1;
      while (end < last && documents[end] === document) end++;
      const count = end - at;
      counts[at] = count;
      const bodyAlone =
        (places[at] & POSITION_MASK) >= this.#fieldStarts[fields + BODY] &&
        (places[end - 1] & POSITION_MASK) < this.#fieldStarts[fields + BODY + 1];
      if (bodyAlone && bodyCodes[count] !== undefined) {
        codes[at] = bodyCodes[count];
        counter.count(codes[at]);
      } else {
        this.#fieldLevels(fields, places, at, end, levels);
        codes[at] = counter.code(levels, 0, 1);
        if (bodyAlone) bodyCodes[count] = codes[at];
      }
      at = end;
    }
  }

  #fieldLevels(fields: number, places: Uint32Array, from: number, to: number, levels: Uint8Array): void {
    const frequencies = this.#frequencies.fill(0);
    let field = 0;
    for (let at = from; at < to; at++) {
      const position = places[at] & POSITION_MASK;
      while (field + 1 < FIELD_COUNT && position >= this.#fieldStarts[fields + field + 1]) field++;
      frequencies[field] += field === ANCHORS ? (places[at] >>> POSITION_BITS) / ANCHOR_STEPS : 1;
    }
    for (let field = 0; field < FIELD_COUNT; field++) {
      levels[field] =
        field === ANCHORS ? levelOfAnchorWeight(frequencies[field]) : levelOfFrequency(frequencies[field]);
    }
  }

  /** Places are without their weights here. */
  #writePosting(
    postings: PostingWriter,
    document: number,
    code: number,
    places: Uint32Array,
    forms: Uint8Array,
    from: number,
    count: number,
  ): void {
    const fields = document * (FIELD_COUNT + 1);
    const titleEnd = this.#fieldStarts[fields + TITLE + 1];
    const anchorsAt = this.#fieldStarts[fields + ANCHORS];
    let own = 0;
    let title = 0;
    let anchors = 0;
    for (let at = from; at < from + count; at++) {
      const mark = FORM_MARKS[forms[at]];
      if (places[at] >= anchorsAt) anchors |= mark;
      else own |= mark;
      if (places[at] < titleEnd) title |= mark;
    }
    postings.add(document, code, ownForms(own, title, anchors), addedForms(own, anchors), places, from, count);
  }
}

/** Gives some postings the codes that last. Returns the first occurrence of the next one. */
function recode(codes: Uint32Array, counts: Uint32Array, from: number, lasting: Uint32Array): number {
  const to = Math.min(codes.length, from + OCCURRENCES_AT_ONCE);
  let at = from;
  for (; at < to; at += counts[at]) codes[at] = lasting[codes[at]];
  return at;
}

function textOf(document: IndexedDocument, field: number): string {
  const name = FIELDS[field];
  return name === 'title' || name === 'headings' || name === 'body' || name === 'description' ? document[name] : '';
}
