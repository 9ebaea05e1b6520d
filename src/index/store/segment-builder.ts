import type { IndexedDocument } from '../../contracts/search-index.ts';
import type { Analyze } from '../analyze.ts';
import { FIELDS } from '../fields.ts';
import { ANCHOR_STEPS, anchorLevel, anchorSum } from '../format/anchor-sum.ts';
import { CodeCounter } from '../format/code-table.ts';
import { DocumentColumnsWriter } from '../format/document-columns.ts';
import { formsOf, markOfForm } from '../format/form-marks.ts';
import { byteOfLength, lengthOfByte, levelOfAnchorWeight, levelOfFrequency } from '../format/quantise.ts';
import { urlText } from '../format/url-form.ts';
import { fieldNorms } from '../query/score-model.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { IndexDisk } from './index-disk.ts';
import { SegmentWriter } from './segment-writer.ts';

const FIELD_COUNT = FIELDS.length;
const TITLE = FIELDS.indexOf('title');
const BODY = FIELDS.indexOf('body');
const ANCHORS = FIELDS.indexOf('anchors');
/** A position takes the lower bits, the weight of an anchor the upper ones. */
const POSITION_BITS = 24;
const POSITION_MASK = 2 ** POSITION_BITS - 1;
/** Between two anchors, so that no phrase reaches from one into the next. */
const ANCHOR_GAP = 1;

/**
 * Documents in memory, on their way to a segment. Every occurrence is three numbers in arrival order; one counting sort
 * by term turns that into postings, so that adding a word costs a look-up of its term and two stores.
 */
export class SegmentBuilder {
  readonly #analyze: Analyze;
  readonly #terms = new Map<string, number>();
  #occurrenceTerms = new Uint32Array(1 << 16);
  #occurrencePlaces = new Uint32Array(1 << 16);
  #occurrenceForms = new Uint8Array(1 << 16);
  #occurrences = 0;
  /** Occurrences up to the end of each document. */
  readonly #documentEnds: number[] = [];
  /** Where the fields of each document begin, and where the last one ends. */
  readonly #fieldStarts: number[] = [];
  readonly #strings: { readonly id: string; readonly title: string }[] = [];
  readonly #columns = new DocumentColumnsWriter();
  readonly #marks = Uint16Array.from({ length: 256 }, (_, form) => markOfForm(form));

  constructor(analyze: Analyze) {
    this.#analyze = analyze;
  }

  get documents(): number {
    return this.#documentEnds.length;
  }

  /** Words held; each takes about 16 bytes until the segment is written. */
  get occurrences(): number {
    return this.#occurrences;
  }

  /** Returns the number of the document in the segment to be. */
  add(document: IndexedDocument): number {
    const { language } = document.facts;
    const lengths = new Uint8Array(FIELD_COUNT);
    let start = 0;
    for (let field = 0; field < FIELD_COUNT; field++) {
      let used = 0;
      if (field === ANCHORS) {
        for (const anchor of document.anchors) {
          const weight = anchorLevel(anchor);
          const length = this.#gather(anchor.text, language, start + used, weight);
          if (length > 0) used += length + ANCHOR_GAP;
        }
      } else {
        const text = FIELDS[field] === 'url' ? urlText(document.id) : textOf(document, field);
        if (text !== '') used = this.#gather(text, language, start, 0);
      }
      lengths[field] = byteOfLength(used);
      this.#fieldStarts.push(start);
      start += lengthOfByte(lengths[field]);
    }
    this.#fieldStarts.push(start);
    this.#documentEnds.push(this.#occurrences);
    this.#strings.push({ id: document.id, title: document.title });
    this.#columns.add(document.id, document.facts, lengths, anchorSum(document.anchors));
    return this.documents - 1;
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
    const { starts, documents, places, forms } = this.#sortByTerm();
    const { counts, codes, table } = this.#codeOccurrences(starts, documents, places);
    const norms = fieldNorms(ranking, this.#columns.lengthSums, this.documents);
    const postings = writer.beginTerms(table, this.#columns, norms);
    for (let i = 0; i < places.length; i++) places[i] &= POSITION_MASK;
    const names = [...this.#terms.keys()];
    const order = names.map((_, term) => term).sort((a, b) => (names[a] < names[b] ? -1 : 1));
    for (const term of order) {
      for (let at = starts[term]; at < starts[term + 1]; ) {
        postings.add(
          documents[at],
          codes[at],
          this.#formsOf(documents[at], places, forms, at, counts[at]),
          places,
          at,
          counts[at],
        );
        at += counts[at];
      }
      writer.endTerm(names[term]);
    }
    writer.finish(this.#columns);
  }

  #gather(text: string, language: string, start: number, anchorWeight: number): number {
    const weight = anchorWeight << POSITION_BITS;
    return this.#analyze(text, language, (term, position, form = 0) => {
      let number = this.#terms.get(term);
      if (number === undefined) number = this.#numberOfNew(term.toWellFormed());
      const at = this.#occurrences;
      if (at === this.#occurrenceTerms.length) this.#grow();
      this.#occurrenceTerms[at] = number;
      this.#occurrencePlaces[at] = Math.min(start + position, POSITION_MASK) | weight;
      this.#occurrenceForms[at] = form;
      this.#occurrences = at + 1;
    });
  }

  /** Half a surrogate pair would not survive UTF-8, and with it the order of the terms. */
  #numberOfNew(term: string): number {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    this.#terms.set(term, this.#terms.size);
    return this.#terms.size - 1;
  }

  /** Where each term's occurrences begin; then, in that order, their documents, places and forms. */
  #sortByTerm(): { starts: Uint32Array; documents: Uint32Array; places: Uint32Array; forms: Uint8Array } {
    const total = this.#occurrences;
    const starts = new Uint32Array(this.#terms.size + 1);
    for (let i = 0; i < total; i++) starts[this.#occurrenceTerms[i] + 1]++;
    for (let term = 0; term < this.#terms.size; term++) starts[term + 1] += starts[term];
    const next = starts.slice();
    const documents = new Uint32Array(total);
    const places = new Uint32Array(total);
    const forms = new Uint8Array(total);
    let i = 0;
    for (const [document, end] of this.#documentEnds.entries()) {
      for (; i < end; i++) {
        const at = next[this.#occurrenceTerms[i]]++;
        documents[at] = document;
        places[at] = this.#occurrencePlaces[i];
        forms[at] = this.#occurrenceForms[i];
      }
    }
    return { starts, documents, places, forms };
  }

  /** For the first occurrence of each posting: how many there are, and the code of their fields. */
  #codeOccurrences(starts: Uint32Array, documents: Uint32Array, places: Uint32Array) {
    const counts = new Uint32Array(places.length);
    const codes = new Uint32Array(places.length);
    const counter = new CodeCounter();
    const levels = new Uint8Array(FIELD_COUNT);
    // The common case, words of the body alone, by its frequency.
    const bodyCodes: number[] = [];
    for (let term = 0; term < this.#terms.size; term++) {
      for (let at = starts[term]; at < starts[term + 1]; ) {
        const document = documents[at];
        const fields = document * (FIELD_COUNT + 1);
        let end = at + 1;
        while (end < starts[term + 1] && documents[end] === document) end++;
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
    const { table, lasting } = counter.sorted();
    for (let at = 0; at < places.length; at += counts[at]) codes[at] = lasting[codes[at]];
    return { counts, codes, table };
  }

  #fieldLevels(fields: number, places: Uint32Array, from: number, to: number, levels: Uint8Array): void {
    const frequencies = new Float64Array(FIELD_COUNT);
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

  #grow(): void {
    const terms = new Uint32Array(this.#occurrenceTerms.length * 2);
    terms.set(this.#occurrenceTerms);
    this.#occurrenceTerms = terms;
    const places = new Uint32Array(terms.length);
    places.set(this.#occurrencePlaces);
    this.#occurrencePlaces = places;
    const forms = new Uint8Array(terms.length);
    forms.set(this.#occurrenceForms);
    this.#occurrenceForms = forms;
  }

  /** What a posting says of its forms; places are without their weights here. */
  #formsOf(document: number, places: Uint32Array, forms: Uint8Array, from: number, count: number): number {
    const titleEnd = this.#fieldStarts[document * (FIELD_COUNT + 1) + TITLE + 1];
    let all = 0;
    let title = 0;
    for (let at = from; at < from + count; at++) {
      const mark = this.#marks[forms[at]];
      all |= mark;
      if (places[at] < titleEnd) title |= mark;
    }
    return formsOf(all, title);
  }
}

function textOf(document: IndexedDocument, field: number): string {
  const name = FIELDS[field];
  return name === 'title' || name === 'headings' || name === 'body' || name === 'description' ? document[name] : '';
}
