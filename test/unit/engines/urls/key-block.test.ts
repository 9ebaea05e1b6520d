import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BlockFault, KeyBlockBuilder, KeyBlockCursor } from '../../../../src/engines/urls/key-block.ts';
import { learnSymbols, plainTable, SymbolTable } from '../../../../src/engines/urls/symbol-table.ts';
import { propertyRuns } from '../../../property-runs.ts';

const octets = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 12 }),
  fc.constantFrom('com', 'example', 'articles/2024', 'x'.repeat(300)).map((text) => Buffer.from(text)),
);
const key = fc.array(octets, { minLength: 1, maxLength: 4 }).map((parts) => Buffer.concat(parts).toString('latin1'));

function blockOf(keys: readonly string[], table: SymbolTable): Buffer {
  const builder = new KeyBlockBuilder(table);
  let last = '';
  for (const next of keys) {
    let shared = 0;
    while (shared < last.length && last[shared] === next[shared]) shared++;
    builder.add(Buffer.from(next, 'latin1'), next.length, shared);
    last = next;
  }
  return builder.take();
}

test('a block gives back its keys and knows them, whatever symbols it is written with', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(key, { minLength: 1, maxLength: 60 }),
      fc.array(key, { maxLength: 10 }),
      fc.array(octets, { maxLength: 40 }),
      fc.integer({ min: 0, max: 1000 }),
      (keys, others, learntFrom, count) => {
        const sorted = [...keys].sort();
        const learnt = learnSymbols([...learntFrom, ...keys.map((text) => Buffer.from(text, 'latin1'))], count);
        for (const table of [plainTable(), learnt, SymbolTable.unpack(learnt.packed) as SymbolTable]) {
          const block = blockOf(sorted, table);
          assert.deepEqual([...new KeyBlockCursor(block, table).keys()], sorted);
          for (const text of [...sorted, ...others, ...sorted.map((known) => `${known}\u0000`)]) {
            const has = new KeyBlockCursor(block, table).has(Buffer.from(text, 'latin1'));
            assert.equal(has, sorted.includes(text));
          }
        }
      },
    ),
    { numRuns: propertyRuns(300) },
  );
});

test('symbols make of frequent text a few codes', () => {
  const keys = Array.from({ length: 200 }, (_, at) => `com/articles-of-the-year/${1000 + at * 37}/index.html`).sort();
  const rests = keys.map((text) => Buffer.from(text.slice(-20), 'latin1'));
  const table = learnSymbols(rests, 10_000);
  assert.ok(table.size > 256 && table.width <= 12);
  assert.ok(blockOf(keys, table).length * 2 < blockOf(keys, plainTable()).length);
});

test('bytes that make no sense are a fault, not an endless loop', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const table = plainTable();
      try {
        for (const _key of new KeyBlockCursor(bytes, table).keys());
        new KeyBlockCursor(bytes, table).has(Buffer.from('wanted'));
      } catch (error) {
        assert.ok(error instanceof BlockFault, String(error));
      }
    }),
    { numRuns: propertyRuns(2000) },
  );
});
