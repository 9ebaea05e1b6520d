import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { dateRange } from '../../../../src/search/query/date-range.ts';
import { fileTypeName, mediaTypesOf } from '../../../../src/search/query/file-types.ts';
import { editDistance } from '../../../../src/search/words/edit-distance.ts';

describe('editDistance', () => {
  it('counts letters left out, added, mistaken and swapped', () => {
    const cases: [string, string, number][] = [
      ['search', 'search', 0],
      ['serach', 'search', 1],
      ['serch', 'search', 1],
      ['seaarch', 'search', 1],
      ['searxh', 'search', 1],
      ['saerhc', 'search', 2],
      ['', 'ab', 2],
    ];
    for (const [a, b, distance] of cases) assert.equal(editDistance(a, b, 2), distance, `${a} ${b}`);
    assert.equal(editDistance('kitten', 'sitting', 2), 3);
  });

  it('is symmetric, and zero for equals alone', () => {
    const word = fc.stringMatching(/^[abc]{0,7}$/);
    fc.assert(
      fc.property(word, word, (a, b) => {
        assert.equal(editDistance(a, b, 9), editDistance(b, a, 9));
        assert.equal(editDistance(a, b, 9) === 0, a === b);
        assert.equal(editDistance(a, b, 2), Math.min(3, editDistance(a, b, 9)));
      }),
    );
  });
});

describe('dateRange', () => {
  it('reads years, months and days in UTC', () => {
    assert.deepEqual(dateRange('2024-02'), { from: Date.UTC(2024, 1, 1), to: Date.UTC(2024, 2, 1) });
    assert.deepEqual(dateRange('2024-02-29'), { from: Date.UTC(2024, 1, 29), to: Date.UTC(2024, 2, 1) });
    assert.deepEqual(dateRange('2024'), { from: Date.UTC(2024, 0, 1), to: Date.UTC(2025, 0, 1) });
    for (const wrong of ['2023-02-29', '2024-13', '2024-00', '24', 'today', '2024-1-', ''])
      assert.equal(dateRange(wrong), undefined);
  });
});

describe('file types', () => {
  it('go both ways', () => {
    for (const name of ['html', 'pdf', 'docx', 'doc', 'txt', 'epub'])
      assert.equal(fileTypeName(mediaTypesOf(name)?.[0] ?? ''), name);
    assert.deepEqual(mediaTypesOf('.PDF'), ['application/pdf']);
    assert.deepEqual(mediaTypesOf('image/png'), ['image/png']);
    assert.equal(mediaTypesOf('constructor'), undefined);
  });
});
