import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ownLink } from '../../../src/web/links.ts';

test('links carry their parameters as forms do, whatever the characters', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom("a b!'()~*-._", '\ud800', 'site:a.b c'),
  );
  fc.assert(
    fc.property(value, value, (q, url) => {
      const expected = new URLSearchParams({ q, url, n: '3' }).toString();
      assert.equal(ownLink('/go', { q, none: undefined, url, n: 3 }), `/go?${expected}`);
    }),
  );
  assert.equal(ownLink('/help', { none: undefined }), '/help');
});
