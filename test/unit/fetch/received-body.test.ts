import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ReceivedBody } from '../../../src/fetch/received-body.ts';

test('whatever the pieces, all bytes come out in their order', () => {
  const sizes = fc.array(fc.oneof(fc.nat(20), fc.nat(5000), fc.nat(70_000)), { maxLength: 40 });
  fc.assert(
    fc.property(sizes, (lengths) => {
      const whole = Buffer.from(Array.from({ length: lengths.reduce((a, b) => a + b, 0) }, (_, i) => i & 255));
      const body = new ReceivedBody();
      let at = 0;
      for (const length of lengths) {
        body.add(whole.subarray(at, at + length));
        at += length;
      }
      assert.ok(body.take().equals(whole));
      assert.equal(body.take().length, 0);
    }),
    { numRuns: 50 },
  );
});

test('small pieces are copied: the memory they were cut from is not held on to', () => {
  const body = new ReceivedBody();
  const source = Buffer.alloc(300_000, 'x');
  for (let i = 0; i < source.length; i++) body.add(source.subarray(i, i + 1));
  // The first piece may be the whole body and is kept as it is; none of the others is.
  source.fill('y', 1);
  assert.equal(body.take().toString(), 'x'.repeat(source.length));
});
