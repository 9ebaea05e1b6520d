import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StemCache } from '../../../../src/index/analysis/stem-cache.ts';

test('a word is made once while it is in use', () => {
  let made = 0;
  const cache = new StemCache((word) => `${word}${++made}`);
  assert.equal(cache.of('word'), 'word1');
  assert.equal(cache.of('word'), 'word1');
  assert.equal(cache.of('a-word-of-many-letters'), 'a-word-of-many-letters2');
  assert.equal(made, 2);
});

test('what is used survives a flood, what is not is forgotten', () => {
  const made: string[] = [];
  const cache = new StemCache((word) => {
    made.push(word);
    return word;
  }, 4);
  cache.of('rare');
  for (let at = 0; at < 40; at++) {
    cache.of('common');
    cache.of(`flood${at}`);
  }
  cache.of('rare');
  assert.equal(made.filter((word) => word === 'common').length, 1);
  assert.equal(made.filter((word) => word === 'rare').length, 2);
});
