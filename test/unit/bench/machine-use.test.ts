import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disturbance, machineUse, usedTicks } from '../../../bench/harness/machine-use.ts';

const line = (busy: number, stolen: number): string => `cpu  ${busy} 0 0 5000 7 0 0 ${stolen} 0 0\ncpu0 1 2 3\n`;

test('processor time of others is what the machine used beyond what was measured', () => {
  const times = { ownSeconds: 12, wallSeconds: 10, cores: 2 };
  const [before, after] = [usedTicks(line(1000, 10)), usedTicks(line(2250, 10))];
  const use = machineUse(before, after, times);
  assert.deepEqual(use, { own: 0.6, others: 0.025, stolen: 0 });
  assert.equal(disturbance(use), undefined);
  const written = machineUse(before, usedTicks(line(2450, 10)), { ...times, kernelSeconds: 2 });
  assert.deepEqual(written, use, 'what the kernel did by itself is nobody else');
  const busy = machineUse(before, usedTicks(line(2600, 110)), times);
  assert.equal(disturbance(busy), 'machine not quiet: others used 20 % of all cores, 5 % were stolen');
});
