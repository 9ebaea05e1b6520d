import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkingCopies } from '../../../../src/engines/postgres/working-copies.ts';
import { WorkingCopy } from '../../../../src/engines/postgres/working-copy.ts';

const make = (): WorkingCopy => {
  const copy = new WorkingCopy(':memory:', 'store', 0);
  copy.record();
  return copy;
};
const keptKb = ({ db }: WorkingCopy): number => -Number(db.prepare('PRAGMA cache_size').get()?.cache_size);

test('copies share the memory that there is for all of them', () => {
  using copies = new WorkingCopies();
  const [first, ...others] = Array.from({ length: 40 }, (_, partition) => copies.open(partition, make));
  for (const copy of [first, ...others]) assert.equal(keptKb(copy), 4096);
  for (const copy of others.slice(0, 24)) copies.close(copy);
  assert.equal(keptKb(first), 16_384);
});

test('a newer copy of a partition takes the place of the one before', () => {
  using copies = new WorkingCopies();
  const [former, other] = [copies.open(1, make), copies.open(2, make)];
  const newer = copies.open(1, make);
  assert.deepEqual([former.isAbandoned, other.isAbandoned, newer.isAbandoned], [true, false, false]);
});
