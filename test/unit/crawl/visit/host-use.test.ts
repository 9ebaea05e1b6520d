import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FetchResult } from '../../../../src/contracts/fetcher.ts';
import { restedUse } from '../../../../src/crawl/visit/host-use.ts';

const ENDED = Date.UTC(2026, 0, 1, 12, 0, 0, 500);

function answered(status: number, retryAfter: string): FetchResult {
  const body = new Uint8Array();
  return {
    kind: 'response',
    head: {
      ...{ status, rawHeaders: ['Retry-After', retryAfter], httpVersion: '1.1', statusText: '' },
      header: (name) => (name === 'retry-after' ? retryAfter : undefined),
    },
    exchange: { startedAt: ENDED - 20, endedAt: ENDED, address: '192.0.2.1', requestHead: '' },
    ...{ raw: body, body },
  };
}

describe('use of a host', () => {
  it('waits until the date of a Retry-After, however late the answer is dealt with', () => {
    const until = Date.UTC(2026, 0, 1, 12, 0, 3);
    const { endedAt, pushback } = restedUse(answered(503, new Date(until).toUTCString()), ENDED + 700);
    assert.equal(endedAt + (pushback?.retryAfterMs ?? 0), until);
  });

  it('counts seconds from the end of the request', () => {
    const { endedAt, pushback } = restedUse(answered(429, '2'), ENDED + 700);
    assert.equal(pushback?.retryAfterMs, 2000);
    assert.ok(endedAt >= ENDED);
  });
});
