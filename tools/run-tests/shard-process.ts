/** One of the processes that run tests: takes file after file. Each is a suite, so that its hooks are its own. */
import { once } from 'node:events';
import { beforeEach, suite } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ShardMessage, ShardOrder } from './shard-messages.ts';

for (;;) {
  const answer = once(process, 'message') as Promise<[ShardOrder]>;
  process.send?.({ kind: 'idle' } satisfies ShardMessage);
  const [{ file }] = await answer;
  if (file === undefined) break;
  await suite(file, async () => {
    beforeEach((test) => {
      process.send?.({ kind: 'begins', test: test.fullName } satisfies ShardMessage);
    });
    await import(pathToFileURL(file).href);
  });
}
// What a test has left open must not keep the process: all its events are sent when the reporter has seen the last.
process.channel?.unref();
