import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RobotsRecord } from '../../../../src/contracts/content/robots.ts';
import { ROBOTS_MAX_REDIRECTS, robotsOutcome } from '../../../../src/fetch/robots/robots-outcome.ts';
import { judgeOfRecord } from '../../../../src/fetch/robots/robots-record.ts';
import { NOW, robotsAnswer, robotsVisit } from '../robots-answer.ts';

const HOUR = 3_600_000;
const RULES = 'User-agent: *\nDisallow: /private/\nCrawl-delay: 7\n';

function hoursLeft(record: RobotsRecord): number {
  return (record.expiresAt - NOW) / HOUR;
}

describe('robotsOutcome', () => {
  test('2xx: the rules count, for a day', () => {
    const record = robotsOutcome(robotsAnswer(200, { body: RULES }));
    assert.deepEqual(record, {
      origin: 'http://site.test',
      fetchedAt: NOW,
      expiresAt: NOW + 24 * HOUR,
      state: 'rules',
      why: 'read',
      body: RULES,
      redirects: 0,
    });
    assert.equal(robotsOutcome(robotsAnswer(204)).state, 'rules');
  });

  test('Cache-Control shortens the day down to an hour, never lengthens it', () => {
    const left = (value: string) =>
      hoursLeft(robotsOutcome(robotsAnswer(200, { headers: { 'cache-control': value } })));
    assert.equal(left('public, max-age=7200'), 2);
    assert.equal(left('max-age=0'), 1);
    assert.equal(left('no-store'), 1);
    assert.equal(left('private, no-cache, max-age=7200'), 1);
    assert.equal(left('max-age=31536000'), 24);
    assert.equal(left('s-maxage=5'), 24);
    assert.equal(left('nonsense'), 24);
  });

  test('4xx opens, but for 429; 5xx and whatever else closes', () => {
    for (const status of [400, 401, 403, 404, 410, 451, 499]) {
      const record = robotsOutcome(robotsAnswer(status));
      assert.equal(record.state, 'allow-all');
      assert.equal(record.why, `HTTP ${status}`);
      assert.equal(hoursLeft(record), 24);
    }
    for (const status of [429, 500, 502, 503, 504, 599, 600, 999, 101]) {
      const record = robotsOutcome(robotsAnswer(status));
      assert.equal(record.state, 'disallow-all', String(status));
      assert.equal(hoursLeft(record), 1);
    }
  });

  test('network errors and refused addresses close', () => {
    const failed = robotsVisit({ kind: 'failed', code: 'connect-refused', detail: 'port 80', bytes: 0 });
    assert.deepEqual(
      { state: robotsOutcome(failed).state, why: robotsOutcome(failed).why },
      { state: 'disallow-all', why: 'connect-refused: port 80' },
    );
    const refused = robotsVisit({ kind: 'refused', by: 'address', rule: '10.0.0.1 is private' });
    assert.equal(robotsOutcome(refused).state, 'disallow-all');
  });

  test('a body that broke off closes; one cut by the size limit counts', () => {
    assert.equal(robotsOutcome(robotsAnswer(200, { body: RULES, truncated: 'disconnect' })).state, 'disallow-all');
    assert.equal(robotsOutcome(robotsAnswer(200, { body: RULES, truncated: 'time' })).state, 'disallow-all');
    assert.equal(robotsOutcome(robotsAnswer(200, { body: RULES, truncated: 'length' })).state, 'rules');
  });

  test('while nothing is known the retries grow from an hour to a day, and no time opens the origin', () => {
    let now = NOW;
    let previous: RobotsRecord | undefined;
    const waits: number[] = [];
    for (let i = 0; i < 60; i++) {
      previous = robotsOutcome(robotsAnswer(503, { previous, now }));
      assert.equal(previous.state, 'disallow-all');
      waits.push((previous.expiresAt - now) / HOUR);
      now = previous.expiresAt;
    }
    assert.deepEqual(waits.slice(0, 7), [1, 2, 4, 8, 16, 24, 24]);
    assert.ok(now - NOW > 50 * 24 * HOUR);
  });

  test('an earlier copy stands in for thirty days, then the origin closes', () => {
    const previous = robotsOutcome(robotsAnswer(200, { body: RULES }));
    const stale = robotsOutcome(robotsAnswer(503, { previous, now: NOW + 25 * HOUR }));
    assert.deepEqual(
      { ...stale },
      {
        ...previous,
        askedAt: NOW + 25 * HOUR,
        why: 'stale copy used: HTTP 503',
        expiresAt: NOW + 26 * HOUR,
      },
    );
    const later = robotsOutcome(robotsAnswer(503, { previous: stale, now: NOW + 29 * 24 * HOUR }));
    assert.equal(later.state, 'rules');
    const tooLate = robotsOutcome(robotsAnswer(503, { previous: later, now: NOW + 31 * 24 * HOUR }));
    assert.equal(tooLate.state, 'disallow-all');
    assert.equal(tooLate.body, undefined);
  });

  test('an earlier "there is none" is no copy of the file', () => {
    const previous = robotsOutcome(robotsAnswer(404));
    assert.equal(robotsOutcome(robotsAnswer(503, { previous })).state, 'disallow-all');
  });

  test('redirects: five are followed, then the file counts as unavailable', () => {
    const headers = { location: '//www.site.test/r.txt#top' };
    for (let redirects = 0; redirects < ROBOTS_MAX_REDIRECTS; redirects++) {
      const visit = robotsAnswer(301, { headers, redirects });
      assert.deepEqual(visit.fetched, { kind: 'redirect', status: 301, to: 'http://www.site.test/r.txt' });
      const record = robotsOutcome(visit);
      assert.equal(record.state, 'moved');
      assert.equal(record.redirects, redirects + 1);
    }
    const record = robotsOutcome(robotsAnswer(301, { headers, redirects: ROBOTS_MAX_REDIRECTS }));
    assert.equal(record.state, 'allow-all');
  });

  test('redirects that lead nowhere close', () => {
    assert.equal(robotsOutcome(robotsAnswer(302)).state, 'disallow-all');
    for (const location of ['', 'http://', 'ftp://site.test/r.txt']) {
      const headers = { location };
      assert.equal(robotsOutcome(robotsAnswer(302, { headers })).state, 'disallow-all');
    }
  });

  test('bytes that are not UTF-8 survive being kept as text', () => {
    const record = robotsOutcome(
      robotsAnswer(200, { body: Buffer.from('User-agent: *\nDisallow: /b\xfc/', 'latin1') }),
    );
    assert.equal(judgeOfRecord(record, 'orbweaver').judge('/b%FC/x').allowed, false);
    assert.equal(judgeOfRecord(record, 'orbweaver').judge('/b%C3%BC/x').allowed, true);
  });
});

describe('judgeOfRecord', () => {
  test('rules are asked', () => {
    const judge = judgeOfRecord(robotsOutcome(robotsAnswer(200, { body: RULES })), 'orbweaver');
    assert.deepEqual(judge.judge('http://site.test/private/x'), {
      allowed: false,
      rule: 'Disallow: /private/',
      line: 2,
      crawlDelay: 7,
    });
    assert.deepEqual(judge.judge('http://site.test/public'), { allowed: true, crawlDelay: 7 });
    assert.equal(judge.crawlDelay, 7);
  });

  test('allow-all allows', () => {
    const judge = judgeOfRecord(robotsOutcome(robotsAnswer(404)), 'orbweaver');
    assert.deepEqual(judge.judge('http://site.test/private/x'), { allowed: true });
  });

  test('disallow-all and moved forbid all but robots.txt itself', () => {
    const closed = judgeOfRecord(robotsOutcome(robotsAnswer(503)), 'orbweaver');
    assert.deepEqual(closed.judge('/x'), { allowed: false, rule: 'robots.txt unreachable: HTTP 503' });
    assert.deepEqual(closed.judge('http://site.test/robots.txt'), { allowed: true });
    const headers = { location: 'http://www.site.test/robots.txt' };
    const moved = judgeOfRecord(robotsOutcome(robotsAnswer(301, { headers })), 'orbweaver');
    assert.equal(moved.judge('/').allowed, false);
  });
});
