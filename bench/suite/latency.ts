import { plainNumber } from '../../src/laboratory/plots/plain-number.ts';
import type { SyntheticWeb } from '../../src/simulate/model/synthetic-web.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import { PLAIN_SHARES } from '../../src/simulate/model/web-spec.ts';
import { auditedCrawl } from '../harness/audited-crawl.ts';
import type { Bench } from './bench.ts';

const HOSTS = 50;
const LATENCY_MS = 200;
const ALLOWED = 1.1;

/** A web that answers late, without delays of our own: is every host asked again as soon as it has answered? */
export const latency: Bench = {
  name: 'latency',
  title: `${HOSTS} hosts at ${LATENCY_MS} ms latency, one request at a time to each`,
  async run(quick) {
    const web = {
      ...PLAIN_SHARES,
      seed: 200,
      hosts: HOSTS,
      pagesPerHost: quick ? 25 : 200,
      linksPerPage: 40,
      latencyMs: [LATENCY_MS, LATENCY_MS],
    } as const;
    const done = await auditedCrawl('latency', { web, settings: { concurrency: 2 * HOSTS } });
    const boundSeconds = slowestHostSeconds(done.web, done.origins);
    const { seconds, pages } = done.summary;
    const ratio = seconds / boundSeconds;
    const { requests } = done.audit;
    return {
      table: {
        columns: ['requests', 'pages', 'bound s', 'ours s', 'ours / bound', 'CPU s'],
        rows: [[requests, pages, boundSeconds, seconds, ratio, done.cpuSeconds]],
      },
      checks: [
        done.check,
        {
          kind: 'goal',
          what: 'within 10 % of what latency allows',
          found: `${plainNumber(ratio)} times the bound`,
          passed: ratio <= ALLOWED,
        },
      ],
      charts: [
        {
          kind: 'bars',
          name: 'latency',
          title: `${HOSTS} hosts at ${LATENCY_MS} ms: time of the crawl`,
          unit: 'seconds',
          bars: [
            { label: 'least possible', value: boundSeconds, peer: true },
            { label: 'Orbweaver', value: seconds },
          ],
        },
      ],
      notes: ['Bound: requests to the host with the most, robots.txt included, times the latency.'],
      data: { boundSeconds, seconds, ratio, requests, pages, cpuSeconds: done.cpuSeconds, audit: done.audit },
    };
  },
};

/** The truth, not the log, says how many requests are needed: one that wastes some must not move its own bound. */
function slowestHostSeconds(web: SyntheticWeb, seeds: readonly string[]): number {
  const expected = truth(web, { seeds, agent: 'orbweaver' });
  const ms = Array.from({ length: web.hosts.count }, (_, host) =>
    web.delayMs(host, { kind: 'robots', of: host, last: true, target: '/robots.txt' }),
  );
  for (const fate of ['stored', 'redirected', 'failed'] as const) {
    for (const page of expected.pages(fate)) {
      const host = web.hostOfPage(page);
      ms[host] += web.delayMs(host, { kind: 'page', id: page });
    }
  }
  return Math.max(...ms) / 1000;
}
