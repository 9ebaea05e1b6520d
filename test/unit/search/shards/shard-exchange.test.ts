import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ShardExchange } from '../../../../src/search/shards/shard-exchange.ts';

test('a thread that dies takes nobody along: who waits is told, and the next question has a new thread', async () => {
  const server = createServer((_, response) => response.end('here'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  using exchange = new ShardExchange({ token: '', timeoutMs: 60_000 });
  try {
    const replies = async (number: number) => {
      // The server is in this thread: it needs its turns.
      for (;;) {
        const found = exchange.poll(number);
        if (found !== undefined) return found;
        await wait(5);
      }
    };
    assert.deepEqual(await replies(exchange.send([{ address, body: '{}' }])), [{ status: 200, body: 'here' }]);
    const began = performance.now();
    // No list at all: the thread cannot stand that.
    assert.equal(exchange.wait(exchange.send(undefined as never)), undefined);
    assert.ok(performance.now() - began < 50_000, 'not only when its time is over');
    await wait(20);
    assert.deepEqual(await replies(exchange.send([{ address, body: '{}' }])), [{ status: 200, body: 'here' }]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
