import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topicFeatures } from '../../../../src/rank/topic/topic-features.ts';
import { bucketOf, WordStatistics } from '../../../../src/rank/topic/word-statistics.ts';

function wordsOf(text: string): Uint32Array {
  return topicFeatures({ title: '', text, links: [] }).words;
}

function weight(statistics: WordStatistics, word: string): number {
  return statistics.weights[bucketOf(wordsOf(word)[0])];
}

test('before the first page, words that say nothing weigh little', () => {
  const statistics = new WordStatistics();
  for (const word of ['the', 'und', 'les', 'que'])
    assert.ok(weight(statistics, word) < 0.1 * weight(statistics, 'spider'), word);
});

test('a word that is in most pages loses its weight, a rare one gains', () => {
  const statistics = new WordStatistics();
  const before = weight(statistics, 'spider');
  for (let page = 0; page < 200; page++) statistics.add(wordsOf('cookie settings'), false);
  statistics.refresh();
  assert.ok(weight(statistics, 'cookie') < 0.5);
  assert.ok(weight(statistics, 'spider') > before);
});

test('pages near the topic hardly count, however many are met', () => {
  const statistics = new WordStatistics();
  for (let page = 0; page < 100; page++) statistics.add(wordsOf('garden'), false);
  for (let page = 0; page < 1000; page++) statistics.add(wordsOf('spider'), true);
  statistics.refresh();
  assert.ok(weight(statistics, 'spider') > 2.5);
});

test('what was counted is kept, and counts stay within their bounds', () => {
  const statistics = new WordStatistics();
  const words = wordsOf('garden');
  for (let page = 0; page < 30_100; page++) statistics.add(words, false);
  statistics.refresh();
  const kept = JSON.parse(JSON.stringify(statistics)) as { pages: number };
  assert.ok(kept.pages < 30_000);
  const again = new WordStatistics(kept);
  assert.deepEqual(again.weights, statistics.weights);
  assert.ok(weight(again, 'garden') < 0.01);
});
