import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseRefresh } from '../../../src/extract/meta-refresh.ts';
import { corpus, skipWithout } from '../../corpora.ts';

describe('parseRefresh', () => {
  test('time and target', () => {
    assert.deepEqual(parseRefresh('5; url=/next'), { seconds: 5, url: '/next' });
    assert.deepEqual(parseRefresh(" 0.5;URL='a b' c"), { seconds: 0, url: 'a b' });
    assert.deepEqual(parseRefresh('3'), { seconds: 3, url: '' });
    assert.equal(parseRefresh('soon; url=/next'), undefined);
  });

  test('web platform tests', { skip: skipWithout('html') }, () => {
    const { cases } = JSON.parse(readFileSync(join(corpus('html') as string, 'meta-refresh.json'), 'utf8'));
    assert.equal(cases.length, 73);
    for (const { input, time, url } of cases)
      assert.deepEqual(parseRefresh(input), time === null ? undefined : { seconds: time, url }, JSON.stringify(input));
  });

  test('nothing makes it throw', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (content) => void parseRefresh(content)));
  });
});
