import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Clock } from '../../../../src/base/clock.ts';
import { resolveSettings } from '../../../../src/base/settings/resolve-settings.ts';
import type { Claim, HostUse } from '../../../../src/contracts/crawl-task.ts';
import type { ResponseHead } from '../../../../src/contracts/fetcher.ts';
import { PageFailures } from '../../../../src/crawl/visit/page-failure.ts';

const USE: HostUse = { fetchMs: 1, bytes: 1, endedAt: 1000 };

function byRule(retryStatus: unknown): PageFailures {
  const { settings } = resolveSettings({ flags: {}, env: {}, file: { 'retry-status': retryStatus } } as Parameters<
    typeof resolveSettings
  >[0]);
  const limits = { maxRetries: settings.retries, maxRetryMs: settings.backoffStart, byStatus: settings.retryStatus };
  return new PageFailures(limits, { now: () => 1000 } as Clock);
}

function head(status: number): ResponseHead {
  return { status, rawHeaders: [], header: () => undefined, httpVersion: '1.1', statusText: '' };
}

/** The waits of a URL that is answered with the same status until it is given up. */
function waits(failures: PageFailures, status: number, kind: 'final' | 'busy' | 'pushback'): number[] {
  const found: number[] = [];
  for (let tries = 0; tries < 200; tries++) {
    const claim = { tries } as Claim;
    const failed =
      kind === 'final'
        ? failures.ofFinalStatus(claim, head(status), USE)
        : failures.ofBusyServer(claim, head(status), USE, kind === 'pushback');
    if (failed?.retryMs === undefined) return found;
    found.push(failed.retryMs);
  }
  return found;
}

describe('retry-status', () => {
  test('without it: 5xx twice, 429 and 503 ten times by the clock of the host, others never', () => {
    const failures = byRule({});
    assert.deepEqual(waits(failures, 500, 'busy'), [10_000, 20_000]);
    assert.deepEqual(waits(failures, 429, 'pushback'), Array(10).fill(0));
    for (const status of [400, 403, 404, 410]) assert.deepEqual(waits(failures, status, 'final'), []);
  });

  test('says how often and after what; a status counts before its class', () => {
    const failures = byRule({ 403: '2/30s', '5xx': 0, 502: 1, 404: '1/5m' });
    assert.deepEqual(waits(failures, 403, 'final'), [30_000, 60_000]);
    assert.deepEqual(waits(failures, 404, 'final'), [300_000]);
    assert.deepEqual(waits(failures, 401, 'final'), []);
    assert.deepEqual(waits(failures, 500, 'busy'), []);
    assert.deepEqual(waits(failures, 502, 'busy'), [10_000]);
  });

  test('a host that asks for patience rests all the same', () => {
    const failed = byRule('503=1/2s,429=0').ofBusyServer({ tries: 0 } as Claim, head(503), USE, true);
    assert.equal(failed.use.pushback?.kind, 'busy');
    assert.equal(failed.retryMs, 2000);
    const given = byRule('503=1/2s,429=0').ofBusyServer({ tries: 0 } as Claim, head(429), USE, true);
    assert.equal(given.use.pushback?.kind, 'busy');
    assert.equal(given.retryMs, undefined);
  });

  test('a wait stays finite, however often', () => {
    assert.ok(waits(byRule('403=100/1s'), 403, 'final').every((wait) => wait <= 1_024_000));
  });

  test('what is no status, or no rule, is refused', () => {
    for (const wrong of ['200=1', '302=1', '6xx=1', '403=-1', '403=101', '403=2/soon', '403'])
      assert.throws(() => byRule(wrong), { code: 'SETTING_INVALID' }, wrong);
  });
});
