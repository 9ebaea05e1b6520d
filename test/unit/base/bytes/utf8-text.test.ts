import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { takeUtf8, utf8Of } from '../../../../src/base/bytes/utf8-text.ts';

test('a text comes back as it was, but for halves of surrogate pairs', () => {
  const texts = fc.array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', 'é', '漢', 'a'.repeat(90_000))),
  );
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join('');
      const bytes = utf8Of(text);
      assert.deepEqual(Buffer.from(bytes), Buffer.from(text));
      assert.equal(bytes.buffer.byteLength, bytes.length, 'nothing else is in its memory');
      assert.equal(takeUtf8(bytes), text.toWellFormed());
      assert.equal(bytes.length, 0, 'its memory is given back');
    }),
    { numRuns: 200 },
  );
});
