import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANCHOR, AROUND, topicFeatures, URL_WORD } from '../../../../src/rank/topic/topic-features.ts';

const LINK = { anchor: 'jumping spiders', around: 'see also', url: 'https://www.zoo.test/arachnids/spider%20silk#top' };

test('distinct words with their counts, those of the title three times', () => {
  const { words, counts, names } = topicFeatures({
    title: 'Spiders',
    text: 'a spider, a web, the web',
    links: [],
    names: true,
  });
  assert.deepEqual(names, ['spiders', 'web', 'the']);
  assert.deepEqual([...counts], [4, 2, 1]);
  assert.equal(words.length, 3);
});

test('each link has its words, told apart by where they stand', () => {
  const { linkWords, linkEnds, words } = topicFeatures({
    title: 'spider',
    text: '',
    links: [LINK, { anchor: '', around: '', url: '' }, LINK],
  });
  assert.deepEqual([...linkEnds], [9, 9, 18]);
  assert.deepEqual(
    [...linkWords.subarray(0, 9)].map((word) => word & 3),
    [ANCHOR, ANCHOR, AROUND, AROUND, ...Array(5).fill(URL_WORD)],
  );
  assert.deepEqual(linkWords.slice(0, 9), linkWords.slice(9, 18));
  const spider = words[0];
  assert.deepEqual(
    [...linkWords.subarray(0, 9)].map((word) => (word & ~3) >>> 0 === spider),
    [false, true, false, false, false, false, false, true, false],
  );
});

test('a huge page gives features of bounded size', () => {
  const text = Array.from({ length: 50_000 }, (_, at) => `w${at.toString(36)}`).join(' ');
  const links = Array.from({ length: 3000 }, () => ({
    anchor: text.slice(0, 4000),
    around: text.slice(0, 4000),
    url: `http://h.test/${'a-1x/'.repeat(300)}`,
  }));
  const features = topicFeatures({ title: text.slice(0, 10_000), text, links });
  assert.equal(features.words.length, 2048);
  assert.equal(features.linkEnds.length, 3000);
  assert.ok(features.linkWords.length <= 2000 * 48);
  assert.equal(features.linkEnds.at(-1), features.linkWords.length);
});

test('a count ends at what 16 bits hold, and bad escapes in a URL do not matter', () => {
  const { counts } = topicFeatures({
    title: '',
    text: 'spider '.repeat(70_000),
    links: [{ anchor: '', around: '', url: 'http://h.test/%E0%A4%A' }],
  });
  assert.deepEqual([...counts], [20_000]);
});
