import { ByteWriter, widthOf } from '../../base/byte-writer.ts';
import type { CodeTable } from './code-table.ts';
import {
  choosePacking,
  HAS_ADDED_FORMS,
  HAS_EXCEPTIONS,
  HAS_FORMS,
  type Packing,
  writePacked,
} from './patched-bits.ts';
import { byteOfBound } from './quantise.ts';

/** Postings per block. */
export const BLOCK = 128;

/** Where bytes go, in order. */
export interface ByteSink {
  add(bytes: ByteWriter): void;
}

/** What the dictionary has to know of a term. */
export interface TermEntry {
  readonly documents: number;
  readonly postingsLength: number;
  readonly positionsLength: number;
}

/**
 * Writes the postings of one term after the other.
 *
 * Postings of a term: for each block but the last the last document (as a step), the lengths of its postings and of its
 * positions; for each block the bound of its weights; then the blocks: two widths, packed steps, packed codes
 * (patched-bits.ts); where a posting has other forms than the base form also a width and packed forms (form-marks.ts), and
 * likewise the forms that its anchors add.
 * Positions of a block: occurrences where the code does not tell them, a width, packed positions (the first of each
 * document whole, the others as steps).
 */
export class PostingWriter {
  readonly #postings: ByteSink;
  readonly #positions: ByteSink;
  readonly #codeTable: CodeTable;
  readonly #weigh: (document: number, code: number) => number;
  readonly #skips = new ByteWriter();
  readonly #blocks = new ByteWriter(1 << 16);
  readonly #places = new ByteWriter(1 << 16);
  readonly #steps = new Uint32Array(BLOCK);
  readonly #codes = new Uint32Array(BLOCK);
  readonly #forms = new Uint32Array(BLOCK);
  readonly #addedForms = new Uint32Array(BLOCK);
  readonly #counts = new Uint32Array(BLOCK);
  #values = new Uint32Array(1024);
  #valueCount = 0;
  #held = 0;
  #documents = 0;
  #last = -1;
  #lastOfBlock = -1;
  #bound = 0;
  /** Of the block before: whether there is one, its steps, and the lengths of its postings and places. */
  #hasBlock = false;
  #lastSteps = 0;
  #lastPostings = 0;
  #lastPlaces = 0;
  readonly #bounds = new ByteWriter();

  /** `weigh` tells the weight of a posting, for the bounds of the blocks. */
  constructor(
    postings: ByteSink,
    positions: ByteSink,
    codeTable: CodeTable,
    weigh: (document: number, code: number) => number,
  ) {
    this.#postings = postings;
    this.#positions = positions;
    this.#codeTable = codeTable;
    this.#weigh = weigh;
  }

  /** The next document of the term, with its ascending positions. */
  add(
    document: number,
    code: number,
    forms: number,
    addedForms: number,
    positions: Uint32Array,
    from: number,
    count: number,
  ): void {
    if (this.#held === BLOCK) this.#endBlock();
    const at = this.#held++;
    this.#steps[at] = document - this.#last - 1;
    this.#codes[at] = code;
    this.#forms[at] = forms;
    this.#addedForms[at] = addedForms;
    this.#counts[at] = count;
    this.#last = document;
    const weight = this.#weigh(document, code);
    if (weight > this.#bound) this.#bound = weight;
    if (this.#valueCount + count > this.#values.length) this.#growValues(count);
    const values = this.#values;
    let value = this.#valueCount;
    let before = 0;
    for (let i = from; i < from + count; i++) {
      values[value++] = positions[i] - before;
      before = positions[i];
    }
    this.#valueCount = value;
  }

  endTerm(): TermEntry {
    this.#endBlock();
    const entry = {
      documents: this.#documents,
      postingsLength: this.#skips.length + this.#bounds.length + this.#blocks.length,
      positionsLength: this.#places.length,
    };
    this.#postings.add(this.#skips);
    this.#postings.add(this.#bounds);
    this.#postings.add(this.#blocks);
    this.#positions.add(this.#places);
    this.#skips.clear();
    this.#bounds.clear();
    this.#blocks.clear();
    this.#places.clear();
    this.#documents = 0;
    this.#last = -1;
    this.#lastOfBlock = -1;
    this.#hasBlock = false;
    return entry;
  }

  #endBlock(): void {
    const count = this.#held;
    // Only now is it known that the block before was not the last of its term.
    if (this.#hasBlock) {
      this.#skips.varint(this.#lastSteps);
      this.#skips.varint(this.#lastPostings);
      this.#skips.varint(this.#lastPlaces);
    }
    const blocksBefore = this.#blocks.length;
    const placesBefore = this.#places.length;
    const steps = choosePacking(this.#steps, count);
    const codes = choosePacking(this.#codes, count);
    this.#blocks.byte(steps.width | (steps.exceptions > 0 ? HAS_EXCEPTIONS : 0));
    const forms = choosePacking(this.#forms, count);
    const added = choosePacking(this.#addedForms, count);
    this.#blocks.byte(
      codes.width |
        (codes.exceptions > 0 ? HAS_EXCEPTIONS : 0) |
        (isEmpty(forms) ? 0 : HAS_FORMS) |
        (isEmpty(added) ? 0 : HAS_ADDED_FORMS),
    );
    writePacked(this.#blocks, this.#steps, count, steps);
    writePacked(this.#blocks, this.#codes, count, codes);
    this.#writeForms(this.#forms, count, forms);
    this.#writeForms(this.#addedForms, count, added);
    this.#bounds.byte(byteOfBound(this.#bound));
    for (let i = 0; i < count; i++)
      if (this.#codeTable.occurrences[this.#codes[i]] < 0) this.#places.varint(this.#counts[i]);
    let allValues = 0;
    for (let i = 0; i < this.#valueCount; i++) allValues |= this.#values[i];
    const valueWidth = widthOf(allValues);
    this.#places.byte(valueWidth);
    this.#places.bits(this.#values, this.#valueCount, valueWidth);
    this.#hasBlock = true;
    this.#lastSteps = this.#last - this.#lastOfBlock;
    this.#lastPostings = this.#blocks.length - blocksBefore;
    this.#lastPlaces = this.#places.length - placesBefore;
    this.#documents += count;
    this.#lastOfBlock = this.#last;
    this.#held = 0;
    this.#valueCount = 0;
    this.#bound = 0;
  }

  #writeForms(values: Uint32Array, count: number, packing: Packing): void {
    if (isEmpty(packing)) return;
    this.#blocks.byte(packing.width | (packing.exceptions > 0 ? HAS_EXCEPTIONS : 0));
    writePacked(this.#blocks, values, count, packing);
  }

  #growValues(more: number): void {
    const larger = new Uint32Array(Math.max(this.#values.length * 2, this.#valueCount + more));
    larger.set(this.#values);
    this.#values = larger;
  }
}

function isEmpty({ width, exceptions }: Packing): boolean {
  return width === 0 && exceptions === 0;
}
