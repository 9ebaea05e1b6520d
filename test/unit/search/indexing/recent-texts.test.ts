import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentTexts } from '../../../../src/search/indexing/recent-texts.ts';

test('texts that were used lately are kept, up to a number of characters', async () => {
  const recent = new RecentTexts(88);
  const read: string[] = [];
  const of = (key: string, text: string | undefined = key.repeat(10)) =>
    recent.of(key, async () => {
      read.push(key);
      return text;
    });
  for (const key of 'abcdefgh') assert.equal(await of(key), key.repeat(10));
  assert.equal(await of('a'), 'a'.repeat(10));
  assert.equal(read.join(''), 'abcdefgh');
  // The one that was used longest ago goes.
  await of('i');
  await of('a');
  await of('b');
  assert.equal(read.join(''), 'abcdefghib');
  // What is larger than an eighth, and what is not there, is not kept.
  read.length = 0;
  for (let time = 0; time < 2; time++) {
    assert.equal(await of('large', 'x'.repeat(11)), 'x'.repeat(11));
    assert.equal(await recent.of('none', async () => void read.push('none')), undefined);
  }
  assert.deepEqual(read, ['large', 'none', 'large', 'none']);
});

test('texts without a character take room as well', async () => {
  const recent = new RecentTexts(80);
  const read: string[] = [];
  const of = (key: string) =>
    recent.of(key, async () => {
      read.push(key);
      return '';
    });
  for (let page = 100; page < 200; page++) await of(`${page}`);
  await of('199');
  assert.equal(read.length, 100);
  await of('100');
  assert.equal(read.length, 101);
});
