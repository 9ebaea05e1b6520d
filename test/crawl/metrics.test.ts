import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { createCrawl } from '../../src/index.ts';
import { METRICS } from '../../src/observe/metrics/catalogue.ts';
import { CrawlMetrics } from '../../src/observe/metrics/crawl-metrics.ts';
import { MetricsPage } from '../../src/observe/metrics/metrics-page.ts';
import { ProcessMetrics } from '../../src/observe/metrics/process-metrics.ts';
import { RunMetrics } from '../../src/observe/metrics/run-metrics.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { FolderWatch } from '../../src/web/dashboard/folder-watch.ts';
import { callProgram } from '../called-program.ts';
import { Gate } from '../gate.ts';
import { type ReadFamily, readMetrics } from '../strict-openmetrics.ts';
import { temporaryFolder } from './crawl-web.ts';

/** A reader of others, which has no types. */
const parsePrometheusTextFormat = createRequire(import.meta.url)('parse-prometheus-text-format') as (
  text: string,
) => { readonly name: string }[];

/** name of a label's value -> value of the sample */
function byLabel(family: ReadFamily | undefined, label: string): Record<string, number> {
  const entries = family?.samples.map(({ labels, value }) => [labels[label], value] as const) ?? [];
  return Object.fromEntries(entries.filter(([, value]) => value !== 0));
}

test('a scrape of a real crawl is read by strict readers, and agrees with status, dashboard and summary', async () => {
  await using gate = await Gate.start();
  await using web = await startSyntheticWeb({ hosts: 5, pagesPerHost: 12, seed: 21, pageBytes: [1_000, 4_000] });
  using folder = temporaryFolder();
  const run = new RunMetrics();
  using ofProcess = new ProcessMetrics('1.2.3');
  const page = new MetricsPage(ofProcess, run);
  const summary = await (async () => {
    await using crawl = await createCrawl({
      ...{
        folder: folder.path,
        seeds: [...web.origins, gate.first],
        scope: 'any',
        delay: 20,
        delayFactor: 0,
        backoffStart: 50,
      },
      ...{ workers: 1, sitemaps: 'off', allowPrivate: true, hosts: web.hostsMap() },
    });
    using _watched = run.watch(crawl);
    using state = new CrawlMetrics(folder.path);
    using _added = page.add(state);
    let scraped: string | undefined;
    let isScraping = false;
    crawl.on('settled', () => {
      if (isScraping || scraped !== undefined) return;
      isScraping = true;
      void page.render(undefined).then(({ body }) => {
        isScraping = false;
        // A thread that only just starts says nothing yet.
        if (!body.includes('thread="page-0"')) return;
        scraped = body;
        // Not before: of a crawl that is over there is nothing to scrape.
        gate.end();
      });
    });
    const ended = await crawl.run();
    const middle = readMetrics(scraped ?? '', 'text');
    assert.ok((middle.get('orbweaver_visits_total')?.samples.length ?? 0) > 0);
    const threads = byLabel(middle.get('orbweaver_thread_heap_bytes'), 'thread');
    assert.deepEqual(Object.keys(threads), ['main', 'page-0']);
    return ended;
  })();
  using state = new CrawlMetrics(folder.path);
  page.add(state);
  const text = await page.render('text/plain');
  const open = await page.render('application/openmetrics-text');
  const read = readMetrics(text.body, 'text');
  const opened = readMetrics(open.body, 'openmetrics');

  // Another reader, of others, sees the same families.
  const theirs = parsePrometheusTextFormat(text.body);
  assert.deepEqual(theirs.map(({ name }) => name).sort(), [...read.keys()].sort());
  for (const name of read.keys()) assert.ok(name in METRICS, name);
  assert.equal(opened.size, read.size);

  const value = (name: string): number | undefined => read.get(name)?.samples[0].value;
  const { stdout } = await callProgram(['status', '--json', '--dir', folder.path]);
  const status = JSON.parse(stdout);
  using watch = new FolderWatch(folder.path, systemClock);
  const look = await watch.look();
  for (const totals of [status.totals, look.totals, summary]) {
    assert.equal(value('orbweaver_crawl_pages'), totals.pages);
    assert.equal(value('orbweaver_crawl_distinct_documents'), totals.distinctDocuments);
    assert.equal(value('orbweaver_crawl_near_duplicates'), totals.nearDuplicates);
    assert.equal(value('orbweaver_crawl_requests_total'), totals.requests);
    assert.equal(value('orbweaver_crawl_received_bytes_total'), totals.bytes);
    assert.deepEqual(byLabel(read.get('orbweaver_crawl_urls'), 'outcome'), totals.outcomes);
    assert.deepEqual(byLabel(read.get('orbweaver_crawl_refused_urls'), 'rule'), totals.refused);
    assert.deepEqual(byLabel(read.get('orbweaver_crawl_failed_urls'), 'code'), totals.failed);
  }
  const hosts = read.get('orbweaver_crawl_hosts')?.samples.reduce((sum, sample) => sum + sample.value, 0);
  assert.equal(hosts, status.hosts);
  assert.equal(value('orbweaver_crawl_running'), 0);

  // What the process has counted is what the state has, in a crawl of one run.
  const requests = read.get('orbweaver_requests_total')?.samples.reduce((sum, sample) => sum + sample.value, 0);
  assert.equal(requests, summary.requests);
  assert.equal(value('orbweaver_received_bytes_total'), summary.bytes);
  const { stored, duplicate } = byLabel(read.get('orbweaver_visits_total'), 'outcome');
  assert.equal((stored ?? 0) + (duplicate ?? 0), summary.pages);
  const fetched = read.get('orbweaver_fetch_duration_seconds')?.samples.at(-1);
  assert.equal(fetched?.value, requests);
  // Every host was owed at least its delay.
  const delays = read.get('orbweaver_host_delay_seconds')?.samples ?? [];
  const [sum, count] = delays.slice(-2).map((sample) => sample.value);
  assert.ok(count > 0 && sum / count >= 0.02, `${sum} / ${count}`);
});
