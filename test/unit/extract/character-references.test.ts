import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseFragment } from 'parse5';
import { decodeReferences } from '../../../src/extract/character-references.ts';
import { legacyEntities, namedEntities } from '../../../src/extract/named-entities.ts';

/** What the oracle makes of texts and of attribute values. */
function oracle(texts: readonly string[]): { text: string; value: string }[] {
  const tree = parseFragment(texts.map((text) => `<i t="${text}">${text}</i>`).join(''));
  return tree.childNodes.map((node) => {
    assert.ok('attrs' in node);
    const [child] = node.childNodes;
    return { text: child !== undefined && 'value' in child ? child.value : '', value: node.attrs[0].value };
  });
}

function check(texts: readonly string[]): void {
  const wanted = oracle(texts);
  for (const [index, text] of texts.entries()) {
    assert.equal(decodeReferences(text, false), wanted[index].text, `text ${JSON.stringify(text)}`);
    assert.equal(decodeReferences(text, true), wanted[index].value, `value ${JSON.stringify(text)}`);
  }
}

describe('decodeReferences', () => {
  test('the table holds every name of the standard', () => {
    assert.equal(namedEntities.size, 2125);
    assert.equal(legacyEntities.size, 106);
    check([...namedEntities.keys()].map((name) => `&${name};`));
  });

  test('every name without its semicolon', () => {
    const names = [...namedEntities.keys()];
    check(names.map((name) => `&${name}`));
    check(names.map((name) => `&${name}=`));
    check(names.map((name) => `&${name}x;`));
    check(names.map((name) => `&${name.slice(0, -1)}`));
  });

  test('numbers', () => {
    check(
      [
        '0',
        '1',
        '9',
        '10',
        '13',
        '38',
        '60',
        '65',
        '127',
        '160',
        '255',
        '55296',
        '57343',
        '65534',
        '1114111',
        '1114112',
        '9'.repeat(40),
      ]
        .concat(Array.from({ length: 32 }, (_, index) => String(index + 128)))
        .flatMap((number) => [`&#${number};`, `&#${number}`, `&#${number}x`, `&#x${Number(number).toString(16)};`]),
    );
    check([
      '&#',
      '&#;',
      '&#x',
      '&#x;',
      '&#X41;',
      '&#xg',
      '&#a',
      '&# 65;',
      '&',
      '&&',
      '&;',
      '&amp',
      '&&amp;&',
      'a&amp;b&lt;c',
    ]);
  });

  test('a query keeps its parameters', () => {
    assert.equal(decodeReferences('?a=1&copy=2&amp;b=3&lt', true), '?a=1&copy=2&b=3<');
    assert.equal(decodeReferences('?a=1&copy=2', false), '?a=1©=2');
  });

  test('any text as the oracle reads it', () => {
    const part = fc.constantFrom(
      '&',
      '#',
      'x',
      ';',
      'amp',
      'lt',
      'not',
      'notin',
      'copy',
      '=',
      'a',
      '1',
      '65',
      '41',
      ' ',
      'é',
      'fj',
      'lig',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => check([`.${parts.join('')}`])),
      { numRuns: 500 },
    );
  });
});
