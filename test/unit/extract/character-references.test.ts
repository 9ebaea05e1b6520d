import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeReferences } from '../../../src/extract/character-references.ts';

/** The corpus of tokenizer tests, every name and number included, runs through the scanner: see html-scanner.test.ts. */
describe('decodeReferences', () => {
  for (const [written, text, value] of [
    ['a&amp;b&lt;c', 'a&b<c', 'a&b<c'],
    ['&ampx', '&x', '&ampx'],
    ['&notin; &notit; &not', '∉ ¬it; ¬', '∉ &notit; ¬'],
    ['&fjlig;&bne;', 'fj=\u20e5', 'fj=\u20e5'],
    ['&CounterClockwiseContourIntegral;', '∳', '∳'],
    ['&hellip', '&hellip', '&hellip'],
    ['&#65;&#x41&#X41;', 'AAA', 'AAA'],
    ['&#128;&#x9f;&#129;', '€Ÿ\x81', '€Ÿ\x81'],
    ['&#0;&#xd800;&#1114112;&#99999999999999999999;', '\ufffd\ufffd\ufffd\ufffd', '\ufffd\ufffd\ufffd\ufffd'],
    ['& && &; &# &#; &#x; &#xg &# 65;', '& && &; &# &#; &#x; &#xg &# 65;', '& && &; &# &#; &#x; &#xg &# 65;'],
    ['?a=1&copy=2&amp;b=3&lt', '?a=1©=2&b=3<', '?a=1&copy=2&b=3<'],
    ['none', 'none', 'none'],
  ]) {
    test(written, () => {
      assert.equal(decodeReferences(written, false), text);
      assert.equal(decodeReferences(written, true), value);
    });
  }
});
