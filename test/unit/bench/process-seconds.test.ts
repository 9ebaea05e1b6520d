import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { endedChildrenSeconds, processSeconds, serverSeconds } from '../../../bench/harness/process-seconds.ts';

const skip = existsSync('/proc/self/stat') ? false : 'no /proc';

/** Works for a while before it looks at its own time, as a program does that measures its run and not its start. */
const PROGRAM = `const used = (since) => { const { user, system } = process.cpuUsage(since); return (user + system) / 1e6; };
  while (used() < 0.4);
  const start = process.cpuUsage();
  while (used(start) < 0.2);
  process.stdout.write(String(used(start)));
  process.stdin.resume();`;

test('a child that has ended counts from its start to its end; one that runs is told by its number', {
  skip,
}, async () => {
  const before = endedChildrenSeconds();
  const child = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [told] = await once(child.stdout, 'data');
  assert.ok(Number(told) < 0.4, 'the program leaves out its start');
  const meanwhile = processSeconds([child.pid]);
  // Ticks are of 10 ms.
  assert.ok(meanwhile >= 0.58, `${meanwhile} s`);
  assert.ok(serverSeconds(process.pid) >= meanwhile);
  assert.ok(endedChildrenSeconds() - before < 0.3, 'it has not ended');
  child.stdin.end();
  await once(child, 'close');
  const ended = endedChildrenSeconds() - before;
  assert.ok(ended >= meanwhile, `${ended} s of ${meanwhile} s`);
  assert.equal(processSeconds([child.pid]), 0);
});
