import { ByteWriter } from '../../base/byte-writer.ts';
import { FIELDS } from '../fields.ts';
import type { CodeTable } from '../format/code-table.ts';
import { isPaired, PAIRED_SHARE, type PairsHead, writePair } from '../format/pair-postings.ts';
import type { ByteSink } from '../format/posting-writer.ts';
import { lengthOfByte, levelOfAnchorWeight, levelOfFrequency } from '../format/quantise.ts';

const BODY = FIELDS.indexOf('body');
const ANCHORS = FIELDS.indexOf('anchors');
/** A field takes these bits of an occurrence, its document the others. */
const FIELD_BITS = 3;
const FIELD_MASK = 2 ** FIELD_BITS - 1;
/** Documents are laid out together up to this many, and this many positions. */
const BATCH_DOCUMENTS = 1024;
const BATCH_POSITIONS = 1 << 20;
/** A part of the documents ends after this many occurrences of pairs, which take 16 bytes each until they are written. */
const PART_OCCURRENCES = 1 << 20;
/** Of a place that several words share. */
const SEVERAL = 0xffff;

/** Goes through the documents of a word, with their positions. */
export interface PositionStream {
  /** The document whose turn it is; `Infinity` after the last. */
  readonly document: number;
  /** Its positions are those from `from` to `to`. */
  readonly positions: Uint32Array;
  readonly from: number;
  readonly to: number;
  next(): void;
}

/** A word that is common enough for pairs. */
export interface PairedWord {
  readonly term: string;
  readonly documents: number;
  readonly stream: PositionStream;
}

/**
 * Writes which documents hold two common words side by side. The words of a batch of documents are put back into their places,
 * so that neighbours are seen in one pass; what was found is sorted by pairs, one part of the documents after the other.
 */
export class PairWriter {
  readonly #words: readonly PairedWord[];
  readonly #lengths: readonly Uint8Array[];
  readonly #documents: number;
  readonly #codes: CodeTable;
  readonly #sink: ByteSink;
  readonly #partOccurrences: number;
  /** Of each word how many of the most frequent words it is paired with. */
  readonly #partners: Uint32Array;
  /** The number of the word at each position, from 1 on; 0 where there is none. */
  #places = new Uint16Array(0);
  /** Words that share a position. */
  readonly #shared = new Map<number, number[]>();
  readonly #starts = new Uint32Array(BATCH_DOCUMENTS + 1);
  #pairs = new Uint32Array(1 << 12);
  #holders = new Uint32Array(1 << 12);
  #count = 0;
  #first = 0;
  readonly #rows: number[] = [];
  readonly #parts: number[] = [];
  #length = 0;
  readonly #levels = new Uint8Array(FIELDS.length);
  readonly #bodyCodes: number[] = [];

  /** `words`: the most frequent first. Codes that pairs need are added to the table. */
  constructor(
    words: readonly PairedWord[],
    lengths: readonly Uint8Array[],
    documents: number,
    codes: CodeTable,
    sink: ByteSink,
    partOccurrences = PART_OCCURRENCES,
  ) {
    this.#words = words;
    this.#lengths = lengths;
    this.#documents = documents;
    this.#codes = codes;
    this.#sink = sink;
    this.#partOccurrences = partOccurrences;
    this.#partners = Uint32Array.from(words, (word) => {
      let partners = 0;
      while (partners < words.length && isPaired(word.documents, words[partners].documents, documents)) partners++;
      return partners;
    });
  }

  /** Writes all pairs; `at`: where in its file they begin. Yields between slices of work. */
  *write(at: number): Generator<void, { readonly head: PairsHead; readonly rows: Uint32Array }, undefined> {
    for (let document = 0; document < this.#documents; ) {
      document = this.#takeBatch(document);
      if (this.#count >= this.#partOccurrences || document === this.#documents) this.#endPart(document);
      yield;
    }
    const words = this.#words.map(({ term }) => term);
    const head = { words, share: PAIRED_SHARE, parts: this.#parts, at, length: this.#length };
    return { head, rows: Uint32Array.from(this.#rows) };
  }

  /** Returns the document after the last that it took. */
  #takeBatch(from: number): number {
    const starts = this.#starts;
    let to = from;
    let end = 0;
    while (to < this.#documents && to - from < BATCH_DOCUMENTS && end < BATCH_POSITIONS) {
      starts[to - from] = end;
      for (const lengths of this.#lengths) end += lengthOfByte(lengths[to]);
      to++;
    }
    starts[to - from] = end;
    if (this.#places.length < end) this.#places = new Uint16Array(end);
    else this.#places.fill(0, 0, end);
    this.#shared.clear();
    for (const [number, { stream }] of this.#words.entries()) {
      for (; stream.document < to; stream.next()) {
        const start = starts[stream.document - from];
        for (let at = stream.from; at < stream.to; at++) this.#put(start + stream.positions[at], number + 1);
      }
    }
    for (let document = from; document < to; document++) this.#findPairs(document, starts[document - from]);
    return to;
  }

  #put(place: number, word: number): void {
    const held = this.#places[place];
    if (held === 0) {
      this.#places[place] = word;
      return;
    }
    const shared = this.#shared.get(place) ?? [held];
    if (!shared.includes(word)) shared.push(word);
    if (shared.length === 1) return;
    this.#shared.set(place, shared);
    this.#places[place] = SEVERAL;
  }

  #findPairs(document: number, start: number): void {
    const places = this.#places;
    const partners = this.#partners;
    let at = start;
    for (let field = 0; field < this.#lengths.length; field++) {
      const end = at + lengthOfByte(this.#lengths[field][document]);
      const holder = ((document - this.#first) << FIELD_BITS) | field;
      // The last word of a field and the first of the next are no pair.
      for (let before = 0; at < end; at++) {
        const word = places[at];
        if (before !== 0 && word !== 0) {
          if (before === SEVERAL || word === SEVERAL) this.#findShared(at, holder);
          else if (word <= partners[before - 1]) this.#add(before, word, holder);
        }
        before = word;
      }
    }
  }

  #findShared(at: number, holder: number): void {
    for (const before of this.#shared.get(at - 1) ?? [this.#places[at - 1]])
      for (const word of this.#shared.get(at) ?? [this.#places[at]])
        if (word <= this.#partners[before - 1]) this.#add(before, word, holder);
  }

  #add(before: number, word: number, holder: number): void {
    if (this.#count === this.#pairs.length) {
      this.#pairs = enlarged(this.#pairs);
      this.#holders = enlarged(this.#holders);
    }
    this.#pairs[this.#count] = (before - 1) * this.#words.length + word - 1;
    this.#holders[this.#count++] = holder;
  }

  /** Writes a row for each word: how long the list of its pairs is; of each the second word, its documents and bytes; then these. */
  #endPart(end: number): void {
    const size = this.#words.length;
    const starts = new Uint32Array(size * size + 1);
    const holders = this.#sorted(starts);
    const head = new ByteWriter();
    const row = new ByteWriter();
    const documents = new Uint32Array(end - this.#first);
    const codes = new Uint32Array(end - this.#first);
    const lists = new ByteWriter(1 << 14);
    this.#parts.push(this.#first);
    for (let word = 0; word < size; word++) {
      this.#rows.push(this.#length);
      head.clear();
      lists.clear();
      let last = -1;
      for (let other = 0; other < this.#partners[word]; other++) {
        const pair = word * size + other;
        if (starts[pair] === starts[pair + 1]) continue;
        const count = this.#codePair(holders, starts[pair], starts[pair + 1], documents, codes);
        const before = lists.length;
        writePair(lists, 0, documents, codes, count);
        head.varint(other - last - 1);
        head.varint(count);
        head.varint(lists.length - before);
        last = other;
      }
      row.clear();
      row.varint(head.length);
      row.add(head);
      row.add(lists);
      this.#sink.add(row);
      this.#length += row.length;
    }
    this.#rows.push(this.#length);
    this.#first = end;
    this.#count = 0;
  }

  /** The occurrences in the order of pairs; those of a pair in the order of documents. `starts`: where those of each pair begin. */
  #sorted(starts: Uint32Array): Uint32Array {
    const count = this.#count;
    const pairs = this.#pairs;
    for (let at = 0; at < count; at++) starts[pairs[at] + 1]++;
    for (let pair = 1; pair < starts.length; pair++) starts[pair] += starts[pair - 1];
    const next = starts.slice();
    const sorted = new Uint32Array(count);
    for (let at = 0; at < count; at++) sorted[next[pairs[at]]++] = this.#holders[at];
    return sorted;
  }

  /** The documents of a pair, counted from the first of the part, with their codes. Returns how many. */
  #codePair(holders: Uint32Array, from: number, to: number, documents: Uint32Array, codes: Uint32Array): number {
    let count = 0;
    for (let at = from; at < to; ) {
      const document = holders[at] >>> FIELD_BITS;
      let end = at + 1;
      while (end < to && holders[end] >>> FIELD_BITS === document) end++;
      // Fields ascend: where the first and the last are the body, all are.
      const bodyAlone = (holders[at] & FIELD_MASK) === BODY && (holders[end - 1] & FIELD_MASK) === BODY;
      documents[count] = document;
      codes[count++] = (bodyAlone ? this.#bodyCodes[end - at] : undefined) ?? this.#codeOf(holders, at, end, bodyAlone);
      at = end;
    }
    return count;
  }

  #codeOf(holders: Uint32Array, from: number, to: number, bodyAlone: boolean): number {
    const counts = new Uint32Array(FIELDS.length);
    for (let at = from; at < to; at++) counts[holders[at] & FIELD_MASK]++;
    for (const [field, count] of counts.entries())
      this.#levels[field] = field === ANCHORS ? levelOfAnchorWeight(count) : levelOfFrequency(count);
    const code = this.#codes.codeOf(this.#levels);
    if (bodyAlone) this.#bodyCodes[to - from] = code;
    return code;
  }
}

function enlarged(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * array.length);
  larger.set(array);
  return larger;
}
