import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { resolveMarkup } from '../../../../src/extract/feed/resolve-markup.ts';

describe('resolveMarkup', () => {
  test('makes links absolute and leaves the rest as it is', () => {
    const base = 'https://example.com/a/';
    assert.equal(
      resolveMarkup('<a class=x href="b?c=1&amp;d">t</a>', base),
      '<a class=x href="https://example.com/a/b?c=1&amp;d">t</a>',
    );
    assert.equal(
      resolveMarkup("<img src='/i.png'><img src=j.png>", base),
      '<img src="https://example.com/i.png"><img src="https://example.com/a/j.png">',
    );
    for (const same of [
      '<a href="https://x/">',
      '<a href="mailto:a@b">',
      '<a href="#f">',
      '<!-- <a href="b"> -->',
      'a < b href="c"',
      '<p>',
    ]) {
      assert.equal(resolveMarkup(same, base), same);
    }
    assert.equal(resolveMarkup('<a href="b">', ''), '<a href="b">');
  });

  test('never throws and keeps markup without links', () => {
    fc.assert(fc.property(fc.string(), (text) => assert.equal(resolveMarkup(text, ''), text)));
    fc.assert(
      fc.property(fc.stringMatching(/^[<>a-z="' /!-]{0,60}$/), (text) => void resolveMarkup(text, 'https://e/')),
    );
  });
});
