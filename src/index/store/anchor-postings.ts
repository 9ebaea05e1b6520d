import { FIELDS } from '../fields.ts';
import { ANCHOR_STEPS } from '../format/anchor-sum.ts';
import type { CodeTable } from '../format/code-table.ts';
import { addedForms, FORM_MARKS, marksOf, ownForms } from '../format/form-marks.ts';
import type { PostingWriter } from '../format/posting-writer.ts';
import { levelOfAnchorWeight } from '../format/quantise.ts';
import { POSITION_BITS, POSITION_MASK, type SortedOccurrences } from './occurrences.ts';

const COUNT = FIELDS.length;
const ANCHORS = FIELDS.indexOf('anchors');
const NO_STEPS = new Uint32Array(0);

/**
 * New anchors of documents, as postings that a merge puts in the place of those they had. Goes through the terms, and through
 * the documents of each, in the order of the merge.
 */
export class AnchorPostings {
  readonly #sorted: SortedOccurrences;
  readonly #postings: PostingWriter;
  readonly #codes: CodeTable;
  readonly #levels = new Uint8Array(COUNT);
  #next = 0;
  /** Of the term whose turn it is: the next occurrence, and the end of them. */
  #at = 0;
  #end = 0;
  /** Of the term whose turn it is: the next document that has it in new anchors; `Infinity` after the last. */
  next = Number.POSITIVE_INFINITY;
  #positions = new Uint32Array(256);

  constructor(anchors: SortedOccurrences, postings: PostingWriter, codes: CodeTable) {
    this.#sorted = anchors;
    this.#postings = postings;
    this.#codes = codes;
  }

  /** The next term that anchors have. */
  get term(): string | undefined {
    return this.#next < this.#sorted.order.length ? this.#sorted.terms[this.#sorted.order[this.#next]] : undefined;
  }

  /** The term whose turn it is has come: its postings are written from here on. */
  beginTerm(term: string): void {
    const has = this.term === term;
    const number = has ? this.#sorted.order[this.#next++] : 0;
    this.#at = has ? this.#sorted.starts[number] : 0;
    this.#end = has ? this.#sorted.starts[number + 1] : 0;
    this.#findNext();
  }

  /** Writes the documents before this one that have the term in new anchors alone. Returns how many these were. */
  writeBefore(document: number): number {
    let written = 0;
    for (; this.next < document; written++) {
      this.#levels.fill(0);
      this.#write(this.next, 0, NO_STEPS, 0, 0);
    }
    return written;
  }

  /** Whether the term is in the former anchors of the document, by its code, or in the new ones. */
  isTouched(document: number, code: number): boolean {
    return this.next === document || this.#codes.levels[code * COUNT + ANCHORS] > 0;
  }

  /**
   * Writes a posting of a document that has new anchors in the place of those it had; of the positions whose `steps` are those
   * from `from` to `to` the ones below `anchorsAt` are of other fields. False where nothing is left to write.
   */
  writeChanged(
    document: number,
    code: number,
    forms: number,
    steps: Uint32Array,
    from: number,
    to: number,
    anchorsAt: number,
  ): boolean {
    let end = from;
    for (let position = steps[from]; end < to && position < anchorsAt; position += steps[end]) end++;
    if (end === from && this.next !== document) return false;
    this.#levels.set(this.#codes.levels.subarray(code * COUNT, (code + 1) * COUNT));
    this.#write(document, end === from ? 0 : forms, steps, from, end);
    return true;
  }

  #findNext(): void {
    this.next = this.#at < this.#end ? this.#sorted.documents[this.#at] : Number.POSITIVE_INFINITY;
  }

  /** With the new anchors of the document, where it has the term there. The levels are those of the other fields. */
  #write(document: number, forms: number, ownSteps: Uint32Array, from: number, to: number): void {
    const { documents, places, forms: anchorForms } = this.#sorted;
    let end = this.#at;
    while (end < this.#end && documents[end] === document) end++;
    const count = to - from + end - this.#at;
    if (count > this.#positions.length) this.#positions = new Uint32Array(count * 2);
    const positions = this.#positions;
    let length = 0;
    for (let at = from, position = 0; at < to; at++) {
      position += ownSteps[at];
      positions[length++] = position;
    }
    let weight = 0;
    let marks = 0;
    for (let at = this.#at; at < end; at++) {
      positions[length++] = places[at] & POSITION_MASK;
      weight += (places[at] >>> POSITION_BITS) / ANCHOR_STEPS;
      marks |= FORM_MARKS[anchorForms[at]];
    }
    this.#at = end;
    this.#findNext();
    this.#levels[ANCHORS] = levelOfAnchorWeight(weight);
    const ownMarks = from === to ? 0 : marksOf(forms);
    const code = this.#codes.codeOf(this.#levels);
    this.#codes.uses[code]++;
    const allForms = ownMarks === 0 ? ownForms(0, 0, marks) : forms;
    this.#postings.add(document, code, allForms, addedForms(ownMarks, marks), positions, 0, count);
  }
}
