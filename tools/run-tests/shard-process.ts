/** One of the processes that run tests: takes file after file. Each is a suite, so that its hooks are its own. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { lightTestRunner } from './light-test-runner.ts';
import type { ShardMessage, ShardOrder } from './shard-messages.ts';

const { beforeEach, suite } = lightTestRunner();
const { TEST_SEED, TEST_LONG } = process.env;
// Of properties that do not say how many cases they try: the library's hundred in a long run.
if (TEST_SEED !== undefined)
  fc.configureGlobal({ seed: Number(TEST_SEED), numRuns: TEST_LONG === undefined ? 40 : 100 });

for (;;) {
  const answer = once(process, 'message') as Promise<[ShardOrder]>;
  process.send?.({ kind: 'idle', cpuMs: cpuMs() } satisfies ShardMessage);
  const [{ file }] = await answer;
  if (file === undefined) break;
  await suite(file, async () => {
    beforeEach((test) => {
      process.send?.({ kind: 'begins', test: test.fullName } satisfies ShardMessage);
    });
    await import(pathToFileURL(file).href);
  });
  // In a new checkout others, and programs that tests start, find now what was compiled here.
  flushCompileCache();
}
// What a test has left open must not keep the process: all its events are sent when the reporter has seen the last.
process.channel?.unref();

/** Of this process, and of its children that have ended where the system tells (in hundredths of a second). */
function cpuMs(): number {
  const usage = process.cpuUsage();
  const own = (usage.user + usage.system) / 1000;
  try {
    // Behind the name, which may hold blanks, come numbers without names: see proc_pid_stat(5).
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [user, system] = fields.slice(13, 15).map(Number);
    return own + (user + system) * 10;
  } catch {
    return own;
  }
}
