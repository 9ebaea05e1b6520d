import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StreamingAudit, type StreamingAuditReport } from '../../../../src/simulate/audit/streaming-audit.ts';
import type { LoggedRequest } from '../../../../src/simulate/server/request-log.ts';
import { SitesWeb } from '../../../../src/simulate/sites/sites-web.ts';

const DELAY = { minGapMs: 1000, delayFactor: 5, maxAdaptiveMs: 30_000, toleranceMs: 5 };
const web = new SitesWeb({ sitesPerShape: 1, pagesPerSite: 12, crawlDelayShare: 1, crawlDelaySeconds: 2 }, 8000);
const HOST = web.sites.findIndex(({ robots }) => robots.verdict === 'rules');

/** `path` at a time, for a time; robots.txt lies five seconds before the first. */
function judge(
  requests: readonly (readonly [path: string, arrive: number, took: number, status?: number])[],
  interruptions: readonly number[] = [],
): StreamingAuditReport {
  const audit = new StreamingAudit(web, { ...DELAY, interruptions });
  for (const [target, arrive, took, status = 200] of requests)
    audit.add(request(target, arrive, arrive + took, status));
  return audit.report();
}

function request(target: string, arrive: number, done: number, status: number): LoggedRequest {
  const located = web.locate(HOST, target);
  return {
    ...{ arrive, done, host: HOST, target, located, status, bytes: 0, method: 'GET', agent: '' },
    ...{ connection: 1, complete: true, protocol: 'http/1.1', conditional: false },
  };
}

describe('streaming audit', () => {
  it('asks for the longest of minimum, adaptive part and Crawl-delay, from end to start', () => {
    const right = judge([
      ['/robots.txt', 0, 10],
      ['/', 2010, 10],
      ['/go/1', 4020, 600],
      ['/go/2', 7620, 10],
    ]);
    assert.equal(right.tooShort.count, 0);
    assert.equal(right.gaps, 3);
    assert.ok(Math.abs(right.smallestGapRatio - 1) < 1e-9);
    const soon = judge([
      ['/robots.txt', 0, 10],
      ['/', 1500, 10],
      ['/go/1', 3510, 600],
      ['/go/2', 6500, 10],
    ]);
    assert.equal(soon.tooShort.count, 2, 'the Crawl-delay, and five times a slow answer');
  });

  it('notices parallel requests, forbidden ones and those before robots.txt', () => {
    const { parallel, disallowed, beforeRobots } = judge([
      ['/', 0, 3000],
      ['/robots.txt', 1000, 10],
      ['/private/draft-1', 20_000, 10],
      ['/private/open-day-2', 30_000, 10],
    ]);
    assert.deepEqual([parallel.count, disallowed.count, beforeRobots.count], [1, 1, 1]);
  });

  it('a robots.txt that could not be had allows nothing', () => {
    const { beforeRobots } = judge([
      ['/robots.txt', 0, 10, 503],
      ['/', 20_000, 10],
    ]);
    assert.equal(beforeRobots.count, 1);
  });

  it('after Retry-After demands the wait, and after a kill only what was known before', () => {
    const pushedBack = (status: number, kill: number[]) =>
      judge([['/robots.txt', 0, 10] as const, ['/', 5000, 600, status] as const, ['/go/1', 7700, 10] as const], kill);
    assert.equal(pushedBack(503, []).tooShort.count, 1);
    assert.equal(pushedBack(200, []).tooShort.count, 1, 'five times 600 ms');
    assert.equal(pushedBack(503, [5700]).tooShort.count, 0);
    assert.equal(pushedBack(503, [4000]).tooShort.count, 1, 'the kill came before');
  });
});
