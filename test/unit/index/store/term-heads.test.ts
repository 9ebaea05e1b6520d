import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TermDictionary, TermDictionaryWriter } from '../../../../src/index/format/term-dictionary.ts';
import { TermHeads } from '../../../../src/index/store/term-heads.ts';

function dictionary(terms: readonly string[]): TermDictionary {
  const writer = new TermDictionaryWriter();
  for (const term of terms) writer.add(term, { documents: 1, postingsLength: 1, positionsLength: 1 });
  const { terms: bytes, blocks, size } = writer.end();
  return new TermDictionary(bytes, blocks, size);
}

test('terms of several dictionaries come in order, those of the first dictionary first', () => {
  const all = [
    ['b', 'd', 'z'],
    [],
    Array.from({ length: 100 }, (_, at) => `c${at}`).sort(),
    ['a', 'b', 'c5', 'z'],
    ['a', 'b'],
  ];
  const heads = new TermHeads(all.map(dictionary));
  const found: [string, number][] = [];
  for (let head = heads.first; head !== undefined; head = heads.first) {
    found.push([head.term, heads.input]);
    heads.advance();
  }
  const expected = all.flatMap((terms, input) => terms.map((term): [string, number] => [term, input]));
  expected.sort(([a, one], [b, other]) => (a < b ? -1 : a > b ? 1 : one - other));
  assert.deepEqual(found, expected);
});

test('dictionaries without a term are at their end', () => {
  assert.equal(new TermHeads([]).first, undefined);
  assert.equal(new TermHeads([dictionary([]), dictionary([])]).first, undefined);
});
