import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MOST_BYTES } from '../../../../src/extract/kernel/memory-layout.ts';
import { CollapsedText } from '../../../../src/extract/texts/collapsed-text.ts';

/** Behind a document it makes that too long for the kernel. */
const surplus = Buffer.alloc(MOST_BYTES, 'x');

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('and', 'words ', 'of ', 'a sentence, ', 'Straße ', '中文') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('  ', '\n', '\0', '\u00a0', '&amp;', '&nbsp; ', '&', '\ud800', '\uffff', '\u0301'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
);
const document = fc.oneof(
  fc.array(piece, { minLength: 30, maxLength: 300 }).map((pieces) => Buffer.from(pieces.join(''))),
  fc
    .array(fc.constantFrom(0x20, 0x0a, 0x61, 0x62, 0x26, 0x80, 0xa0, 0xc2, 0xc3, 0xff), { maxLength: 700 })
    .map((bytes) => Buffer.from(bytes)),
);
const part = fc.record({ of: fc.nat(1), from: fc.nat(), to: fc.nat(), isWhole: fc.boolean(), literal: fc.boolean() });
const step = fc.oneof({ weight: 4, arbitrary: part }, fc.constantFrom('breakWord', 'breakBlock', 'addString'));

test('parts of documents that are read in turn give what they give byte by byte', () => {
  const [long, short] = [new CollapsedText(16), new CollapsedText(16)];
  fc.assert(
    fc.property(fc.tuple(document, document), fc.array(step, { maxLength: 8 }), (documents, steps) => {
      const tooLong = documents.map((bytes) => Buffer.concat([bytes, surplus]));
      for (const step of steps) {
        if (step === 'addString') for (const text of [long, short]) text.addString(' read\u00a0 before ');
        else if (typeof step === 'string') for (const text of [long, short]) text[step]();
        else {
          const { length } = documents[step.of];
          const from = step.isWhole ? 0 : step.from % (length + 1);
          const to = step.isWhole ? length : from + (step.to % (length - from + 1));
          long.add(documents[step.of], from, to, step.literal);
          short.add(tooLong[step.of], from, to, step.literal);
        }
        assert.equal(long.length, short.length);
      }
      assert.equal(long.take(), short.take());
    }),
    { numRuns: 300 },
  );
});

test('texts that are left are those that are taken one by one', () => {
  const parts = fc.array(fc.tuple(document, fc.boolean()), { maxLength: 12 });
  fc.assert(
    fc.property(parts, (written) => {
      const [left, taken] = [new CollapsedText(16), new CollapsedText(16)];
      const texts: string[] = [];
      for (const [bytes, isTaken] of written) {
        for (const text of [left, taken]) text.add(bytes, 0, bytes.length, false);
        assert.equal(left.length, taken.length);
        texts.push(taken.take());
        // One that is taken in between is no part of them.
        if (isTaken) assert.equal(left.take(), texts.pop());
        else left.leave();
      }
      assert.deepEqual(left.left(), texts);
    }),
  );
});
