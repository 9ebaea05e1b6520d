import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ByteWriter } from '../../../src/base/byte-writer.ts';
import { FIELDS } from '../../../src/index/fields.ts';
import { CodeCounter } from '../../../src/index/format/code-table.ts';
import { ESCAPE, KEPT_CODES, RANGE, STRETCH } from '../../../src/index/format/dense-codes.ts';
import { addedForms, marksOf, withAdded } from '../../../src/index/format/form-marks.ts';
import { type BlockRoom, ByteWindow, readOnlyBlock, readOnlyPlaces } from '../../../src/index/format/only-block.ts';
import {
  BLOCK,
  type PostingRun,
  type PostingWeights,
  PostingWriter,
} from '../../../src/index/format/posting-writer.ts';
import { boundOfByte, byteOfBound } from '../../../src/index/format/quantise.ts';
import { PADDING } from '../../../src/index/format/term-positions.ts';
import { TermPostings } from '../../../src/index/format/term-postings.ts';
import { BlockArrays } from '../../../src/index/memory/block-arrays.ts';
import { PostingReader } from '../../../src/index/query/posting-reader.ts';
import { propertyRuns } from '../../property-runs.ts';

interface Posting {
  readonly step: number;
  readonly code: number;
  readonly forms: number;
  /** Forms that anchors add: none of those that are there. */
  readonly added: number;
  readonly positions: readonly number[];
}

const BODY = FIELDS.indexOf('body');
const ANCHORS = FIELDS.indexOf('anchors');

/** Code n: n + 1 times in the body; the last one has an anchor, so its occurrences have to be written. */
const { table } = (() => {
  const counter = new CodeCounter();
  for (let code = 0; code < 10; code++) {
    const levels = new Uint8Array(FIELDS.length);
    levels[BODY] = code + 1;
    if (code === 9) levels[ANCHORS] = 3;
    counter.code(levels, 0, 100 - code);
  }
  return counter.sorted();
})();

const posting: fc.Arbitrary<Posting> = fc
  .record({
    step: fc.oneof({ weight: 5, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.nat(100_000) }),
    code: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(9) }),
    more: fc.nat(5),
    forms: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(0, 2, 3) }, { weight: 1, arbitrary: fc.nat(2 ** 24 - 1) }),
    anchors: fc.oneof({ weight: 20, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(2 ** 12 - 1) }),
  })
  .chain(({ step, code, more, forms, anchors }) => {
    const count = code === 9 ? code + 1 + more : code + 1;
    return fc.record({
      step: fc.constant(step),
      code: fc.constant(code),
      forms: fc.constant(forms),
      added: fc.constant(addedForms(marksOf(forms), anchors)),
      positions: fc
        .array(fc.nat(400), { minLength: count, maxLength: count })
        .map((list) => list.sort((a, b) => a - b)),
    });
  });

describe('postings of a term', () => {
  test('come back as they were written, with bounds that hold', () =>
    fc.assert(
      fc.property(
        fc.array(fc.array(posting, { minLength: 1, maxLength: 3 * BLOCK, size: 'max' }), {
          minLength: 1,
          maxLength: 3,
        }),
        (terms) => {
          const postings = new ByteWriter();
          const places = new ByteWriter();
          const weigh = (document: number, code: number): number => (1 + (document % 7)) * (code + 1);
          const writer = new PostingWriter(
            { add: ({ written: bytes }) => postings.bytes(bytes) },
            { add: ({ written: bytes }) => places.bytes(bytes) },
            table,
            { weigh, heaviest: () => 0 },
          );
          // The same, run by run.
          const others = [new ByteWriter(), new ByteWriter()];
          const heaviest: PostingWeights['heaviest'] = (documents, codes, from, to) =>
            Math.max(0, ...Array.from(codes.subarray(from, to), (code, at) => weigh(documents[from + at], code)));
          const byRuns = new PostingWriter(others[0], others[1], table, { weigh, heaviest });
          for (const term of terms) {
            addByRuns(byRuns, term);
            byRuns.endTerm();
          }
          const entries = terms.map((term) => {
            let document = -1;
            for (const { step, code, forms, added, positions } of term) {
              document += step + 1;
              writer.add(document, code, forms, added, Uint32Array.from(positions), 0, positions.length);
            }
            return writer.endTerm();
          });
          assert.deepEqual([others[0].written, others[1].written], [postings.written, places.written]);
          let at = 0;
          let placesAt = 0;
          for (const [number, entry] of entries.entries()) {
            const part = (from: ByteWriter, start: number, length: number): Uint8Array => {
              const bytes = new Uint8Array(length + PADDING);
              bytes.set(from.written.subarray(start, start + length));
              return bytes;
            };
            const start = placesAt;
            const read = new TermPostings(part(postings, at, entry.postingsLength), entry.documents, table, {
              documents: 1 + terms[number].reduce((last, { step }) => last + step + 1, -1),
              positionsLength: entry.positionsLength,
              readPositions: (from, length) => part(places, start + from, length),
              bounds: {
                kept: new Uint8Array(KEPT_CODES * 256),
                bodyLengths: new Uint8Array(1 + terms[number].reduce((last, { step }) => last + step + 1, -1)),
                byteOf: (document, code) => Math.max(1, byteOfBound(weigh(document, code))),
              },
              grown: () => {},
            });
            checkTerm(read, terms[number], weigh);
            const ends = [at + entry.postingsLength, placesAt + entry.positionsLength];
            if (read.blocks === 1)
              checkOnlyBlock(read, windowAround(postings, at, ends[0]), windowAround(places, placesAt, ends[1]));
            [at, placesAt] = ends;
          }
        },
      ),
      { numRuns: 25 },
    ));
});

/** Part of a file, which begins before what is read of it. */
function windowAround({ written }: ByteWriter, from: number, to: number): WindowAround {
  const start = Math.floor(from / 2);
  const bytes = Uint8Array.from([...written.subarray(start), ...new Uint8Array(PADDING)]);
  return { window: new ByteWindow(bytes, start, written.length), from, to };
}

interface WindowAround {
  readonly window: ByteWindow;
  readonly from: number;
  readonly to: number;
}

/** A term of one block is read at once as it is read part by part; where its bytes end too soon that is noticed. */
function checkOnlyBlock(read: TermPostings, postings: WindowAround, places: WindowAround): void {
  const count = read.documents;
  const parts = new BlockNumbers();
  const room = new BlockNumbers();
  read.readDocuments(0, parts.documents);
  read.readCodes(0, parts.codes);
  parts.hasForms = read.hasForms(0);
  if (parts.hasForms) read.readFormsApart(0, parts.forms, parts.addedForms);
  parts.positionSteps = read.positions(true).readSteps(0, parts.codes, parts.counts, parts.positionSteps);
  readOnlyBlock(postings.window, postings.from, postings.to, count, room);
  readOnlyPlaces(places.window, places.from, places.to, count, table, room);
  assert.equal(room.hasForms, parts.hasForms);
  for (const name of ['documents', 'codes', 'forms', 'addedForms', 'counts'] as const)
    assert.deepEqual(room[name].subarray(0, count), parts[name].subarray(0, count), name);
  const total = parts.counts.subarray(0, count).reduce((sum, held) => sum + held, 0);
  assert.deepEqual(room.positionSteps.subarray(0, total), parts.positionSteps.subarray(0, total));
  assert.throws(() => readOnlyBlock(postings.window, postings.from, postings.to - 1, count, room), RangeError);
  assert.throws(() => readOnlyPlaces(places.window, places.from, places.to - 1, count, table, room), RangeError);
}

class BlockNumbers implements BlockRoom {
  readonly documents = new Uint32Array(BLOCK);
  readonly codes = new Uint32Array(BLOCK);
  readonly forms = new Uint32Array(BLOCK);
  readonly addedForms = new Uint32Array(BLOCK);
  hasForms = false;
  readonly counts = new Uint32Array(BLOCK);
  positionSteps: Uint32Array = new Uint32Array(1);
}

describe('a term of most documents', () => {
  const often = fc.record({
    step: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(2) }),
    // In some blocks it stands so often in a document that nothing of them is kept.
    count: fc.oneof(
      { weight: 400, arbitrary: fc.integer({ min: 1, max: 9 }) },
      { weight: 100, arbitrary: fc.integer({ min: 10, max: 30 }) },
      { weight: 1, arbitrary: fc.constantFrom(255, 256, 700) },
    ),
  });

  test('has the same positions when they are asked for again, by whomever', () =>
    fc.assert(
      fc.property(
        fc.array(often, { minLength: BLOCK + 1, maxLength: 4 * BLOCK, size: 'max' }),
        fc.array(fc.nat(9999), { minLength: 100, maxLength: 200, size: 'max' }),
        fc.nat(3),
        (term, asked, after) => {
          const [postings, places] = [new ByteWriter(), new ByteWriter()];
          const writer = new PostingWriter(
            { add: ({ written: bytes }) => postings.bytes(bytes) },
            { add: ({ written: bytes }) => places.bytes(bytes) },
            table,
            { weigh: () => 1, heaviest: () => 1 },
          );
          const held = new Map<number, Uint32Array>();
          let document = -1;
          for (const { step, count } of term) {
            document += step + 1;
            const positions = Uint32Array.from({ length: count }, (_, at) => at * (1 + (document % 3)));
            held.set(document, positions);
            // The last code is written with its occurrences.
            writer.add(document, count < 10 ? count - 1 : 9, 0, 0, positions, 0, count);
          }
          const entry = writer.endTerm();
          const documents = document + 1 + after;
          const padded = (bytes: Uint8Array): Uint8Array => Uint8Array.from([...bytes, ...new Uint8Array(PADDING)]);
          const placeBytes = padded(places.written);
          const read = new TermPostings(padded(postings.written), entry.documents, table, {
            documents,
            positionsLength: entry.positionsLength,
            readPositions: (from, length, room) => {
              const part = placeBytes.subarray(from, from + length + PADDING);
              if (room === undefined || room.length < part.length) return part.slice();
              room.set(part);
              return room.subarray(0, part.length);
            },
            bounds: { kept: new Uint8Array(0), bodyLengths: new Uint8Array(0), byteOf: () => 1 },
            grown: () => {},
          });
          assert.equal(read.isCommon, 2 * held.size >= documents);
          const arrays = new BlockArrays();
          for (const order of [[...asked].sort((a, b) => (a % documents) - (b % documents)), asked, asked]) {
            const reader = new PostingReader(read, arrays);
            for (const number of order.map((value) => value % documents)) {
              const expected = held.get(number);
              assert.equal(reader.holds(number), expected !== undefined);
              if (expected === undefined) continue;
              const wanted = expected[number % expected.length];
              assert.equal(reader.holdsPosition(number, wanted), true);
              assert.equal(reader.holdsPosition(number, wanted + 0.5), false);
              assert.equal(reader.readPositionsOf(number), expected.length);
              assert.deepEqual(reader.positions.subarray(0, expected.length), expected);
            }
          }
        },
      ),
      { numRuns: propertyRuns(15) },
    ));
});

/** As a merge hands them on: now a single posting, now up to 100 at once. */
function addByRuns(writer: PostingWriter, term: readonly Posting[]): void {
  let document = -1;
  for (let from = 0, length = 1; from < term.length; from += length, length = (length * 7) % 101) {
    const part = term.slice(from, from + length);
    const documents = part.map(({ step }) => {
      document += step + 1;
      return document;
    });
    const hasForms = part.some(({ forms, added }) => forms !== 0 || added !== 0);
    const run: PostingRun = {
      documents: Uint32Array.from(documents),
      codes: Uint32Array.from(part, ({ code }) => code),
      // Where there are none, whatever was there before.
      forms: Uint32Array.from(part, ({ forms }) => (hasForms ? forms : 7)),
      addedForms: Uint32Array.from(part, ({ added }) => (hasForms ? added : 7)),
      hasForms,
      counts: Uint32Array.from(part, ({ positions }) => positions.length),
      positionSteps: Uint32Array.from(
        part.flatMap(({ positions }) => positions.map((position, at) => position - (at === 0 ? 0 : positions[at - 1]))),
      ),
    };
    writer.addRun(run, 0, part.length, 0);
  }
}

function checkTerm(
  read: TermPostings,
  term: readonly Posting[],
  weigh: (document: number, code: number) => number,
): void {
  const documents = new Uint32Array(BLOCK);
  const codes = new Uint32Array(BLOCK);
  const marks = new Uint32Array(BLOCK);
  const own = new Uint32Array(BLOCK);
  const more = new Uint32Array(BLOCK);
  const counts = new Uint32Array(BLOCK);
  const reader = new PostingReader(read, new BlockArrays());
  const places = read.positions();
  const { dense } = read;
  const ranges = new Set<number>();
  let expected = -1;
  let number = 0;
  for (let block = 0; block < read.blocks; block++) {
    const count = read.readDocuments(block, documents);
    read.readCodes(block, codes);
    read.readForms(block, marks);
    read.readFormsApart(block, own, more);
    const all = places.readAll(block, codes, counts, new Uint32Array(1));
    for (let i = 0, from = 0; i < count; from += counts[i++]) {
      const { step, code, forms, added, positions } = term[number++];
      expected += step + 1;
      assert.equal(documents[i], expected);
      assert.equal(codes[i], code);
      assert.deepEqual([own[i], more[i]], [forms, added]);
      assert.equal(marks[i], withAdded(forms, added));
      assert.equal(read.readCode(block, i), code);
      assert.deepEqual([...all.subarray(from, from + counts[i])], positions);
      assert.ok(boundOfByte(read.bounds[block]) >= weigh(documents[i], code));
      const range = Math.floor(expected / RANGE);
      ranges.add(range);
      assert.ok(boundOfByte(read.stretchMaxima[Math.floor(range / STRETCH)]) >= weigh(documents[i], code));
      if (dense !== undefined) {
        assert.ok(boundOfByte(dense.maxima[range]) >= weigh(documents[i], code));
        assert.equal((dense.codes[expected >> 1] >> (4 * (expected & 1))) & 15, Math.min(ESCAPE, code + 1));
      }
      assert.equal(reader.seek(expected), expected);
      assert.equal(reader.forms, withAdded(forms, added));
      assert.equal(reader.readPositions(), positions.length);
      assert.deepEqual([...reader.positions.subarray(0, positions.length)], positions);
      if (step > 0) assert.equal(reader.seek(expected - 1), expected);
    }
  }
  assert.equal(number, term.length);
  for (const [range, byte] of dense?.maxima.entries() ?? []) assert.equal(byte > 0, ranges.has(range));
}
