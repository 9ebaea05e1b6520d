import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandIns } from '../../../../src/dedupe/mirrors/stand-ins.ts';

const MIRROR = 'https://www.flowers.example';
const OTHER = 'http://flowers.example';

test('a page that is not given is to be had from the mirrors it stood for, once', () => {
  const standIns = new StandIns();
  standIns.standsFor(1n, MIRROR);
  standIns.standsFor(1n, MIRROR);
  standIns.standsFor(1n, OTHER);
  assert.deepEqual(standIns.mirrorsOf(1n), [MIRROR, OTHER]);
  assert.equal(standIns.lacks(1n), false);
  standIns.lacked(1n);
  assert.equal(standIns.lacks(1n), true);
  assert.deepEqual(standIns.mirrorsOf(1n), []);
});

test('a page that is given stands for nothing more, and is not lacking any longer', () => {
  const standIns = new StandIns();
  standIns.standsFor(1n, MIRROR);
  standIns.lacked(2n);
  standIns.gave(1n);
  standIns.gave(2n);
  assert.equal(standIns.awaiting, false);
  assert.equal(standIns.lacks(2n), false);
});

test('the oldest are forgotten', () => {
  const standIns = new StandIns(3);
  for (let page = 0n; page < 10n; page++) {
    standIns.standsFor(page, MIRROR);
    standIns.lacked(100n + page);
  }
  assert.deepEqual(
    [6n, 7n, 9n].map((page) => standIns.mirrorsOf(page).length),
    [0, 1, 1],
  );
  assert.deepEqual(
    [106n, 107n, 109n].map((page) => standIns.lacks(page)),
    [false, true, true],
  );
});

test('a snapshot is JSON, bounded, and brings both back', () => {
  const standIns = new StandIns();
  standIns.standsFor(2n ** 64n - 1n, MIRROR);
  standIns.standsFor(7n, MIRROR);
  standIns.standsFor(7n, OTHER);
  standIns.lacked(8n);
  const restored = new StandIns();
  restored.restore(JSON.parse(JSON.stringify(standIns.snapshot())));
  assert.deepEqual(restored.mirrorsOf(2n ** 64n - 1n), [MIRROR]);
  assert.deepEqual(restored.mirrorsOf(7n), [MIRROR, OTHER]);
  assert.equal(restored.lacks(8n), true);
  for (let page = 0n; page < 50_000n; page++) {
    restored.standsFor(page, MIRROR);
    restored.lacked(page + 1_000_000n);
  }
  assert.ok(JSON.stringify(restored.snapshot()).length < 450_000);
  restored.restore(undefined);
  assert.equal(restored.awaiting, false);
});
