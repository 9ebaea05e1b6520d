import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { FIELDS } from '../../../../src/index/fields.ts';
import { CodeTable } from '../../../../src/index/format/code-table.ts';
import { isPaired } from '../../../../src/index/format/pair-postings.ts';
import { PADDING } from '../../../../src/index/format/term-positions.ts';
import { type PairedWord, PairWriter } from '../../../../src/index/store/pair-writer.ts';
import { SegmentFile } from '../../../../src/index/store/segment-file.ts';
import { segmentPath } from '../../../../src/index/store/segment-path.ts';
import { WordPairs } from '../../../../src/index/store/word-pairs.ts';
import { propertyRuns } from '../../../property-runs.ts';

const BODY = FIELDS.indexOf('body');
const TITLE = FIELDS.indexOf('title');
const WORDS = ['the', 'of', 'and', 'rare'];

/** Of a document: the words of its title and of its body, several of them at one place; none at some. */
type Text = readonly (readonly string[])[];
interface Sample {
  readonly title: Text;
  readonly body: Text;
}

const place = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('the', 'the', 'of', 'and').map((word) => [word]) },
  { weight: 2, arbitrary: fc.constant<string[]>([]) },
  { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 3 }) },
);
const samples = fc.array(
  fc.record({ title: fc.array(place, { maxLength: 3 }), body: fc.array(place, { maxLength: 40 }) }),
  { minLength: 1, maxLength: 60 },
);

function lengthsOf(documents: readonly Sample[]): Uint8Array[] {
  return FIELDS.map((_, field) =>
    Uint8Array.from(documents, ({ title, body }) =>
      // Up to 31 a length is its own byte; the next is the first that is rounded to steps of four.
      field === TITLE ? title.length : field === BODY ? (body.length < 32 ? body.length : 34) : 0,
    ),
  );
}

function wordsOf(documents: readonly Sample[], bodyStart: (at: number) => number): PairedWord[] {
  return WORDS.map((term): PairedWord => {
    const postings = documents.flatMap(({ title, body }, document) => {
      const found = [
        ...title.flatMap((words, at) => (words.includes(term) ? [at] : [])),
        ...body.flatMap((words, at) => (words.includes(term) ? [bodyStart(document) + at] : [])),
      ];
      return found.length === 0 ? [] : [{ document, positions: Uint32Array.from(found) }];
    });
    let at = 0;
    const stream = {
      get document() {
        return postings[at]?.document ?? Number.POSITIVE_INFINITY;
      },
      get positions() {
        return postings[at].positions;
      },
      from: 0,
      get to() {
        return postings[at].positions.length;
      },
      next() {
        at++;
      },
    };
    return { term, documents: postings.length, stream };
  }).sort((a, b) => b.documents - a.documents);
}

function countPairs(text: Text, one: string, other: string): number {
  return text.filter((words, at) => words.includes(one) && text[at + 1]?.includes(other)).length;
}

describe('pairs of common words', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pair-writer-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('are listed with every document that has them side by side, and how often in which field', () =>
    fc.assert(
      fc.property(samples, fc.constantFrom(1, 200, 1e6), fc.nat(50), (documents, partOccurrences, at) => {
        const path = segmentPath(folder, 'segment', 'positions');
        writeFileSync(path, Buffer.alloc(at, 0xff));
        const sink = { add: ({ written }: { readonly written: Uint8Array }) => appendFileSync(path, written) };
        const codes = new CodeTable(new Uint8Array(0), new Uint32Array(0));
        const words = wordsOf(documents, (document) => documents[document].title.length);
        const { length } = documents;
        const writer = new PairWriter(words, lengthsOf(documents), length, codes, sink, partOccurrences);
        const writing = writer.write(at);
        let step = writing.next();
        while (step.done !== true) step = writing.next();
        const { head, rows } = step.value;
        const file = new SegmentFile(folder, 'segment', 'positions', 0);
        try {
          const pairs = new WordPairs(head, rows, length, file);
          for (const one of words) {
            for (const other of words) {
              const expected = documents.flatMap(({ title, body }, document) => {
                const counts = [countPairs(title, one.term, other.term), countPairs(body, one.term, other.term)];
                return counts[0] + counts[1] > 0 ? [{ document, counts }] : [];
              });
              const found = pairs.find(one, other);
              assert.equal(found !== undefined, isPaired(one.documents, other.documents, length));
              if (found === undefined) continue;
              assert.equal(found.documents, expected.length);
              const listed: typeof expected = [];
              for (let part = 0; part < found.parts; part++) {
                const held: Uint32Array = new Uint32Array(found.most);
                const heldCodes: Uint32Array = new Uint32Array(found.most);
                const count = found.read(part, held, heldCodes);
                for (let i = 0; i < count; i++) {
                  const counts = [TITLE, BODY].map((field) => codes.frequency(heldCodes[i], field));
                  const exact: number[] = expected.find(({ document }) => document === held[i])?.counts ?? [];
                  assert.equal(codes.isExact(heldCodes[i]), Math.max(...exact) <= 16);
                  listed.push({ document: held[i], counts: codes.isExact(heldCodes[i]) ? counts : exact });
                }
              }
              assert.deepEqual(listed, expected);
            }
          }
        } finally {
          file.close();
        }
      }),
      { numRuns: propertyRuns(60) },
    ));

  test('of a file that ends too soon are an error', () => {
    writeFileSync(segmentPath(folder, 'short', 'positions'), Buffer.alloc(PADDING));
    const file = new SegmentFile(folder, 'short', 'positions', 0);
    try {
      const head = { words: ['the'], share: 1, parts: [0], at: 100, length: 10 };
      const pairs = new WordPairs(head, Uint32Array.of(0, 10), 1, file);
      const the = { term: 'the', documents: 1 };
      assert.throws(() => pairs.find(the, the), { code: 'FOLDER_CORRUPT' });
    } finally {
      file.close();
    }
  });
});
