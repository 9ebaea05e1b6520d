import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { gzipMember, gzipMemberInBackground, storedMember } from '../../../../src/archive/gzip/gzip-member.ts';

test('a stored member inflates to head, body and tail, whatever the length of the body', () => {
  const tail = Buffer.from('\r\n\r\n');
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 2000 }),
      fc.constantFrom(0, 1, 100, 65_534, 65_535, 65_536, 131_070, 131_071, 200_000),
      fc.integer({ min: 1, max: 9 }),
      (head, bodyLength, level) => {
        const body = Buffer.alloc(bodyLength, 'body');
        const parts = storedMember(head, body, tail, level);
        assert.deepEqual(gunzipSync(Buffer.concat(parts)), Buffer.concat([head, body, tail]));
        // The body is among the parts as it is, not as a copy.
        assert.ok(bodyLength === 0 || parts.some((part) => part.buffer === body.buffer));
      },
    ),
    { numRuns: 60 },
  );
});

test('compressed members inflate to their parts', async () => {
  const parts = [Buffer.from('one '), Buffer.from('two '), Buffer.alloc(100_000, 'three')];
  assert.deepEqual(gunzipSync(gzipMember(parts, 1)), Buffer.concat(parts));
  assert.deepEqual(gunzipSync(await gzipMemberInBackground(parts, 1)), Buffer.concat(parts));
});
