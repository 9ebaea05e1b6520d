import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANCHOR_COSINE, LinkModel, probability, SIGNALS, SOURCE } from '../../../../src/rank/topic/link-model.ts';
import { PromiseMemory } from '../../../../src/rank/topic/promise-memory.ts';

const NONE = new Float32Array(SIGNALS);

function signals(values: Readonly<Record<number, number>>): Float32Array {
  const made = new Float32Array(SIGNALS);
  for (const [signal, value] of Object.entries(values)) made[Number(signal)] = value;
  return made;
}

test('before it learns, the anchor and the page of a link count for it', () => {
  const model = new LinkModel();
  const none = model.odds(NONE, 0, new Uint32Array(), 0, 0);
  assert.ok(model.odds(signals({ [ANCHOR_COSINE]: 0.5 }), 0, new Uint32Array(), 0, 0) > none);
  assert.ok(model.odds(signals({ [SOURCE]: 1 }), 0, new Uint32Array(), 0, 0) > none);
  assert.ok(probability(none) < 0.5);
});

test('it learns which words led to the topic, and keeps it', () => {
  const model = new LinkModel();
  const good = Uint32Array.of(0x12345679, 0x9abcdef1);
  const bad = Uint32Array.of(0x22345679, 0x3abcdef1);
  for (let visit = 0; visit < 100; visit++) {
    model.learn(NONE, 0, good, 0, 2, 0.95);
    model.learn(NONE, 0, bad, 0, 2, 0.05);
  }
  for (const known of [model, new LinkModel(JSON.parse(JSON.stringify(model)))]) {
    assert.ok(probability(known.odds(NONE, 0, good, 0, 2)) > 0.7);
    assert.ok(probability(known.odds(NONE, 0, bad, 0, 2)) < 0.3);
  }
});

test('a promise is remembered until its page comes; the better one of two stays', () => {
  const memory = new PromiseMemory();
  memory.remember(77n, 0.9, Uint32Array.of(5, 6), 2, signals({ [SOURCE]: 1 }), 0);
  memory.remember(77n, 0.4, Uint32Array.of(9), 1, NONE, 0);
  memory.remember(77n + (1n << 15n), 0.5, Uint32Array.of(9), 1, NONE, 0);
  const taken = memory.take(77n);
  assert.ok(taken !== undefined);
  assert.deepEqual([...memory.words.subarray(taken.from, taken.to)], [5, 6]);
  assert.equal(memory.signals[taken.signals + SOURCE], 1);
  assert.equal(memory.take(77n), undefined);
  assert.equal(memory.take(0n), undefined);
});
