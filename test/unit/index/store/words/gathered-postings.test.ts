import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ByteWriter } from '../../../../../src/base/byte-writer.ts';
import { type Analyze, NO_NOTE, NOTE_BITS, type RememberedWords } from '../../../../../src/index/analyze.ts';
import { FIELDS } from '../../../../../src/index/fields.ts';
import { ANCHOR_STEPS } from '../../../../../src/index/format/anchor-sum.ts';
import { CodeCounter } from '../../../../../src/index/format/code-table.ts';
import { addedForms, markOfForm, ownForms } from '../../../../../src/index/format/form-marks.ts';
import type { EncodedTerm } from '../../../../../src/index/format/found-term.ts';
import { PostingWriter } from '../../../../../src/index/format/posting-writer.ts';
import { levelOfAnchorWeight, levelOfFrequency } from '../../../../../src/index/format/quantise.ts';
import { fieldNorms, normTables, PostingWeigher } from '../../../../../src/index/query/score-model.ts';
import { DEFAULT_RANKING } from '../../../../../src/index/ranking-options.ts';
import type { SegmentWriter } from '../../../../../src/index/store/segment-writer.ts';
import { TermNumbers } from '../../../../../src/index/store/term-numbers.ts';
import { GatheredPostings } from '../../../../../src/index/store/words/gathered-postings.ts';
import { GatheredWords } from '../../../../../src/index/store/words/gathered-words.ts';
import { PostingMemory } from '../../../../../src/index/store/words/posting-memory.ts';

const ANCHORS = FIELDS.indexOf('anchors');
/** Of every word of a name. */
const OFFSETS = new Uint8Array(2 ** 16).fill(3);

interface Word {
  readonly term: number;
  readonly form: number;
  /** Behind the position of the word before. */
  readonly gap: number;
}

/** Words of a field, how heavy they are where it is that of anchors, and a byte for the length. */
interface FieldWords {
  readonly words: readonly Word[];
  readonly weight: number;
  readonly length: number;
}

type Document = readonly FieldWords[];

const words = fc.array(
  fc.record({
    term: fc.oneof(fc.nat(3), fc.nat(40)),
    form: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(35)),
    gap: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(3), fc.nat(100_000)),
  }),
  { maxLength: 30 },
);
const document: fc.Arbitrary<Document> = fc
  .array(fc.record({ words, weight: fc.integer({ min: 1, max: 255 }), length: fc.nat(255) }), {
    minLength: FIELDS.length,
    maxLength: FIELDS.length,
  })
  .map((fields) => fields.map((field, at) => ({ ...field, weight: at === ANCHORS ? field.weight : 0 })));
/** Few documents again and again, so that there are terms of several blocks. */
const documents = fc
  .record({ some: fc.array(document, { minLength: 1, maxLength: 6 }), order: fc.array(fc.nat(5), { maxLength: 300 }) })
  .map(({ some, order }) => order.map((at) => some[at % some.length]));

/** Remembers words by their places: these are their terms with their forms. */
class PlainWords implements RememberedWords {
  readonly #noted = new Map<string, number>();
  readonly owners = { newOwner: () => 1 };

  term(place: number): string {
    return termOf(place >>> 8);
  }

  form(place: number): number {
    return place & 0xff;
  }

  noted(place: number, owner: number): number {
    return this.#noted.get(`${place} ${owner}`) ?? -1;
  }

  notes(places: Uint32Array, count: number, owner: number): Uint32Array {
    return places.slice(0, count).map((place) => {
      const noted = this.noted(place, owner);
      return noted === -1 ? NO_NOTE : noted | (this.form(place) << NOTE_BITS);
    });
  }

  note(place: number, owner: number, number: number): void {
    this.#noted.set(`${place} ${owner}`, number);
  }
}

function termOf(term: number): string {
  return `t${(term * 7) % 41}`;
}

/** Texts are words as JSON. Tells the first of them one by one, then those that follow each other together, and the rest as a name. */
function analyzer(): Analyze {
  const remembered = new PlainWords();
  return (text, _language, emit, take) => {
    const placed = placesOf(JSON.parse(text));
    const place = ({ term, form }: Word): number => (term << 8) | form;
    const third = Math.ceil(placed.length / 3);
    for (const { word, position } of placed.slice(0, third)) emit(termOf(word.term), position, word.form);
    for (let at = third; at < 2 * third && at < placed.length; ) {
      let end = at + 1;
      while (end < 2 * third && placed[end]?.position === placed[end - 1].position + 1) end++;
      const run = Uint32Array.from(placed.slice(at, end), ({ word }) => place(word));
      take?.(remembered, run, run.length, placed[at].position);
      at = end;
    }
    for (const { word, position } of placed.slice(2 * third)) {
      take?.(remembered, Uint32Array.of(place(word)), 1, position - 3, OFFSETS);
    }
    return 0;
  };
}

function placesOf(all: readonly Word[]): { readonly word: Word; readonly position: number }[] {
  let position = 2;
  return all.map((word) => {
    position += word.gap + 1;
    return { word, position };
  });
}

/** A field begins there. */
function startOf(field: number): number {
  return 2_000_000 * field;
}

/** What is known of a term in a document, thought out word by word. */
function plainPosting(document: Document, term: string) {
  const held = document.flatMap(({ words, weight }, field) =>
    placesOf(words)
      .filter(({ word }) => termOf(word.term) === term)
      .map(({ word, position }) => ({ field, weight, form: word.form, position: startOf(field) + position })),
  );
  const marks = (which: (field: number) => boolean): number =>
    held.filter(({ field }) => which(field)).reduce((all, { form }) => all | markOfForm(form), 0);
  const own = marks((field) => field !== ANCHORS);
  const title = marks((field) => field === 0);
  const anchors = marks((field) => field === ANCHORS);
  const levels = FIELDS.map((_, field) => {
    const inField = held.filter((word) => word.field === field);
    if (field !== ANCHORS) return levelOfFrequency(inField.length);
    return levelOfAnchorWeight(inField.reduce((sum, { weight }) => sum + weight, 0) / ANCHOR_STEPS);
  });
  return {
    positions: Uint32Array.from(held, ({ position }) => position),
    forms: ownForms(own, title, anchors),
    added: addedForms(own, anchors),
    levels: Uint8Array.from(levels),
  };
}

class Written {
  readonly postings: number[] = [];
  readonly positions: number[] = [];
  readonly terms: unknown[] = [];

  addCoded(postings: Uint8Array, positions: Uint8Array): void {
    for (const byte of postings) this.postings.push(byte);
    for (const byte of positions) this.positions.push(byte);
  }

  endCoded({ bytes, from, to }: EncodedTerm, ...entry: unknown[]): void {
    this.terms.push([Buffer.from(bytes.subarray(from, to)).toString(), ...entry]);
  }
}

/** The same by the writer of postings that merges have. */
function writePlain(all: readonly Document[], norms: Float64Array[], lengths: Uint8Array[]): Written {
  const written = new Written();
  const held = new Set(all.flat().flatMap(({ words }) => words.map(({ term }) => termOf(term))));
  const counter = new CodeCounter();
  const terms = [...held].sort().map((term) => {
    const postings = all.flatMap((document, number) => {
      const posting = plainPosting(document, term);
      if (posting.positions.length === 0) return [];
      return [{ number, ...posting, code: counter.code(posting.levels, 0, 1) }];
    });
    return { term, postings };
  });
  const { table, lasting } = counter.sorted();
  const sink = (bytes: number[]) => ({
    add({ written }: ByteWriter): void {
      for (const byte of written) bytes.push(byte);
    },
  });
  const weigher = new PostingWeigher(norms, table, lengths);
  const writer = new PostingWriter(sink(written.postings), sink(written.positions), table, weigher);
  for (const { term, postings } of terms) {
    for (const { number, code, forms, added, positions } of postings)
      writer.add(number, lasting[code], forms, added, positions, 0, positions.length);
    const { documents, postingsLength, positionsLength, hasAnchors } = writer.endTerm();
    written.terms.push([term, documents, postingsLength, positionsLength, hasAnchors]);
  }
  return written;
}

function lengthsOf(all: readonly Document[]): Uint8Array[] {
  return FIELDS.map((_, field) => Uint8Array.from(all, (document) => document[field].length));
}

test('gathered postings are written as the writer of postings writes those that one finds word by word', () => {
  let memory = new PostingMemory();
  const numbers = new TermNumbers();
  const analyze = analyzer();
  const averages = FIELDS.map((_, field) => 10 * field + 1);
  const norms = normTables(fieldNorms(DEFAULT_RANKING, averages, 1));
  fc.assert(
    fc.property(documents, (all) => {
      const gathering = new GatheredWords(analyze, memory, numbers);
      for (const document of all) {
        for (const [field, { words, weight }] of document.entries())
          gathering.add(field, JSON.stringify(words), '', startOf(field), weight);
        gathering.endDocument();
      }
      const expected = writePlain(all, norms, lengthsOf(all));
      // A disk may be full: it can be done again.
      for (let time = 0; time < 2; time++) {
        const written = new Written();
        const gathered = new GatheredPostings(memory, gathering.codes, numbers);
        gathered.write(written as unknown as SegmentWriter, norms, lengthsOf(all));
        assert.deepEqual(written, expected);
        const uses = gathered.table.uses.reduce((sum, uses) => sum + uses, 0);
        assert.equal(
          uses,
          expected.terms.reduce((sum: number, term) => sum + (term as number[])[1], 0),
        );
      }
      memory = memory.forNext();
    }),
    { numRuns: 60 },
  );
});

test('a term of more positions than there is room for at first is written whole', () => {
  const memory = new PostingMemory();
  const numbers = new TermNumbers();
  const gathering = new GatheredWords(analyzer(), memory, numbers);
  const many = Array.from({ length: 100_000 }, (_, at) => ({ term: 1, form: at % 3, gap: at % 2 }));
  const document = FIELDS.map((_, field) => ({ words: field === 2 ? many : [], weight: 0, length: 200 }));
  for (const [field, { words }] of document.entries()) gathering.add(field, JSON.stringify(words), '', startOf(field));
  gathering.endDocument();
  const norms = normTables(fieldNorms(DEFAULT_RANKING, [1, 1, 1, 1, 1, 1], 1));
  const written = new Written();
  new GatheredPostings(memory, gathering.codes, numbers).write(
    written as unknown as SegmentWriter,
    norms,
    lengthsOf([document]),
  );
  assert.deepEqual(written, writePlain([document], norms, lengthsOf([document])));
});

test('documents that come after a write that failed are gathered where the memory is by then', () => {
  const memory = new PostingMemory();
  const numbers = new TermNumbers();
  const gathering = new GatheredWords(analyzer(), memory, numbers);
  const norms = normTables(fieldNorms(DEFAULT_RANKING, [1, 1, 1, 1, 1, 1], 1));
  const all: Document[] = [];
  const writeAgain = (): Written => {
    const written = new Written();
    new GatheredPostings(memory, gathering.codes, numbers).write(
      written as unknown as SegmentWriter,
      norms,
      lengthsOf(all),
    );
    return written;
  };
  for (let at = 0; at < 3; at++) {
    const words = Array.from({ length: 20 }, (_, word) => ({ term: at + word, form: 0, gap: 0 }));
    const document = FIELDS.map((_, field) => ({ words: field === 2 ? words : [], weight: 0, length: 20 }));
    all.push(document);
    for (const [field, { words }] of document.entries())
      gathering.add(field, JSON.stringify(words), '', startOf(field));
    gathering.endDocument();
    assert.deepEqual(writeAgain(), writePlain(all, norms, lengthsOf(all)));
  }
});
