import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { sha1Base32 } from '../../../../src/archive/sha1-base32.ts';
import { distinctShingles, shingles } from './shingles.ts';
import { simhash, simhashBits, simhashVector } from './textbook-simhash.ts';

const SENTENCE =
  'Tropical fish include fish found in tropical environments around the world, including both freshwater and salt water species.';

describe('Textbook examples', () => {
  test('the 3-grams of the tropical fish', () => {
    assert.deepEqual(shingles(SENTENCE.toLowerCase().match(/\w+/g) ?? [], 3), [
      'tropical fish include',
      'fish include fish',
      'include fish found',
      'fish found in',
      'found in tropical',
      'in tropical environments',
      'tropical environments around',
      'environments around the',
      'around the world',
      'the world including',
      'world including both',
      'including both freshwater',
      'both freshwater and',
      'freshwater and salt',
      'and salt water',
      'salt water species',
    ]);
  });

  test('the simhash of the tropical fish, from words with weights to the 8-bit fingerprint', () => {
    const features = [
      ['01100001', 2], // tropical
      ['10101011', 2], // fish
      ['11100110', 1], // include
      ['00011110', 1], // found
      ['00101101', 1], // environments
      ['10001011', 1], // around
      ['00101010', 1], // world
      ['11000000', 1], // including
      ['10101110', 1], // both
      ['00111111', 1], // freshwater
      ['10110101', 1], // salt
      ['00100101', 1], // water
      ['11101110', 1], // species
    ] as const;
    const weighted = features.map(([bits, weight]) => ({ hash: BigInt(`0b${bits}`), weight }));
    const vector = simhashVector(weighted, 8);
    assert.deepEqual(vector, [1, -5, 9, -9, 3, 1, 3, 3]);
    assert.equal(simhashBits(vector), 0b10101111n);
    assert.equal(simhash(weighted, 8), 0b10101111n);
  });

  test('a rose is a rose is a rose has three different 4-grams', () => {
    const words = 'a rose is a rose is a rose'.split(' ');
    assert.deepEqual([...distinctShingles(words, 4)], ['a rose is a', 'rose is a rose', 'is a rose is']);
    assert.equal(shingles(words, 4).length, 5);
  });

  test('the hash values of the 3-grams that four divides', () => {
    const values = [938, 664, 463, 822, 492, 798, 78, 969, 143, 236, 913, 908, 694, 553, 870, 779];
    assert.deepEqual(
      values.filter((value) => value % 4 === 0),
      [664, 492, 236, 908],
    );
  });

  test('Jaccard of two columns: rows with both, by rows with any', () => {
    const columns = [
      [0, 1, 1, 0, 1, 0],
      [1, 0, 1, 0, 1, 1],
    ];
    const rows = columns[0].map((one, row) => one + columns[1][row]);
    assert.equal(rows.filter((sum) => sum === 2).length / rows.filter((sum) => sum > 0).length, 2 / 5);
  });

  test('the checksum of "Tropical fish" is 508; letters that change places keep it, and are told apart by CRC and digest', () => {
    const [text, other] = ['Tropical fish', 'Tropical fihs'].map((one) => Buffer.from(one));
    const checksum = (bytes: Buffer): string => bytes.reduce((sum, byte) => sum + byte, 0).toString(16);
    assert.equal(checksum(text), '508');
    assert.equal(checksum(other), '508');
    assert.notEqual(crc32(text), crc32(other));
    // What exact duplicates are known by.
    assert.notEqual(sha1Base32(text), sha1Base32(other));
  });
});
