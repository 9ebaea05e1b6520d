import { FIELDS } from '../../fields.ts';
import { ANCHOR_STEPS } from '../../format/anchor-sum.ts';
import { CodeCounter, type CodeTable } from '../../format/code-table.ts';
import { addedForms, FORM_MARKS, formsOf, ownForms } from '../../format/form-marks.ts';
import type { PostingRun, PostingWriter } from '../../format/posting-writer.ts';
import { levelOfAnchorWeight, levelOfFrequency } from '../../format/quantise.ts';
import { FORM_BITS, FORM_MASK, type PackedOccurrences, POSITION_BITS, POSITION_MASK } from '../occurrences.ts';

const FIELD_COUNT = FIELDS.length;
const TITLE = FIELDS.indexOf('title');
const BODY = FIELDS.indexOf('body');
const ANCHORS = FIELDS.indexOf('anchors');
/** What one call works on: see SegmentBuilder. */
const POSTINGS_AT_ONCE = 4096;

/**
 * Makes postings of the words of documents, term by term in the order of the dictionary. How many words a posting has cannot be foreseen, and
 * a processor that guesses wrong with each of them loses more time than all else takes: what is done for each word goes without a
 * question.
 */
export class GatheredPostings implements PostingRun {
  documents: Uint32Array;
  codes: Uint32Array;
  forms: Uint32Array;
  addedForms: Uint32Array;
  counts: Uint32Array;
  readonly positionSteps: Uint32Array;
  /** Whether any posting of the term that is written has forms. */
  hasForms = true;
  readonly #sorted: PackedOccurrences;
  readonly #fieldStarts: readonly number[];
  /** Where the postings of each term begin, and where their positions do; and where the last ends. */
  readonly #postingsAt: Uint32Array;
  readonly #stepsAt: Uint32Array;
  /** The words with which the postings of a term begin, and where the last ends. */
  readonly #firsts: Uint32Array;
  /** 1 for each term that has forms in any posting. */
  readonly #formed: Uint8Array;
  readonly #counter = new CodeCounter();
  readonly #levels = new Uint8Array(FIELD_COUNT);
  readonly #frequencies = new Float64Array(FIELD_COUNT);
  /** The common case, words of the body alone, by how many they are. */
  readonly #bodyCodes: number[] = [];

  /** `fieldStarts`: where the fields of each document begin, and where the last one ends. */
  constructor(sorted: PackedOccurrences, fieldStarts: readonly number[], documents: number) {
    this.#sorted = sorted;
    this.#fieldStarts = fieldStarts;
    this.#postingsAt = new Uint32Array(sorted.order.length + 1);
    this.#stepsAt = new Uint32Array(sorted.order.length + 1);
    this.#firsts = new Uint32Array(documents + 2);
    this.#formed = new Uint8Array(sorted.order.length);
    const { postings } = sorted;
    this.documents = postings.documents;
    this.codes = postings.codes;
    this.forms = postings.forms;
    this.addedForms = postings.addedForms;
    this.counts = postings.counts;
    this.positionSteps = postings.positionSteps;
  }

  /** Takes the words of some terms, in the order of the dictionary, so that codes do not depend on which segment was written before. */
  take(from: number, to: number): void {
    const { order, starts } = this.#sorted;
    const end = Math.min(order.length, to);
    for (let term = from; term < end; term++) this.#takeTerm(term, starts[order[term]], starts[order[term] + 1]);
  }

  /** After the last term: gives the postings the codes that last. */
  end(): CodeTable {
    const { table, lasting } = this.#counter.sorted();
    const count = this.#postingsAt[this.#sorted.order.length];
    for (let from = 0; from < count; from += POSTINGS_AT_ONCE)
      recode(this.codes, from, Math.min(count, from + POSTINGS_AT_ONCE), lasting);
    return table;
  }

  write(term: number, postings: PostingWriter): void {
    this.hasForms = this.#formed[term] === 1;
    postings.addRun(this, this.#postingsAt[term], this.#postingsAt[term + 1], this.#stepsAt[term]);
  }

  #takeTerm(term: number, start: number, end: number): void {
    const { words } = this.#sorted;
    const firsts = this.#firsts;
    const steps = this.positionSteps;
    const stepsAt = this.#stepsAt[term];
    let count = 0;
    let anyForms = 0;
    // Of another document, whichever comes first.
    let before = words[2 * start + 1] ^ (1 << FORM_BITS);
    let positionBefore = 0;
    for (let at = start, step = stepsAt; at < end; at++, step++) {
      const position = words[2 * at] & POSITION_MASK;
      const word = words[2 * at + 1];
      const difference = (word ^ before) >>> FORM_BITS;
      // All bits where the document is another one.
      const isOther = -difference >> 31;
      firsts[count] = at;
      count -= isOther;
      steps[step] = position - (positionBefore & ~isOther);
      anyForms |= word;
      before = word;
      positionBefore = position;
    }
    firsts[count] = end;
    const first = this.#postingsAt[term];
    if (first + count > this.documents.length) this.#grow(first + count);
    const hasForms = (anyForms & FORM_MASK) !== 0;
    if (hasForms) this.#formed[term] = 1;
    this.#describe(first, count, hasForms);
    this.#postingsAt[term + 1] = first + count;
    this.#stepsAt[term + 1] = stepsAt + end - start;
  }

  #grow(count: number): void {
    const { postings } = this.#sorted;
    postings.grow(count);
    this.documents = postings.documents;
    this.codes = postings.codes;
    this.forms = postings.forms;
    this.addedForms = postings.addedForms;
    this.counts = postings.counts;
  }

  #describe(first: number, count: number, hasForms: boolean): void {
    const { words } = this.#sorted;
    const { documents, codes, forms, addedForms, counts } = this;
    const firsts = this.#firsts;
    const starts = this.#fieldStarts;
    for (let i = 0; i < count; i++) {
      const posting = first + i;
      const from = firsts[i];
      const to = firsts[i + 1];
      const document = words[2 * from + 1] >>> FORM_BITS;
      const fields = document * (FIELD_COUNT + 1);
      documents[posting] = document;
      counts[posting] = to - from;
      const isOfBody =
        (words[2 * from] & POSITION_MASK) >= starts[fields + BODY] &&
        (words[2 * to - 2] & POSITION_MASK) < starts[fields + BODY + 1];
      codes[posting] = isOfBody ? this.#codeOfBody(to - from) : this.#codeOf(fields, from, to);
      if (!hasForms) continue;
      if (isOfBody) {
        forms[posting] = formsOf(marksOf(words, from, to), 0);
        addedForms[posting] = 0;
      } else this.#markForms(posting, fields, from, to);
    }
  }

  #codeOfBody(count: number): number {
    const known = this.#bodyCodes[count];
    if (known !== undefined) {
      this.#counter.count(known);
      return known;
    }
    const levels = this.#levels.fill(0);
    levels[BODY] = levelOfFrequency(count);
    const code = this.#counter.code(levels, 0, 1);
    this.#bodyCodes[count] = code;
    return code;
  }

  #codeOf(fields: number, from: number, to: number): number {
    const { words } = this.#sorted;
    const starts = this.#fieldStarts;
    const frequencies = this.#frequencies.fill(0);
    let field = 0;
    for (let at = from; at < to; at++) {
      const place = words[2 * at];
      const position = place & POSITION_MASK;
      while (field + 1 < FIELD_COUNT && position >= starts[fields + field + 1]) field++;
      frequencies[field] += field === ANCHORS ? (place >>> POSITION_BITS) / ANCHOR_STEPS : 1;
    }
    const levels = this.#levels;
    for (let field = 0; field < FIELD_COUNT; field++)
      levels[field] =
        field === ANCHORS ? levelOfAnchorWeight(frequencies[field]) : levelOfFrequency(frequencies[field]);
    return this.#counter.code(levels, 0, 1);
  }

  #markForms(posting: number, fields: number, from: number, to: number): void {
    const { words } = this.#sorted;
    const titleEnd = this.#fieldStarts[fields + TITLE + 1];
    const anchorsAt = this.#fieldStarts[fields + ANCHORS];
    let own = 0;
    let title = 0;
    let anchors = 0;
    for (let at = from; at < to; at++) {
      const position = words[2 * at] & POSITION_MASK;
      const mark = FORM_MARKS[words[2 * at + 1] & FORM_MASK];
      if (position >= anchorsAt) anchors |= mark;
      else own |= mark;
      if (position < titleEnd) title |= mark;
    }
    this.forms[posting] = ownForms(own, title, anchors);
    this.addedForms[posting] = addedForms(own, anchors);
  }
}

function marksOf(words: Uint32Array, from: number, to: number): number {
  let marks = 0;
  for (let at = from; at < to; at++) marks |= FORM_MARKS[words[2 * at + 1] & FORM_MASK];
  return marks;
}

function recode(codes: Uint32Array, from: number, to: number, lasting: Uint32Array): void {
  for (let at = from; at < to; at++) codes[at] = lasting[codes[at]];
}
