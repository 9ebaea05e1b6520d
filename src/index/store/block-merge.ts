import { FIELDS } from '../fields.ts';
import type { CodeTable } from '../format/code-table.ts';
import { type BlockRoom, type ByteWindow, readOnlyBlock, readOnlyPlaces } from '../format/only-block.ts';
import { BLOCK, type PostingRun, type PostingWriter } from '../format/posting-writer.ts';
import type { TermCursor } from '../format/term-cursor.ts';
import type { TermPositions } from '../format/term-positions.ts';
import type { TermPostings } from '../format/term-postings.ts';
import type { AnchorPostings } from './anchor-postings.ts';

const IN_ANCHORS = 1 << FIELDS.indexOf('anchors');
/** The number of a document that is left out. */
const LEFT_OUT = 0xffffffff;

/** The files of a segment that is merged. */
export interface MergedFiles {
  readonly codes: CodeTable;
  /** Bytes of a file and those around them. */
  readOn(part: 'postings' | 'positions', at: number, length: number): ByteWindow;
}

/** What becomes of the documents and codes of a segment that is merged. */
export interface MergedInput {
  /** The new number of each document, -1 for those left out. */
  readonly numbers: Int32Array;
  /** The new number of the first document that is not left out; the others follow. */
  readonly first: number;
  /** None is left out. */
  readonly isWhole: boolean;
  /** Where the anchors of each document that is not left out begin, -1 where they stay as they are. */
  readonly anchorsAt: Int32Array;
  /** The new code of each code. */
  readonly codes: Uint32Array;
}

/**
 * Takes postings over, block by block. Most stay as they are but for their numbers: those between two others that do not are
 * handed on at once, their positions as the steps that they are read and written as.
 */
export class BlockMerge implements PostingRun, BlockRoom {
  readonly documents: Uint32Array = new Uint32Array(BLOCK);
  readonly codes: Uint32Array = new Uint32Array(BLOCK);
  readonly forms: Uint32Array = new Uint32Array(BLOCK);
  readonly addedForms: Uint32Array = new Uint32Array(BLOCK);
  readonly counts: Uint32Array = new Uint32Array(BLOCK);
  hasForms = false;
  positionSteps: Uint32Array = new Uint32Array(BLOCK * 8);
  readonly #postings: PostingWriter;
  readonly #table: CodeTable;

  constructor(postings: PostingWriter, table: CodeTable) {
    this.#postings = postings;
    this.#table = table;
  }

  /** Returns how many postings were written, those that new anchors bring before them included. */
  take(
    from: TermPostings,
    positions: TermPositions,
    block: number,
    input: MergedInput,
    anchors: AnchorPostings | undefined,
  ): number {
    const count = from.readDocuments(block, this.documents);
    from.readCodes(block, this.codes);
    this.hasForms = from.hasForms(block);
    if (this.hasForms) from.readFormsApart(block, this.forms, this.addedForms);
    this.positionSteps = positions.readSteps(block, this.codes, this.counts, this.positionSteps);
    return this.#write(count, input, anchors);
  }

  /** The same of a term that has one block, and no renewed anchors. */
  takeOnly(from: MergedFiles, term: TermCursor, input: MergedInput, anchors: AnchorPostings | undefined): number {
    const { documents, postingsAt, postingsLength, positionsAt, positionsLength } = term;
    const postings = from.readOn('postings', postingsAt, postingsLength);
    readOnlyBlock(postings, postingsAt, postingsAt + postingsLength, documents, this);
    const places = from.readOn('positions', positionsAt, positionsLength);
    readOnlyPlaces(places, positionsAt, positionsAt + positionsLength, documents, from.codes, this);
    return this.#write(documents, input, anchors);
  }

  #write(count: number, input: MergedInput, anchors: AnchorPostings | undefined): number {
    const fields = this.#renumber(count, input);
    const hasAnchors =
      anchors !== undefined && (anchors.next <= this.documents[count - 1] || (fields & IN_ANCHORS) !== 0);
    if (hasAnchors || !input.isWhole) return this.#takeByRuns(count, input, anchors);
    this.#postings.addRun(this, 0, count, 0);
    return count;
  }

  /** Returns the fields that any of the postings is in. */
  #renumber(count: number, { numbers, codes: newCodes }: MergedInput): number {
    const { documents, codes } = this;
    const { uses, fields } = this.#table;
    let all = 0;
    for (let i = 0; i < count; i++) {
      const code = newCodes[codes[i]];
      documents[i] = numbers[documents[i]];
      codes[i] = code;
      uses[code]++;
      all |= fields[code];
    }
    return all;
  }

  #takeByRuns(count: number, { first, anchorsAt }: MergedInput, anchors: AnchorPostings | undefined): number {
    const { documents, codes, counts } = this;
    const table = this.#table;
    let written = 0;
    let from = 0;
    let fromAt = 0;
    for (let i = 0, at = 0; i < count; i++) {
      const document = documents[i];
      const start = at;
      at += counts[i];
      const isLeftOut = document === LEFT_OUT;
      if (!isLeftOut && (anchors === undefined || anchors.next > document)) {
        const isOutdated = (table.fields[codes[i]] & IN_ANCHORS) !== 0 && anchorsAt[document - first] >= 0;
        if (!isOutdated) continue;
      }
      this.#postings.addRun(this, from, i, fromAt);
      written += i - from;
      from = i;
      fromAt = start;
      if (!isLeftOut && anchors !== undefined) {
        written += anchors.writeBefore(document);
        const ownEnd = anchorsAt[document - first];
        if (ownEnd < 0 || !anchors.isTouched(document, codes[i])) continue;
        const forms = this.hasForms ? this.forms[i] : 0;
        if (anchors.writeChanged(document, codes[i], forms, this.positionSteps, start, at, ownEnd)) written++;
      }
      table.uses[codes[i]]--;
      from = i + 1;
      fromAt = at;
    }
    this.#postings.addRun(this, from, count, fromAt);
    return written + count - from;
  }
}
