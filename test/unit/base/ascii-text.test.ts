import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AsciiText } from '../../../src/base/ascii-text.ts';

test('a text in ASCII is its bytes, however long; any other is none', () => {
  const texts = new AsciiText();
  for (const text of ['', 'a text', 'long '.repeat(10_000), 'short'])
    assert.equal(Buffer.from(texts.of(text) ?? []).toString('latin1'), text);
  for (const text of ['é', '\u4e2d', '\ud800', `${'long '.repeat(10_000)}\u00a0`])
    assert.equal(texts.of(text), undefined);
});
