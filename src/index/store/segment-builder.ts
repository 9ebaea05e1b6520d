import type { IndexedDocument } from '../../contracts/search-index.ts';
import type { Analyze } from '../analyze.ts';
import { FIELDS } from '../fields.ts';
import { anchorSum } from '../format/anchor-sum.ts';
import { DocumentColumnsWriter } from '../format/document-columns.ts';
import type { PostingWriter } from '../format/posting-writer.ts';
import { byteOfLength, lengthOfByte } from '../format/quantise.ts';
import { urlText } from '../format/url-form.ts';
import { fieldNorms } from '../query/score-model.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { IndexDisk } from './index-disk.ts';
import { Occurrences } from './occurrences.ts';
import { SegmentWriter } from './segment-writer.ts';
import type { TermNumbers } from './term-numbers.ts';
import type { WordArrays } from './word-arrays.ts';
import { GatheredPostings } from './words/gathered-postings.ts';

const FIELD_COUNT = FIELDS.length;
const ANCHORS = FIELDS.indexOf('anchors');
/**
 * What one call works on. A segment has thousands of terms: the engine would compile a loop over all of them with each segment again, while it keeps
 * the code of a function that is called often.
 */
const TERMS_AT_ONCE = 128;

/** Documents in memory, on their way to a segment. */
export class SegmentBuilder {
  readonly #held: Occurrences;
  /** Where the fields of each document begin, and where the last one ends. */
  readonly #fieldStarts: number[] = [];
  readonly #strings: { readonly id: string; readonly title: string }[] = [];
  readonly #columns = new DocumentColumnsWriter();

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
    const sorted = this.#held.sortPacked();
    const gathered = new GatheredPostings(sorted, this.#fieldStarts, this.documents);
    for (let from = 0; from < sorted.order.length; from += TERMS_AT_ONCE) gathered.take(from, from + TERMS_AT_ONCE);
    const table = gathered.end();
    const norms = fieldNorms(ranking, this.#columns.lengthSums, this.documents);
    const postings = writer.beginTerms(table, this.#columns, norms, ranking);
    for (let from = 0; from < sorted.order.length; from += TERMS_AT_ONCE)
      this.#writeTerms(gathered, sorted.order.subarray(from, from + TERMS_AT_ONCE), from, postings, writer);
    for (const _slice of writer.writePairs());
    writer.finish(this.#columns);
  }

  #writeTerms(
    gathered: GatheredPostings,
    terms: Uint32Array,
    first: number,
    postings: PostingWriter,
    writer: SegmentWriter,
  ): void {
    const { numbers } = this.#held;
    for (let at = 0; at < terms.length; at++) {
      gathered.write(first + at, postings);
      writer.endNumbered(numbers, terms[at]);
    }
  }
}

function textOf(document: IndexedDocument, field: number): string {
  const name = FIELDS[field];
  return name === 'title' || name === 'headings' || name === 'body' || name === 'description' ? document[name] : '';
}
