import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCrawl } from '../../src/index.ts';
import { audit } from '../../src/simulate/audit/audit.ts';
import { formatAudit } from '../../src/simulate/audit/format-audit.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';

const HOUR = 3_600_000;
const JUMP = 25 * HOUR;
const DELAY = 100;

/** The dates of all captures, from the index of the archive. */
function captureDates(folder: string): number[] {
  const files = readdirSync(join(folder, 'archive')).filter((name) => name.endsWith('.cdxj'));
  const lines = files.flatMap((name) =>
    readFileSync(join(folder, 'archive', name), 'utf8')
      .trim()
      .split('\n'),
  );
  return lines.map((line) => {
    const [, year, month, day, hour, minute, second] =
      / (\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d* /.exec(line)?.map(Number) ?? [];
    return Date.UTC(year, month - 1, day, hour, minute, second);
  });
}

test('a system clock that is set forward by 25 hours and back shortens no delay, ends no run, and is told', async (t) => {
  await using web = await startSyntheticWeb({
    hosts: 4,
    pagesPerHost: 40,
    seed: 3,
    crawlDelaySeconds: 0.1,
    retryAfterSeconds: 1,
  });
  using folder = temporaryFolder();
  const began = Date.now();
  const right = Date.now;
  let jump = 0;
  t.mock.method(Date, 'now', () => right() + jump);
  await using crawl = await createCrawl({
    ...{ folder: folder.path, seeds: web.origins, scope: 'any', delay: DELAY, delayFactor: 0, backoffStart: 50 },
    ...{ concurrency: 32, workers: 0, sitemaps: 'off', allowPrivate: true, hosts: web.hostsMap() },
    maxDuration: HOUR,
  });
  const told: string[] = [];
  using _told = crawl.on('warning', ({ code, message }) => {
    if (code !== 'CLOCK_JUMP') return;
    told.push(message);
    jump = jump === 0 ? JUMP : 0;
  });
  using _begun = crawl.on('settled', () => {
    if (told.length === 0) jump = JUMP;
  });
  const summary = await crawl.run();
  assert.equal(summary.ended, 'finished');
  assert.ok(told.length >= 2, `${told.length} jumps were told`);
  assert.match(told[0], /set forward by 1 day 1 hour/);
  assert.match(told[1], /set back by 1 day 1 hour/);
  const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' });
  assert.deepEqual(storedPages(folder.path), expected.urls('stored').sort());
  const report = audit(web.log, expected, { minGapMs: DELAY, toleranceMs: 0 });
  assert.ok(report.passed, formatAudit(report));
  const dates = captureDates(folder.path);
  const ahead = dates.filter((date) => date > began + JUMP / 2);
  assert.ok(ahead.length > 0 && ahead.length < dates.length, 'dates in the archive follow the system clock both ways');
});
