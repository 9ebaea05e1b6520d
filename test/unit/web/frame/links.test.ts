import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ownLink, splitAddress } from '../../../../src/web/frame/links.ts';

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

test('a long address keeps its end in sight; nothing of it is lost, and no character is cut in two', () => {
  assert.deepEqual(splitAddress('short.example/page'), { start: 'short.example/page', end: '' });
  assert.equal(splitAddress(`https://site.example/${'folder/'.repeat(9)}last-page.html`).end, 'last-page.html');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      const { start, end } = splitAddress(text);
      assert.equal(start + end, text);
      assert.equal(end.isWellFormed(), end === '' || [...text].slice(-14).join('').isWellFormed());
    }),
  );
});
