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
