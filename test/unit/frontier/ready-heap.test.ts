import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { HostKey } from '../../../src/contracts/url.ts';
import { HostTable } from '../../../src/frontier/host-table.ts';
import { ReadyHeap } from '../../../src/frontier/ready-heap.ts';

test('gives hosts by time, then by number, whatever was put, moved or removed', () => {
  const change = fc.record({
    host: fc.integer({ min: 0, max: 2000 }),
    time: fc.integer({ min: 0, max: 20 }),
    remove: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
      const hosts = new HostTable();
      for (let i = 0; i <= 2000; i++) hosts.append(`h${i}` as HostKey);
      const heap = new ReadyHeap(hosts);
      const model = new Map<number, number>();
      for (const { host, time, remove } of changes) {
        if (remove) {
          heap.remove(host);
          model.delete(host);
        } else {
          heap.put(host, time);
          model.set(host, time);
        }
      }
      const expected = [...model].sort((a, b) => a[1] - b[1] || a[0] - b[0]).map(([host]) => host);
      const got: number[] = [];
      for (let host = heap.takeDue(20); host >= 0; host = heap.takeDue(20)) got.push(host);
      assert.deepEqual(got, expected);
      assert.equal(heap.size, 0);
    }),
    { numRuns: 60 },
  );
});
