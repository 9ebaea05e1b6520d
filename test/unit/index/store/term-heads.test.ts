import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TermDictionary, TermDictionaryWriter } from '../../../../src/index/format/term-dictionary.ts';
import { JoinedDictionary } from '../../../../src/index/renewal/joined-dictionary.ts';
import { TermHeads } from '../../../../src/index/store/term-heads.ts';
import { propertyRuns } from '../../../property-runs.ts';

function dictionary(terms: readonly string[], documents = 1): TermDictionary {
  const writer = new TermDictionaryWriter();
  for (const term of terms) writer.add(term, { documents, postingsLength: 3, positionsLength: 2 });
  const { terms: bytes, blocks, size } = writer.end();
  return new TermDictionary(bytes, blocks, size);
}

function assertInOrder(all: readonly (readonly string[])[]): void {
  const heads = new TermHeads(all.map((terms) => dictionary(terms)));
  const found: [string, number][] = [];
  for (let head = heads.first; head !== undefined; head = heads.first) {
    found.push([head.term, heads.input]);
    heads.advance();
  }
  const expected = all.flatMap((terms, input) => terms.map((term): [string, number] => [term, input]));
  expected.sort(([a, one], [b, other]) => (a < b ? -1 : a > b ? 1 : one - other));
  assert.deepEqual(found, expected);
}

test('terms of several dictionaries come in order, those of the first dictionary first', () => {
  assertInOrder([
    ['b', 'd', 'z'],
    [],
    Array.from({ length: 100 }, (_, at) => `c${at}`).sort(),
    ['a', 'b', 'c5', 'z'],
    ['a', 'b'],
  ]);
});

test('terms of any characters come in the order that strings have', () => {
  // Above all those that begin alike, and characters of two code units beside the last ones of one.
  const letter = fc.constantFrom('a', 'b', '\0', 'é', '中', '\ud7ff', '\ue000', '\uffee', '\u{10000}', '\u{10ffff}');
  const term = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ unit: letter, maxLength: 9 }));
  const terms = fc.uniqueArray(term, { maxLength: 70 }).map((some) => some.sort());
  fc.assert(fc.property(fc.array(terms, { maxLength: 5 }), assertInOrder), { numRuns: propertyRuns(400) });
});

test('a term that is kept is told from all others', () => {
  const all = [['a', 'abcdefg', 'abcdefgh'], ['abcdefg'], ['b'.repeat(300)]];
  const heads = new TermHeads(all.map((terms) => dictionary(terms)));
  const groups: string[] = [];
  while (heads.head !== undefined) {
    heads.keep();
    const { bytes, from, to } = heads.kept;
    let count = 0;
    for (; heads.isKept; heads.advance()) count++;
    groups.push(`${count} ${Buffer.from(bytes).toString('utf8', from, to)}`);
  }
  assert.deepEqual(groups, ['1 a', '2 abcdefg', '1 abcdefgh', `1 ${'b'.repeat(300)}`]);
});

test('a cursor finds what is found from the first term on', () => {
  const terms = Array.from({ length: 100 }, (_, at) => `c${at}`).sort();
  const written = dictionary(terms);
  for (const source of [written, new JoinedDictionary(written, dictionary(['c5', 'c51', 'd'], 7))]) {
    const cursor = source.cursor();
    for (const expected of source.from('')) {
      assert.ok(cursor.next());
      assert.deepEqual(cursor.found, expected);
    }
    assert.ok(!cursor.next());
  }
});

test('dictionaries without a term are at their end', () => {
  assert.equal(new TermHeads([]).first, undefined);
  assert.equal(new TermHeads([dictionary([]), dictionary([])]).first, undefined);
});
