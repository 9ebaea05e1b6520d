import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ComparedText } from '../../../../src/dedupe/near/compared-text.ts';
import { propertyRuns } from '../../../property-runs.ts';

const compare = (a: string, b: string) => new ComparedText(a).compare(new ComparedText(b));
const sentence = (at: number): string => `Sentence number ${at} tells of tropical fish and of the river ${at * 7}.`;
const text = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, at) => sentence(from + at)).join(' ');

describe('in what two texts agree', () => {
  test('a text agrees with itself in everything, whatever its case and punctuation', () => {
    const { jaccard, editSimilarity, segments } = compare(text(10), text(10).toUpperCase().replaceAll('.', '!'));
    assert.deepEqual([jaccard, editSimilarity], [1, 1]);
    assert.deepEqual(segments, { shared: 10, ofFirst: 10, ofSecond: 10 });
  });

  test('texts of other words agree in nothing', () => {
    const { jaccard, editSimilarity, segments } = compare(text(10), 'ganz andere Worte stehen hier. '.repeat(20));
    assert.equal(jaccard, 0);
    assert.ok(editSimilarity < 0.05);
    assert.equal(segments.shared, 0);
  });

  test('the shingles of the lecture: a rose is a rose is a rose', () => {
    // Runs of five words here: "a rose is a rose", "rose is a rose is", "is a rose is a".
    const rose = new ComparedText('a rose is a rose is a rose');
    assert.equal(rose.shingles, 3);
    assert.equal(rose.compare(new ComparedText('a rose is a rose')).jaccard, 1 / 3);
    // Runs of four, as in the lecture: the shorter text has two of the three.
    const [four, fewer] = ['a rose is a rose is a rose', 'a rose is a rose'].map((text) => new ComparedText(text, 4));
    assert.deepEqual([four.shingles, four.compare(fewer).jaccard], [3, 2 / 3]);
  });

  test('one word of a hundred costs a hundredth of the edit distance, five shingles and one segment', () => {
    const words = Array.from({ length: 100 }, (_, at) => `word${at}`);
    const changed = words.with(50, 'another');
    const { jaccard, editSimilarity } = compare(words.join(' '), changed.join(' '));
    assert.equal(editSimilarity, 0.99);
    assert.equal(jaccard, 91 / 101);
    const { segments } = compare(text(10), text(10).replace('number 4', 'number four'));
    assert.deepEqual(segments, { shared: 9, ofFirst: 10, ofSecond: 10 });
  });

  test('paragraphs in another order share all segments, and most shingles, but not the order of words', () => {
    const { jaccard, editSimilarity, segments } = compare(`${text(10)} ${text(10, 50)}`, `${text(10, 50)} ${text(10)}`);
    assert.equal(segments.shared, 20);
    assert.ok(jaccard > 0.9 && editSimilarity < 0.85, `${jaccard} ${editSimilarity}`);
  });

  test('the edit distance is that of the textbook', () => {
    const word = fc.constantFrom('one', 'two', 'three', 'four');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.array(word, { maxLength: 12 }), (a, b) => {
        const { editSimilarity } = compare(a.join(' '), b.join(' '));
        const longer = Math.max(a.length, b.length);
        assert.equal(editSimilarity, longer === 0 ? 1 : 1 - textbookDistance(a, b) / longer);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

/** Without any short cut. */
function textbookDistance(a: readonly string[], b: readonly string[]): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      d[i][j] = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
  }
  return d[a.length][b.length];
}
