import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ByteWriter, widthOf } from '../../../src/base/byte-writer.ts';
import { ByteReader, unpackBits } from '../../../src/index/format/byte-reader.ts';
import { NumberColumn, packColumn } from '../../../src/index/format/number-column.ts';
import {
  boundOfByte,
  byteOfBound,
  byteOfLength,
  frequencyOfLevel,
  lengthOfByte,
  levelOfFrequency,
} from '../../../src/index/format/quantise.ts';
import { TermDictionary, TermDictionaryWriter } from '../../../src/index/format/term-dictionary.ts';
import { urlForm, urlText } from '../../../src/index/format/url-form.ts';

describe('index format', () => {
  test('packed bits and varints come back', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(2 ** 25 - 1)), fc.array(fc.nat(Number.MAX_SAFE_INTEGER)), (packed, varints) => {
        const writer = new ByteWriter(1);
        for (const value of varints) writer.varint(value);
        const width = widthOf(Math.max(0, ...packed));
        const at = writer.length;
        writer.bits(packed, packed.length, width);
        writer.bytes(new Uint8Array(4));
        const bytes = writer.written.slice();
        const reader = new ByteReader(bytes);
        assert.deepEqual(
          varints.map(() => reader.varint()),
          varints,
        );
        const out = new Uint32Array(packed.length);
        unpackBits(new DataView(bytes.buffer), at, width, out, packed.length);
        assert.deepEqual([...out], packed);
      }),
    ));

  test('a length is rounded up by an eighth at most, a bound by a tenth, a frequency by an eighth; the exact ones are told from the others', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.nat(1e8), fc.nat(20)),
        fc.double({ min: 0.002, max: 50_000, noNaN: true }),
        (length, bound) => {
          const rounded = lengthOfByte(byteOfLength(length));
          assert.ok(rounded >= length && rounded <= length * 1.125);
          const raised = boundOfByte(byteOfBound(bound));
          assert.ok(raised >= bound && raised <= bound * 1.15);
          const frequency = length % 5000;
          const near = frequencyOfLevel(levelOfFrequency(frequency));
          assert.ok(Math.abs(near - frequency) <= frequency * 0.125);
          if (frequency <= 16) assert.equal(near, frequency);
          else assert.ok(levelOfFrequency(frequency) > 16);
        },
      ),
    ));

  test('the byte of a bound is that of the lowest one that is not below the value, at the bounds themselves too', () => {
    const lowest = (value: number): number => {
      let byte = 0;
      while (boundOfByte(byte) < value) byte++;
      return byte;
    };
    for (let byte = 0; byte < 255; byte++) {
      const bound = boundOfByte(byte);
      for (const value of [bound, bound * (1 - Number.EPSILON), bound * (1 + Number.EPSILON), bound * 1.03])
        assert.equal(byteOfBound(value), lowest(value), String(value));
    }
    for (const value of [0, 1e-9, 1e9, Number.POSITIVE_INFINITY]) assert.equal(byteOfBound(value), lowest(value));
  });

  test('columns of numbers come back exactly', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(fc.nat(300)),
          fc.array(fc.integer()),
          fc.array(fc.double({ noNaN: true })),
          fc.array(fc.nat(1e6).map((n) => n * 1000)),
        ),
        (values) => {
          const { form, bytes } = packColumn(values);
          const column = new NumberColumn(JSON.parse(JSON.stringify(form)), bytes);
          for (const [at, value] of values.entries()) assert.ok(column.at(at) === value);
        },
      ),
    ));

  test('the dictionary finds its terms and no others, and lists them in order', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, unit: 'binary' }), { maxLength: 100 }),
        fc.string(),
        (terms, other) => {
          const sorted = [...terms].sort((a, b) => (a < b ? -1 : 1));
          const writer = new TermDictionaryWriter();
          for (const [at, term] of sorted.entries()) {
            writer.add(term, { documents: at + 1, postingsLength: at, positionsLength: 2 * at });
          }
          const { terms: bytes, blocks, size } = writer.end();
          const dictionary = new TermDictionary(bytes, blocks, size);
          for (const [at, term] of sorted.entries()) {
            const found = dictionary.find(term);
            assert.equal(found?.documents, at + 1);
            assert.equal(found?.postingsAt, (at * Math.max(0, at - 1)) / 2);
            assert.equal(found?.positionsAt, at * Math.max(0, at - 1));
          }
          assert.equal(dictionary.find(other) !== undefined, terms.includes(other));
          assert.deepEqual(
            [...dictionary.from(other)].map(({ term }) => term),
            sorted.filter((term) => term >= other),
          );
        },
      ),
      { numRuns: 30 },
    ));

  test('half a character is not taken for the sign of a broken one, though both are written alike', () => {
    const writer = new TermDictionaryWriter();
    writer.add('a\ufffd', { documents: 1, postingsLength: 1, positionsLength: 1 });
    const { terms, blocks, size } = writer.end();
    const dictionary = new TermDictionary(terms, blocks, size);
    assert.equal(dictionary.find('a\ufffd')?.documents, 1);
    assert.equal(dictionary.find('a\ud800'), undefined);
  });

  test('words and form of a URL', () => {
    assert.equal(
      urlText('https://www.example.org/caf%C3%A9/big-cats.html?x=1').trim(),
      'example org café big cats html x 1',
    );
    assert.equal(urlText('doc-17'), '');
    assert.deepEqual(
      [
        'https://a.example/',
        'https://a.example/index.html',
        'https://a.example/b/',
        'https://a.example/b/c?d',
        'doc',
      ].map(urlForm),
      [1, 1, 1 / 2, 1 / 4, 0],
    );
  });
});
