import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fourTimes, holds } from '../../../../src/extract/tags/four-bytes.ts';
import { nextTag } from '../../../../src/extract/tags/markup-places.ts';

const near = fc.constantFrom(0, 1, 0x3d, 0x3e, 0x3f, 0x7f, 0x80, 0xbe, 0xff);

test('four bytes hold a byte where one of them is the same', () => {
  fc.assert(
    fc.property(
      near,
      fc.uint8Array({ minLength: 4, maxLength: 4 }),
      fc.array(near, { maxLength: 4 }),
      (byte, any, some) => {
        const bytes = Uint8Array.from(any, (one, at) => some[at] ?? one);
        assert.equal(holds(new DataView(bytes.buffer).getInt32(0, true), fourTimes(byte)), bytes.includes(byte));
      },
    ),
    { numRuns: 2000 },
  );
});

test('the next tag is the first, wherever one looks from', () => {
  const text = fc.string({ unit: fc.constantFrom('<', 'a', 'b', 'c', 'd', 'e', 'f', 'ÿ'), maxLength: 60 });
  fc.assert(
    fc.property(text, fc.nat(60), (html, from) => {
      const bytes = Buffer.from(html, 'latin1');
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      assert.equal(nextTag(html, bytes, view, Math.min(from, html.length)), html.indexOf('<', from));
    }),
  );
});
