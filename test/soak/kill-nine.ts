/**
 * kill -9 at many random instants, each followed by a resume: `npm run soak:kill -- --kills 200`. With `--at-once 8` hosts have so many requests
 * under way, without a delay.
 * Crawls one synthetic web after another until so many kills have struck, and judges each crawl.
 */
import { parseArgs } from 'node:util';
import { killedCrawl } from '../faults/killed-crawl.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '1' },
  },
});
const wanted = Number(values.kills);
const atOnce = Number(values['at-once']);
const delayMs = atOnce > 1 ? 0 : 100;
const crawlDelaySeconds = atOnce > 1 ? 0 : 0.2;
let total = 0;
let failed = false;
for (let seed = Number(values.seed); total < wanted; seed++) {
  const report = await killedCrawl({
    web: { seed, hosts: 12, pagesPerHost: 150, crawlDelaySeconds, retryAfterSeconds: 1, slowRobotsMs: 100 },
    delayMs,
    flags: ['--host-concurrency', String(atOnce)],
    kills: wanted - total,
    killAfter: { ms: [50, 1000] },
    random: Math.random,
  });
  total += report.kills;
  const problems =
    report.missed.length +
    report.unexpected.length +
    report.storedTwice.length +
    report.notArchived.length +
    report.damage.length;
  // Requests that may be under way together have no gap between them.
  if (problems > 0 || (atOnce === 1 && report.smallestGapMs < delayMs)) failed = true;
  console.log(
    `web ${seed}: ${report.kills} kills (${total} in all), ${report.expected} pages expected, ${report.missed.length} missed, ` +
      `${report.unexpected.length} unexpected, ${report.storedTwice.length} stored twice, ${report.notArchived.length} not archived, ` +
      `${report.damage.length} damaged records, smallest gap ${report.smallestGapMs.toFixed(2)} ms of ${delayMs}, ` +
      `${report.requests} requests, ${report.repeated} of them again`,
  );
  if (problems > 0) console.log(JSON.stringify(report, null, 2).slice(0, 4000));
}
console.log(failed ? 'FAILED' : 'passed');
process.exitCode = failed ? 1 : 0;
