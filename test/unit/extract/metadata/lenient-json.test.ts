import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseLenientJson } from '../../../../src/extract/metadata/lenient-json.ts';

/** The reader's objects have no prototype. */
function read(text: string): unknown {
  return JSON.parse(JSON.stringify(parseLenientJson(text) ?? null));
}

describe('JSON as people write it', () => {
  const same = { headline: 'A', list: [1, true, null] };
  for (const [name, text] of [
    ['right', '{"headline": "A", "list": [1, true, null]}'],
    ['trailing commas', '{"headline": "A", "list": [1, true, null,],}'],
    ['missing comma', '{"headline": "A" "list": [1 true null]}'],
    ['comments', '{/* a */ "headline": "A", // b\n "list": [1, true, null]}'],
    ['an HTML comment around it', '<!-- {"headline": "A", "list": [1, true, null]} -->'],
    ['a CDATA section around it', '//<![CDATA[\n{"headline": "A", "list": [1, true, null]}\n//]]>'],
    ['single quotes and bare names', "{headline: 'A', 'list': [1, true, null]}"],
    ['a semicolon', '{"headline": "A", "list": [1, true, null]};'],
    ['an end too early', '{"headline": "A", "list": [1, true, null'],
  ]) {
    test(name, () => assert.deepEqual(read(text), same));
  }

  test('line feeds and bare quotes in strings', () => {
    assert.deepEqual(read('{"a": "one\ntwo", "b": "the "good" one", "c": 1,}'), {
      a: 'one\ntwo',
      b: 'the "good" one',
      c: 1,
    });
  });

  test('what is right is read as the platform reads it', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        assert.deepEqual(parseLenientJson(json), JSON.parse(json.trim()));
      }),
    );
  });

  test('nothing makes it throw, and depth does not run over', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      ':',
      ',',
      '\\',
      '\\u00',
      '//',
      '/*',
      '<!--',
      'x',
      ' ',
      '\n',
      '1',
    );
    fc.assert(fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => void parseLenientJson(pieces.join(''))));
    parseLenientJson('['.repeat(500_000));
    parseLenientJson('{"a":'.repeat(200_000));
    parseLenientJson(`"${' '.repeat(300_000)}`);
    parseLenientJson(`<!--${'" '.repeat(300_000)}`);
  });
});
