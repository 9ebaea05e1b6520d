import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodeUnits, copyOf } from '../../../src/base/code-units.ts';

test('the units of a text are those that charCodeAt tells, with a 0 behind them', () => {
  const units = new CodeUnits();
  const long = 'Wörter, слова, 言葉, \u{1d4b3}, half a pair: \ud800. '.repeat(200);
  // Short ones after long ones, so that what lies behind them is not theirs; and one that is too long to be kept.
  for (const text of ['', 'a', long, 'naïve \udc00', 'plain words in a row that are longer', long.repeat(200), 'b']) {
    const found = units.of(text);
    for (let at = 0; at < text.length; at++)
      if (found[at] !== text.charCodeAt(at)) assert.fail(`${found[at]} instead of ${text.charCodeAt(at)} at ${at}`);
    assert.equal(found[text.length], 0);
  }
});

test('a copy is the same text, of whatever length and characters', () => {
  for (const text of [
    '',
    'naïve',
    'слово',
    '\0\xff',
    'x'.repeat(64),
    'y'.repeat(65),
    `${'z'.repeat(63)}\u0100`,
    '\ud800',
  ])
    assert.equal(copyOf(text), text);
});
