import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { DigestHomes } from '../../../../src/crawl/nodes/digest-homes.ts';

const digestOf = (n: number): string => createHash('sha1').update(String(n)).digest('base64');

test('that no partition has a digest is sure, whatever came in whichever order', () => {
  const brought = fc.array(fc.tuple(fc.string(), fc.nat({ max: 16_383 })));
  fc.assert(
    fc.property(brought, (all) => {
      const homes = new DigestHomes();
      for (const [digest, partition] of all) homes.add(digest, partition);
      for (const [digest, partition] of all) assert.ok([partition, 'several'].includes(homes.of(digest) ?? ''), digest);
    }),
  );
});

test('digests as they are have one partition, also among very many, and two that bring one are both asked', () => {
  const homes = new DigestHomes();
  for (let n = 0; n < 20_000; n++) homes.add(digestOf(n), n % 128);
  let wrong = 0;
  for (let n = 0; n < 20_000; n++) if (homes.of(digestOf(n)) !== n % 128) wrong++;
  for (let n = 20_000; n < 40_000; n++) if (homes.of(digestOf(n)) !== undefined) wrong++;
  assert.ok(wrong < 10, `${wrong} of 40,000`);
  homes.add(digestOf(7), 8);
  assert.equal(homes.of(digestOf(7)), 'several');
});
