import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasTellingWord } from '../../../../src/rank/topic/has-telling-word.ts';

test('a description of words that are everywhere says nothing', () => {
  for (const nothing of [
    'the of and',
    'The, OF: and!',
    'der die das',
    'the '.repeat(10_000),
    '',
    ' ',
    '!!! – …',
    'C++',
  ])
    assert.equal(hasTellingWord(nothing), false, nothing.slice(0, 20));
});

test('one word that tells is enough, in any script', () => {
  for (const topic of ['the spiders of and', 'go', '2026', 'пауки', 'عنكبوت', '蜘蛛', 'แมงมุม'])
    assert.equal(hasTellingWord(topic), true, topic);
});
