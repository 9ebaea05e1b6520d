import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ChainTable } from '../../../../src/dedupe/near/chain-table.ts';
import { PackedRecords } from '../../../../src/dedupe/near/packed-records.ts';

const KEY_WORD = 1;

/** Additions by their keys, and removals of one that is there, whichever the number comes to. */
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ add: fc.integer({ min: 0, max: 255 }) }) },
    { weight: 2, arbitrary: fc.record({ remove: fc.nat() }) },
  ),
  { maxLength: 120 },
);

function chainOf(table: ChainTable, records: PackedRecords, key: number): number[] {
  const chain: number[] = [];
  for (let entry = table.head(table.bucketOf(key)); entry !== 0; entry = records.get(entry - 1, table.link)) {
    chain.push(entry - 1);
    assert.ok(chain.length <= records.size, 'a chain ends');
  }
  return chain;
}

for (const parted of [true, false]) {
  test(`chains hold what was added and not removed, ${parted ? 'parted by key' : 'with tails in common'}`, () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 3 }), (list, firstBits) => {
        const records = new PackedRecords(2);
        const keyOf = (record: number): number => records.get(record, KEY_WORD);
        const table = new ChainTable({
          ...{ records, link: 0, keyBits: 8, load: 2, firstBits },
          ...(parted ? { keyOf } : {}),
        });
        const there = new Map<number, number>();
        for (const step of list) {
          if ('add' in step) {
            const record = records.add();
            records.set(record, KEY_WORD, step.add);
            table.add(step.add, record);
            there.set(record, step.add);
          } else if (there.size > 0) {
            const [record, key] = [...there][step.remove % there.size];
            const hooks = table.hooks(key, record);
            assert.ok(hooks !== undefined);
            table.unhook(hooks, record);
            records.free(record);
            there.delete(record);
          }
          assert.equal(records.size, there.size);
        }
        for (let key = 0; key < 256; key++) {
          const chain = chainOf(table, records, key);
          assert.equal(new Set(chain).size, chain.length);
          for (const record of chain) assert.ok(there.has(record), 'nothing that was removed');
          for (const [record, its] of there) if (its === key) assert.ok(chain.includes(record));
        }
      }),
      { numRuns: 300 },
    );
  });
}

test('a record that was not added under a key hangs nowhere', () => {
  const records = new PackedRecords(2);
  const table = new ChainTable({ records, link: 0, keyBits: 8, load: 2 });
  table.add(1, records.add());
  assert.equal(table.hooks(2, 0), undefined);
  assert.deepEqual(table.hooks(1, 0), [-2]);
});
