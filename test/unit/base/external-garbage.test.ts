import assert from 'node:assert/strict';
import test from 'node:test';
import { ExternalGarbage } from '../../../src/base/external-garbage.ts';

test('what is young is collected once for so many bytes', () => {
  const collected: unknown[] = [];
  const garbage = new ExternalGarbage(100, (options) => collected.push(options));
  for (let piece = 0; piece < 9; piece++) garbage.add(30);
  assert.deepEqual(collected, [{ type: 'minor' }, { type: 'minor' }]);
});

test('the collector of the engine is found, and is shown to nobody else', () => {
  const garbage = new ExternalGarbage(1);
  const held = new WeakRef(new Uint8Array(1000));
  assert.ok(held.deref() !== undefined);
  garbage.add(1);
  garbage.add(1);
  assert.equal((globalThis as { gc?: unknown }).gc, undefined);
});
