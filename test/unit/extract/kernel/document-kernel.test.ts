import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DocumentKernel } from '../../../../src/extract/kernel/document-kernel.ts';
import { MOST_BYTES } from '../../../../src/extract/kernel/memory-layout.ts';

const kernel = new DocumentKernel();

/** Bytes that mean something to one of the passes are met often, in runs and alone. */
const bytes = fc.oneof(
  fc.constantFrom(0x20, 0x0a, 0x00, 0x26, 0xc2, 0xa0, 0x30, 0x39, 0x2f, 0x3a, 0x21, 0x7f, 0x80, 0xff),
  fc.integer({ min: 0x41, max: 0x5a }),
  fc.integer({ min: 0, max: 0xff }),
);
const documents = fc.oneof(
  fc.array(bytes, { maxLength: 150 }).map((some) => Uint8Array.from(some)),
  fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 9 }),
        fc.constantFrom('words', 'é', '\u00a0', '中文', '\ud800', '\0'),
      ),
    )
    .map((words) => Buffer.from(words.join(' '))),
);

function collapsed(document: Uint8Array, start: number, end: number, literal: boolean): object {
  const text: number[] = [];
  let endsWithGap = false;
  let at = start;
  while (at < end && (literal || document[at] !== 0x26)) {
    const isNbsp = document[at] === 0xc2 && at + 1 < end && document[at + 1] === 0xa0;
    if (isNbsp || document[at] <= 0x20) {
      endsWithGap = true;
      at += isNbsp ? 2 : 1;
      continue;
    }
    if (endsWithGap) text.push(0x20);
    endsWithGap = false;
    text.push(document[at++]);
  }
  return { text, endsWithGap, stoppedAt: at, isAscii: text.every((byte) => byte < 0x80) };
}

test('white space is collapsed as byte by byte', () => {
  fc.assert(
    fc.property(documents, fc.nat(), fc.nat(), fc.boolean(), (document, from, before, literal) => {
      let start = from % (document.length + 1);
      const end = document.length - (before % (document.length - start + 1));
      while (start < end && (document[start] <= 0x20 || document[start] === 0xc2)) start++;
      assert.ok(kernel.hold(document));
      const text = [...kernel.collapse(start, end, literal)];
      const { endsWithGap, stoppedAt, isAscii } = kernel;
      assert.deepEqual({ text, endsWithGap, stoppedAt, isAscii }, collapsed(document, start, end, literal));
    }),
    { numRuns: 500 },
  );
});

test('text is counted as byte by byte', () => {
  fc.assert(
    fc.property(documents, fc.nat(), fc.nat(), (document, from, before) => {
      const start = from % (document.length + 1);
      const end = document.length - (before % (document.length - start + 1));
      const part = [...document.subarray(start, end)];
      const gaps = part.filter((byte, at) => byte > 0x20 && at > 0 && part[at - 1] <= 0x20).length;
      assert.ok(kernel.hold(document));
      assert.equal(kernel.textLength(start, end), part.filter((byte) => byte > 0x20).length + gaps);
      const isProse = part.every((byte) => byte !== 0x26 && (byte < 0x30 || byte > 0x39));
      const prose = kernel.proseLength(start, end);
      if (isProse) assert.equal(prose, part.filter((byte) => byte > 0x20 && byte < 0x80).length);
      else assert.ok(prose < 0);
    }),
    { numRuns: 500 },
  );
});

test('marks are found where they begin', () => {
  const parts = fc.array(
    fc.constantFrom('<', '<s', '<st', '<style', '"', '"d', '"da', '"publi', '"cr', 'x'.repeat(15), 'é'),
  );
  fc.assert(
    fc.property(parts, fc.nat(), (some, from) => {
      const document = Buffer.from(some.join(''));
      const text = document.toString('latin1');
      const start = from % (document.length + 1);
      assert.ok(kernel.hold(document));
      // At the very end of a document only their beginnings may stand.
      const places = (find: (at: number) => number, marks: readonly string[]): number[] => {
        const found: number[] = [];
        for (let at = find(start); at !== -1; at = find(at + 1)) {
          assert.ok(at >= start && at < document.length);
          if (marks.includes(text.slice(at, at + 3))) found.push(at);
          else assert.ok(at > document.length - 3);
        }
        return found;
      };
      const all = [...text].map((_, at) => at).filter((at) => at >= start);
      const styles = places((at) => kernel.findStyle(at, document.length), ['<st']);
      assert.deepEqual(
        styles,
        all.filter((at) => text.startsWith('<st', at)),
      );
      const keys = ['"da', '"pu', '"cr'];
      const dates = places((at) => kernel.findDateKey(at, document.length), keys);
      assert.deepEqual(
        dates,
        all.filter((at) => keys.includes(text.slice(at, at + 3))),
      );
    }),
    { numRuns: 500 },
  );
});

test('a document of the greatest length is read to its end, and a longer one is refused', () => {
  const longest = new Uint8Array(MOST_BYTES).fill(0x61);
  assert.ok(kernel.hold(longest));
  assert.equal(kernel.textLength(0, MOST_BYTES), MOST_BYTES);
  assert.equal(kernel.collapse(0, MOST_BYTES, false).length, MOST_BYTES);
  assert.equal(kernel.hold(new Uint8Array(MOST_BYTES + 1)), false);
});

test('of two documents each is asked about after the other', () => {
  const [one, other] = [Buffer.from('one  text'), Buffer.from('three more words')];
  kernel.hold(one);
  kernel.hold(other);
  assert.equal(kernel.textLength(0, other.length), 16);
  kernel.hold(one);
  assert.equal(kernel.textLength(0, one.length), 8);
});
