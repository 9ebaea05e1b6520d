import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerCache } from '../../../../src/search/threads/answer-cache.ts';

test('an answer is given again to the same request only, and from the same state only', () => {
  let version = 1;
  const cache = new AnswerCache(() => version);
  const request = { query: 'vacum', page: 1, perPage: 10 };
  assert.equal(cache.get(request), undefined);
  cache.set(request, 'corrected');
  assert.equal(cache.get({ ...request, exactWords: false }), 'corrected');
  for (const other of [{ exactWords: true }, { unfolded: true }, { facets: true }, { page: 2 }, { query: 'vacuum' }])
    assert.equal(cache.get({ ...request, ...other }), undefined, JSON.stringify(other));
  version = 2;
  assert.equal(cache.get(request), undefined);
});

test('large answers are fewer, the oldest go first', () => {
  const cache = new AnswerCache(() => 1);
  const request = (page: number) => ({ query: 'long', page, perPage: 100 });
  cache.get(request(0));
  const large = 'x'.repeat(1_000_000);
  for (const page of [1, 1, 1, 1, 1, 2, 3, 4]) cache.set(request(page), large);
  assert.equal(cache.get(request(1)), large);
  cache.set(request(5), 'x');
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((page) => cache.get(request(page)) !== undefined),
    [true, false, true, true, true],
  );
});
