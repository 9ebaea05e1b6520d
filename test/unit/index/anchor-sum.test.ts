import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AnchorText } from '../../../src/contracts/search-index.ts';
import { anchorLevel, anchorSum } from '../../../src/index/format/anchor-sum.ts';
import { idHash } from '../../../src/index/format/id-hash.ts';

const anchors: fc.Arbitrary<AnchorText[]> = fc.array(
  fc.record({ text: fc.string({ unit: 'binary' }), weight: fc.double({ min: 0, max: 30, noNaN: true }) }),
);

test('the sum of anchors is the hash of a line for each: segments hold it', () => {
  fc.assert(
    fc.property(anchors, (said) => {
      const lines = said.map((anchor) => `${anchorLevel(anchor)} ${anchor.text}`).join('\n');
      assert.equal(anchorSum(said), said.length === 0 ? 0 : idHash(lines));
    }),
  );
});
