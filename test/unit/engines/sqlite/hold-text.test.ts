import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHold, writeHold } from '../../../../src/engines/sqlite/hosts/hold-text.ts';

test('a hold is read as it was written, also by earlier versions', () => {
  for (const hold of [
    { kind: 'unreachable', why: 'robots.txt: connect-refused: 127.0.0.1' },
    { kind: 'unreachable', times: 12, why: 'connect-refused' },
    { kind: 'busy', why: 'HTTP 503' },
    { why: 'waits for robots.txt of another host' },
  ] as const)
    assert.deepEqual(readHold(String(writeHold(hold))), hold);
  assert.equal(writeHold(undefined), null);
  assert.deepEqual(readHold('unreachable: connect-refused'), { kind: 'unreachable', why: 'connect-refused' });
});
