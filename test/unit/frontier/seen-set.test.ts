import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fingerprint } from '../../../src/base/fingerprint.ts';
import { SeenSet } from '../../../src/frontier/seen-set.ts';

test('agrees with a Set on any sequence, zero and clustered words included', () => {
  const word = fc.oneof(
    fc.bigInt({ min: 0n, max: 5n }),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc.bigInt({ min: 2n ** 64n - 300n, max: 2n ** 64n - 1n }),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 3000 }), (words) => {
      const seen = new SeenSet();
      // The one documented exception: 0 is kept as 1.
      const model = new Set<bigint>();
      for (const raw of words) {
        const isNew = !model.has(raw === 0n ? 1n : raw);
        model.add(raw === 0n ? 1n : raw);
        assert.equal(seen.has(raw), !isNew);
        assert.equal(seen.add(raw), isNew);
      }
      assert.equal(seen.size, model.size);
    }),
    { numRuns: 50 },
  );
});

test('holds at most 12 bytes per URL at any size from 100,000 on, and takes no new URL for a known one', () => {
  const seen = new SeenSet();
  let worst = 0;
  for (let i = 0; i < 400_000; i++) {
    assert.ok(seen.add(fingerprint(`https://example.org/page/${i}`)));
    if (i >= 100_000 && i % 5000 === 0) worst = Math.max(worst, seen.bytes / seen.size);
  }
  for (let i = 0; i < 400_000; i += 7) assert.ok(seen.has(fingerprint(`https://example.org/page/${i}`)));
  assert.ok(worst <= 12, `${worst} bytes per URL`);
});

test('words and fingerprints are the same', () => {
  const seen = new SeenSet();
  assert.ok(seen.addWords(5, 7));
  assert.ok(seen.has(5n + (7n << 32n)));
  assert.ok(!seen.add(5n + (7n << 32n)));
});
