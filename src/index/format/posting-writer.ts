import { ByteWriter, widthOf } from '../../base/byte-writer.ts';
import { FIELDS } from '../fields.ts';
import type { CodeTable } from './code-table.ts';
import {
  choosePacking,
  HAS_ADDED_FORMS,
  HAS_EXCEPTIONS,
  HAS_FORMS,
  NOTHING,
  type Packing,
  writePacked,
} from './patched-bits.ts';
import { byteOfBound } from './quantise.ts';

/** The bit of anchors among those of fields. */
export const IN_ANCHORS = 1 << FIELDS.indexOf('anchors');

/** Postings per block. */
export const BLOCK = 128;

/** Where bytes go, in order. */
export interface ByteSink {
  add(bytes: ByteWriter): void;
}

/** Tells the weights of postings, for the bounds of the blocks. */
export interface PostingWeights {
  weigh(document: number, code: number): number;
  /** The largest weight of the postings from one to another. */
  heaviest(documents: Uint32Array, codes: Uint32Array, from: number, to: number): number;
}

/** Postings as they are read of a block: of each its document, its code and so on, all at the same place. */
export interface PostingRun {
  readonly documents: Uint32Array;
  readonly codes: Uint32Array;
  /** Read only where it `hasForms`. */
  readonly forms: Uint32Array;
  readonly addedForms: Uint32Array;
  readonly hasForms: boolean;
  /** How many positions each has. */
  readonly counts: Uint32Array;
  /** One posting after the other: its first position whole, the others as steps. */
  readonly positionSteps: Uint32Array;
}

/** What the dictionary has to know of a term. */
export interface TermEntry {
  readonly documents: number;
  readonly postingsLength: number;
  readonly positionsLength: number;
  /** Whether anchors of a document hold it. */
  readonly hasAnchors: boolean;
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
  readonly #weights: PostingWeights;
  readonly #skips = new ByteWriter();
  readonly #blocks = new ByteWriter(1 << 16);
  readonly #places = new ByteWriter(1 << 16);
  readonly #steps = new Uint32Array(BLOCK);
  readonly #codes = new Uint32Array(BLOCK);
  /** 0 where nothing is held yet: most postings have none. */
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
  /** Whether any posting of the block has forms, or forms that its anchors add. */
  #anyForms = 0;
  #anyAdded = 0;
  /** Fields that hold the term, of postings whose codes do not tell their occurrences: anchors are among them. */
  #fields = 0;
  /** Of the block before: whether there is one, its steps, and the lengths of its postings and places. */
  #hasBlock = false;
  #lastSteps = 0;
  #lastPostings = 0;
  #lastPlaces = 0;
  readonly #bounds = new ByteWriter();

  constructor(postings: ByteSink, positions: ByteSink, codeTable: CodeTable, weights: PostingWeights) {
    this.#postings = postings;
    this.#positions = positions;
    this.#codeTable = codeTable;
    this.#weights = weights;
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
    this.#anyForms |= forms;
    this.#anyAdded |= addedForms;
    this.#counts[at] = count;
    this.#last = document;
    const weight = this.#weights.weigh(document, code);
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

  /** The next documents of the term: the postings of a run from one to another, whose positions begin `at` a place. */
  addRun(run: PostingRun, from: number, to: number, at: number): void {
    let positionsAt = at;
    for (let next = from; next < to; ) {
      if (this.#held === BLOCK) this.#endBlock();
      const end = Math.min(to, next + BLOCK - this.#held);
      positionsAt = this.#addPart(run, next, end, positionsAt);
      next = end;
    }
  }

  /** The same where the block has room for all of them. Returns where the positions of the next one begin. */
  #addPart(run: PostingRun, from: number, to: number, positionsAt: number): number {
    const { documents, codes, counts, positionSteps } = run;
    const held = this.#held;
    const steps = this.#steps;
    const heldCodes = this.#codes;
    const heldCounts = this.#counts;
    let last = this.#last;
    let end = positionsAt;
    for (let i = from, at = held; i < to; i++, at++) {
      const document = documents[i];
      const count = counts[i];
      steps[at] = document - last - 1;
      last = document;
      heldCodes[at] = codes[i];
      heldCounts[at] = count;
      end += count;
    }
    this.#last = last;
    this.#held = held + to - from;
    this.#takeForms(run, from, to, held);
    this.#bound = Math.max(this.#bound, this.#weights.heaviest(documents, codes, from, to));
    const length = end - positionsAt;
    if (this.#valueCount + length > this.#values.length) this.#growValues(length);
    const values = this.#values;
    for (let at = positionsAt, value = this.#valueCount; at < end; at++) values[value++] = positionSteps[at];
    this.#valueCount += length;
    return end;
  }

  #takeForms({ forms, addedForms, hasForms }: PostingRun, from: number, to: number, held: number): void {
    if (!hasForms) return;
    for (let i = from, at = held; i < to; i++, at++) {
      this.#forms[at] = forms[i];
      this.#addedForms[at] = addedForms[i];
      this.#anyForms |= forms[i];
      this.#anyAdded |= addedForms[i];
    }
  }

  endTerm(): TermEntry {
    this.#endBlock();
    const entry = {
      documents: this.#documents,
      postingsLength: this.#skips.length + this.#bounds.length + this.#blocks.length,
      positionsLength: this.#places.length,
      hasAnchors: (this.#fields & IN_ANCHORS) !== 0,
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
    this.#fields = 0;
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
    const forms = this.#anyForms === 0 ? NOTHING : choosePacking(this.#forms, count);
    const added = this.#anyAdded === 0 ? NOTHING : choosePacking(this.#addedForms, count);
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
    const { occurrences, fields } = this.#codeTable;
    for (let i = 0; i < count; i++) {
      if (occurrences[this.#codes[i]] >= 0) continue;
      this.#places.varint(this.#counts[i]);
      this.#fields |= fields[this.#codes[i]];
    }
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
    if (this.#anyForms !== 0) this.#forms.fill(0, 0, count);
    if (this.#anyAdded !== 0) this.#addedForms.fill(0, 0, count);
    this.#anyForms = 0;
    this.#anyAdded = 0;
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
