import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { TtlCache } from '../../../src/base/ttl-cache.ts';
import { VirtualClock } from '../../../src/base/virtual-clock.ts';

describe('TtlCache', () => {
  test('an entry lives until its time and not a moment longer', () => {
    const clock = new VirtualClock();
    const cache = new TtlCache<string, number>(clock, 10);
    cache.set('a', 1, 100);
    clock.advance(99);
    assert.equal(cache.get('a'), 1);
    clock.advance(1);
    assert.equal(cache.get('a'), undefined);
    assert.equal(cache.size, 0);
  });

  test('the entry unused for longest gives way', () => {
    const cache = new TtlCache<string, number>(new VirtualClock(), 2);
    cache.set('a', 1, 100);
    cache.set('b', 2, 100);
    cache.get('a');
    cache.set('c', 3, 100);
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [1, undefined, 3]);
  });

  test('nothing is kept for no time', () => {
    const cache = new TtlCache<string, number>(new VirtualClock(), 2);
    cache.set('a', 1, 100);
    cache.set('a', 2, 0);
    assert.equal(cache.get('a'), undefined);
  });

  test('behaves like a list of the entries in order of use', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('set' as const), key: fc.nat(5), ttl: fc.nat(50) }),
      fc.record({ do: fc.constant('get' as const), key: fc.nat(5), ttl: fc.constant(0) }),
      fc.record({ do: fc.constant('wait' as const), key: fc.constant(0), ttl: fc.nat(20) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const clock = new VirtualClock(0);
        const cache = new TtlCache<number, number>(clock, 3);
        let model: { key: number; value: number; until: number }[] = [];
        steps.forEach((one, value) => {
          if (one.do === 'wait') clock.advance(one.ttl);
          else if (one.do === 'set') {
            model = model.filter((entry) => entry.key !== one.key);
            if (one.ttl > 0) {
              if (model.length === 3) model.shift();
              model.push({ key: one.key, value, until: clock.now() + one.ttl });
            }
            cache.set(one.key, value, one.ttl);
          } else {
            const entry = model.find((candidate) => candidate.key === one.key);
            model = model.filter((candidate) => candidate !== entry);
            const alive = entry !== undefined && entry.until > clock.now();
            if (alive) model.push(entry);
            assert.equal(cache.get(one.key), alive ? entry.value : undefined);
          }
          assert.equal(cache.size, model.length);
        });
      }),
    );
  });
});
