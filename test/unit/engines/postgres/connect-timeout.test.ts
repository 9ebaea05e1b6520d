import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectMs } from '../../../../src/engines/postgres/connection.ts';

test('the address of a database says how long a connection is waited for', () => {
  for (const [address, ms] of [
    ['postgres://a@b/c', 10_000],
    ['postgres://a@b/c?connect_timeout=90', 90_000],
    ['postgres://a@b/c?schema=x&connect_timeout=5&host=/y', 5000],
    ['postgres://a@b/c?connect_timeout=0', 0],
    ['postgres://a@b/c?connect_timeout=soon', 10_000],
    ['postgres://a@b/connect_timeout=90', 10_000],
  ] as const)
    assert.equal(connectMs(address), ms, address);
});
