import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { SpamSign, SpamTechnique } from '../../../../src/contracts/content/spam.ts';
import { combineSigns } from '../../../../src/rank/spam/spam-score.ts';

const TECHNIQUES: readonly SpamTechnique[] = ['term-stuffing', 'hidden-text', 'doorway', 'link-farm', 'cloaking'];
const sign = (technique: SpamTechnique, weight: number): SpamSign => ({ technique, weight, evidence: 'seen' });
const anySign = fc
  .tuple(fc.constantFrom(...TECHNIQUES), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([technique, weight]) => sign(technique, weight));

describe('combineSigns', () => {
  test('nothing found is honest', () => assert.deepEqual(combineSigns([]), { score: 0, signs: [] }));

  test('two doubts of different kinds make more than each alone', () => {
    assert.equal(combineSigns([sign('doorway', 0.4)]).score, 0.4);
    assert.equal(combineSigns([sign('doorway', 0.4), sign('hidden-text', 0.4)]).score, 0.64);
  });

  test('the same witness twice counts for little more', () => {
    assert.equal(combineSigns([sign('doorway', 0.4), sign('doorway', 0.4)]).score, 0.472);
  });

  test('the score lies between the strongest sign and 1, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(anySign, { maxLength: 8 }), (signs) => {
        const { score, signs: sorted } = combineSigns(signs);
        const strongest = Math.max(0, ...signs.map(({ weight }) => weight));
        assert.ok(score >= strongest - 0.001 && score <= 1);
        assert.equal(sorted.length, signs.length);
        assert.ok(sorted.every(({ weight }, at) => at === 0 || weight <= sorted[at - 1].weight));
        assert.equal(combineSigns([...signs].reverse()).score, score);
      }),
    );
  });
});
