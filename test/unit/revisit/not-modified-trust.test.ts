import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NotModifiedTrust } from '../../../src/revisit/not-modified-trust.ts';

const DAY = 86_400_000;

test('an honest host is asked in full ever more seldom, up to a bound', () => {
  const trust = new NotModifiedTrust();
  assert.equal(trust.every, 8);
  for (let at = 1; at <= 5; at++) trust.wasSame(at);
  assert.equal(trust.every, 28);
  for (let at = 6; at <= 50; at++) trust.wasSame(at);
  assert.equal(trust.every, 64);
});

test('a change that was hidden costs trust, whatever stayed the same; one that is told wins it back', () => {
  const trust = new NotModifiedTrust();
  for (let at = 1; at <= 50; at++) trust.wasSame(at);
  trust.changed(false, 51);
  assert.deepEqual([trust.every, trust.believed], [2, true]);
  trust.changed(false, 52);
  assert.deepEqual([trust.every, trust.believed], [1, false]);
  for (let at = 53; at <= 80; at++) trust.wasSame(at);
  assert.equal(trust.every, 1, 'as long as nothing happens a server that always says so is right');
  for (let at = 81; at <= 90; at++) trust.changed(true, at);
  assert.ok(trust.every > 2);
});

test('among many changes that were told a hidden one weighs little', () => {
  const trust = new NotModifiedTrust();
  for (let at = 1; at <= 10; at++) trust.changed(true, at);
  trust.changed(false, 11);
  assert.ok(trust.believed && trust.every >= 8);
});

test('what was held against a host fades', () => {
  const trust = new NotModifiedTrust();
  for (let at = 1; at <= 3; at++) trust.changed(false, at);
  trust.changed(true, 400 * DAY);
  assert.ok(trust.believed);
});

test('whatever was kept, a record is read and written', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (told, same) => {
      const trust = new NotModifiedTrust({ told, same } as never);
      assert.ok(trust.every >= 1 && trust.every <= 64);
      assert.deepEqual(new NotModifiedTrust(trust.toJSON()).toJSON(), trust.toJSON());
    }),
  );
});
