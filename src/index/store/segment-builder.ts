import type { IndexedDocument } from '../../contracts/search-index.ts';
import type { Analyze } from '../analyze.ts';
import { FIELDS } from '../fields.ts';
import { anchorSum } from '../format/anchor-sum.ts';
import { DocumentColumnsWriter } from '../format/document-columns.ts';
import { byteOfLength, lengthOfByte } from '../format/quantise.ts';
import { urlText } from '../format/url-form.ts';
import { fieldNorms, normTables } from '../query/score-model.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { IndexDisk } from './index-disk.ts';
import { SegmentWriter } from './segment-writer.ts';
import { TermNumbers } from './term-numbers.ts';
import { GatheredPostings } from './words/gathered-postings.ts';
import { GatheredWords } from './words/gathered-words.ts';
import { PostingMemory } from './words/posting-memory.ts';

const FIELD_COUNT = FIELDS.length;
const ANCHORS = FIELDS.indexOf('anchors');
/** Documents in memory, on their way to a segment. */
export class SegmentBuilder {
  readonly #memory: PostingMemory;
  readonly #numbers: TermNumbers;
  readonly #held: GatheredWords;
  readonly #strings: { readonly id: string; readonly title: string }[] = [];
  readonly #columns = new DocumentColumnsWriter();

  constructor(analyze: Analyze, memory = new PostingMemory(), numbers = new TermNumbers()) {
    this.#memory = memory;
    this.#numbers = numbers;
    this.#held = new GatheredWords(analyze, memory, numbers);
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
        if (text !== '') used = this.#held.add(field, text, language, start);
      }
      lengths[field] = byteOfLength(used);
      start += lengthOfByte(lengths[field]);
    }
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
    const gathered = new GatheredPostings(this.#memory, this.#held.codes, this.#numbers);
    const norms = fieldNorms(ranking, this.#columns.lengthSums, this.documents);
    writer.beginCoded(gathered.table, this.#columns, norms, ranking);
    gathered.write(writer, normTables(norms), this.#columns.lengthColumns());
    for (const _slice of writer.writePairs());
    writer.finish(this.#columns);
  }
}

function textOf(document: IndexedDocument, field: number): string {
  const name = FIELDS[field];
  return name === 'title' || name === 'headings' || name === 'body' || name === 'description' ? document[name] : '';
}
