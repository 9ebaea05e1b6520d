import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BlockCache } from '../../../../src/engines/links/block-cache.ts';

const MOST = 100;

const steps = fc.array(
  fc.record({ what: fc.constantFrom('get', 'peek', 'drop'), id: fc.nat(12), size: fc.integer({ min: 1, max: 60 }) }),
);

test('blocks that were looked into last are kept, as far as there is room', () => {
  fc.assert(
    fc.property(steps, (told) => {
      const cache = new BlockCache(MOST);
      // Latest last.
      let model: { id: number; size: number }[] = [];
      const held = (): number => model.reduce((sum, { size }) => sum + size, 0);
      for (const { what, id, size } of told) {
        const known = model.find((one) => one.id === id);
        if (what === 'drop') {
          cache.drop(id);
          model = model.filter((one) => one !== known);
        } else {
          assert.equal((what === 'get' ? cache.get(id) : cache.peek(id))?.length, known?.size);
          if (what === 'get' && known !== undefined) model = [...model.filter((one) => one !== known), known];
          if (what === 'get' && known === undefined) {
            cache.add(id, Buffer.alloc(size));
            model.push({ id, size });
            while (held() > MOST) model.shift();
          }
        }
        assert.equal(cache.bytes, held());
      }
    }),
  );
});
