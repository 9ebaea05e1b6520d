import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ContentSketch } from '../../../../src/contracts/content/content-sketch.ts';
import { cloakingSign } from '../../../../src/rank/spam/cloaking.ts';

const contentSketch = (simhash: bigint, shingles = 200): ContentSketch => ({
  simhash,
  sketch: new Uint8Array(4),
  shingles,
});
const FAR = 0x0f0f_0f0f_0f0f_0f0fn;

describe('cloakingSign', () => {
  test('another text is a sign', () => {
    const sign = cloakingSign(contentSketch(0n), contentSketch(FAR), () => 0);
    assert.ok(sign !== undefined && sign.technique === 'cloaking' && sign.weight >= 0.8);
    assert.match(sign.evidence, /0 % of the shorter one in common, 32 of 64 bits differ/);
  });

  test('advertisements, dates and greetings are none', () => {
    assert.equal(
      cloakingSign(contentSketch(0n), contentSketch(0x1fn), () => 0.7),
      undefined,
    );
    // What we got stands whole in the browser's page, beside recommendations.
    assert.equal(
      cloakingSign(contentSketch(0n, 100), contentSketch(FAR, 300), () => 0.3),
      undefined,
    );
  });

  test('nor are texts of one matter in other words', () => {
    assert.equal(
      cloakingSign(contentSketch(0n), contentSketch(0x3fn), () => 0.1),
      undefined,
    );
  });

  test('a refusal and a page that scripts fill say nothing', () => {
    for (const [ours, theirs] of [
      [10, 500],
      [500, 10],
    ])
      assert.equal(
        cloakingSign(contentSketch(0n, ours), contentSketch(FAR, theirs), () => 0),
        undefined,
      );
  });

  test('the more is in common, the weaker the sign', () => {
    const weight = (jaccard: number): number =>
      cloakingSign(contentSketch(0n), contentSketch(FAR), () => jaccard)?.weight ?? 0;
    assert.ok(weight(0) > weight(0.1) && weight(0.1) > weight(0.2) && weight(0.4) === 0);
  });
});
