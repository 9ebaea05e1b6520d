import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { resolveSettings } from '../../src/base/settings/resolve-settings.ts';
import { openCrawl } from '../../src/crawl/assemble.ts';
import { RunMetrics } from '../../src/observe/metrics/run-metrics.ts';
import { observeCrawl } from '../../src/observe/observe-crawl.ts';
import type { OtlpSpan } from '../../src/observe/trace/visit-spans.ts';
import { startSyntheticWeb, type WebServer } from '../../src/simulate/server/web-server.ts';
import { callProgram } from '../called-program.ts';
import { readMetrics } from '../strict-openmetrics.ts';
import { temporaryFolder } from './crawl-web.ts';

interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly spans: OtlpSpan[];
  readonly headers: Record<string, unknown>[];
}

/** A receiver of OTLP in JSON; `answer` says what it answers to the nth request, undefined: never anything. */
async function startReceiver(answer: (nth: number) => number | undefined = () => 200): Promise<Receiver> {
  const spans: OtlpSpan[] = [];
  const headers: Record<string, unknown>[] = [];
  let requests = 0;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const status = answer(++requests);
    if (status === undefined) return;
    headers.push(request.headers);
    if (status === 200)
      for (const { scopeSpans } of JSON.parse(body).resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1/traces`, spans, headers, [Symbol.asyncDispose]: close };
}

async function tracedCrawl(web: WebServer, traces: string, more: object = {}) {
  using folder = temporaryFolder();
  const { settings } = resolveSettings({
    overrides: {
      ...{ scope: 'any', delay: 10, delayFactor: 0, backoffStart: 50, workers: 0, sitemaps: 'off' },
      ...{ allowPrivate: true, hosts: web.hostsMap(), traces, traceSample: 1, ...more },
    },
  });
  await using crawl = await openCrawl({ folder: folder.path, settings, version: '0' });
  await crawl.addSeeds(web.origins);
  const run = new RunMetrics();
  const observation = observeCrawl({ crawl, folder: folder.path, settings, version: '0', run });
  const summary = await crawl.run();
  await observation[Symbol.asyncDispose]();
  const read = readMetrics((await observation.metrics.render(undefined)).body, 'text');
  const [exported, dropped] = (read.get('orbweaver_trace_spans_total')?.samples ?? []).map(({ value }) => value);
  return { summary, exported, dropped };
}

test('every stage of a traced visit is a span of one trace, at a real receiver', async () => {
  await using web = await startSyntheticWeb({ hosts: 2, pagesPerHost: 8, seed: 5 });
  await using receiver = await startReceiver();
  for (const workers of [0, 1]) {
    receiver.spans.length = 0;
    const traceHeaders = ['Authorization: Bearer abc:d'];
    const { summary, exported, dropped } = await tracedCrawl(web, receiver.url, { workers, traceHeaders });
    assert.equal(receiver.headers[0].authorization, 'Bearer abc:d');
    assert.equal(dropped, 0);
    assert.equal(receiver.spans.length, exported);
    const traces = [...Map.groupBy(receiver.spans, ({ traceId }) => traceId).values()];
    const stored = traces.filter(([root]) =>
      root.attributes.some(
        ({ key, value }) => key === 'orbweaver.outcome' && 'stringValue' in value && value.stringValue === 'stored',
      ),
    );
    assert.equal(stored.length >= summary.distinctDocuments, true);
    for (const [root, ...children] of stored) {
      assert.equal(root.name, 'visit');
      assert.match(root.traceId, /^[0-9a-f]{32}$/);
      assert.match(root.spanId, /^[0-9a-f]{16}$/);
      const names = children.map(({ name }) => name);
      if (names.includes('extract'))
        assert.deepEqual(names, ['claim', 'robots', 'fetch', 'extract', 'archive', 'settle']);
      for (const span of children) {
        assert.equal(span.parentSpanId, root.spanId);
        assert.ok(BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano), span.name);
        assert.ok(BigInt(span.startTimeUnixNano) >= BigInt(root.startTimeUnixNano), span.name);
        assert.ok(BigInt(span.endTimeUnixNano) <= BigInt(root.endTimeUnixNano), span.name);
      }
    }
    assert.ok(stored.some((spans) => spans.length === 7));
  }
});

test('of the visits only the share that was asked for is traced', async () => {
  await using web = await startSyntheticWeb({ hosts: 4, pagesPerHost: 20, seed: 6 });
  await using receiver = await startReceiver();
  const { summary } = await tracedCrawl(web, receiver.url, { traceSample: 0.25 });
  const roots = receiver.spans.filter(({ name }) => name === 'visit').length;
  assert.ok(roots > 0 && roots < summary.requests / 2, `${roots} of ${summary.requests}`);
});

test('a receiver that is away, refuses or never answers costs the crawl nothing; spans that are lost are counted', async () => {
  await using web = await startSyntheticWeb({ hosts: 2, pagesPerHost: 6, seed: 5 });
  await using busy = await startReceiver((nth) => (nth === 1 ? 503 : 200));
  await using refusing = await startReceiver(() => 400);
  await using silent = await startReceiver(() => undefined);
  const { summary } = await tracedCrawl(web, '');
  for (const { url, isLost } of [
    { url: 'http://127.0.0.1:1/v1/traces', isLost: true },
    { url: refusing.url, isLost: true },
    { url: silent.url, isLost: true },
  ]) {
    const traced = await tracedCrawl(web, url);
    assert.equal(traced.summary.pages, summary.pages, url);
    assert.equal(traced.exported, isLost ? 0 : traced.exported);
    assert.ok(traced.dropped > 0);
  }
  const again = await tracedCrawl(web, busy.url);
  assert.equal(again.summary.pages, summary.pages);
  assert.equal((again.exported ?? 0) + (again.dropped ?? 0) > 0, true);
});

test('with --log json standard error holds one object a line, errors included', async () => {
  await using web = await startSyntheticWeb({ hosts: 1, pagesPerHost: 4, seed: 8 });
  using folder = temporaryFolder();
  const hosts = Object.entries(web.hostsMap()).map(([host, address]) => `${host}=${address}`);
  const { stderr, status } = await callProgram([
    ...['crawl', ...web.origins, '--dir', folder.path, '--allow-private', '--delay', '0', '--no-index'],
    ...['--hosts', hosts.join(','), '--log', 'json', '--log-level', 'debug'],
  ]);
  assert.equal(status, 0, stderr);
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const { time, level, event } of lines) {
    assert.ok(Number.isFinite(Date.parse(time)));
    assert.match(level, /^(?:debug|info|warn|error)$/);
    assert.match(event, /^[a-z]+\.[a-z]+$/);
  }
  assert.equal(lines[0].event, 'crawl.started');
  assert.equal(lines.at(-1).event, 'crawl.ended');
  const stored = lines.filter(({ event, outcome }) => event === 'visit.settled' && outcome === 'stored');
  assert.equal(stored.length, lines.at(-1).outcomes.stored);
  const failed = await callProgram(['crawl', '--dir', `${folder.path}/none`], { env: { ORBWEAVER_LOG: 'json' } });
  const { level, event, code, remedy } = JSON.parse(failed.stderr);
  assert.deepEqual([failed.status, level, event, code], [2, 'error', 'error', 'NO_SEEDS']);
  assert.match(remedy, /Name at least one URL/);
});
