import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodeUnits } from '../../../../src/base/code-units.ts';
import { HASH_START, hashWith, TermCache } from '../../../../src/index/analysis/term-cache.ts';

test('a word is made once while it is remembered', () => {
  let made = 0;
  const cache = new TermCache((word) => `${word}${++made}`);
  assert.equal(cache.of('word'), 'word1');
  assert.equal(cache.of('word'), 'word1');
  assert.equal(cache.of('a-word-of-many-letters'), 'a-word-of-many-letters2');
  assert.equal(made, 2);
});

test('a word in a text is the same as the word alone', () => {
  let made = 0;
  const cache = new TermCache((word) => `${word}${++made}`);
  const text = 'one word of many';
  assert.equal(cache.find(text, unitsOf(text), 4, 8, hashOf('word')), 'word1');
  assert.equal(cache.of('word'), 'word1');
  assert.equal(cache.find(text, unitsOf(text), 0, 3, hashOf('one')), 'one2');
});

test('words of the same hash are told apart, however many there are', () => {
  const cache = new TermCache((word) => word.toUpperCase());
  const words = Array.from({ length: 100 }, (_, at) => `${at % 2 === 0 ? 'w' : 'word-of-many-letters-'}${at}`);
  for (let pass = 0; pass < 2; pass++)
    for (const word of words) assert.equal(cache.find(word, unitsOf(word), 0, word.length, 7), word.toUpperCase());
});

test('no more words are remembered than were asked for, and all of them as long as there is room', () => {
  const made: string[] = [];
  const cache = new TermCache((word) => {
    made.push(word);
    return { word };
  }, 4096);
  const few = Array.from({ length: 700 }, (_, at) => `word${at}`);
  for (let pass = 0; pass < 3; pass++) for (const word of few) assert.equal(cache.of(word).word, word);
  // A few share their places with four others.
  assert.ok(made.length < 750, String(made.length));
  for (let at = 0; at < 10_000; at++) cache.of(`flood${at}`);
  made.length = 0;
  for (let at = 0; at < 10_000; at++) cache.of(`flood${at}`);
  assert.ok(made.length >= 10_000 - 4096, String(made.length));
});

function unitsOf(text: string): Uint16Array {
  return new CodeUnits().of(text);
}

function hashOf(word: string): number {
  let hash = HASH_START;
  for (const letter of word) hash = hashWith(hash, letter.charCodeAt(0));
  return hash;
}
