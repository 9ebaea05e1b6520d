import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { MetricsPage } from '../../../src/observe/metrics/metrics-page.ts';
import { Readiness } from '../../../src/observe/readiness.ts';
import { startWebApp } from '../../../src/web/http/listen.ts';
import { MetricsRoutes } from '../../../src/web/metrics/metrics-routes.ts';
import { MetricsServer } from '../../../src/web/metrics/metrics-server.ts';

function ask(port: number, path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number | undefined; text: string; type: string | undefined }>((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode, text, type: response.headers['content-type'] });
    });
    asking.on('error', reject);
    asking.end();
  });
}

test('a crawl without a page answers at three paths, to its own name alone', async () => {
  const readiness = new Readiness();
  const routes = new MetricsRoutes(new MetricsPage(), readiness);
  await using listening = await startWebApp(new MetricsServer(routes, '127.0.0.1'), { host: '127.0.0.1' });
  const { port } = listening;
  const scraped = await ask(port, '/metrics?x=1');
  assert.equal(scraped.status, 200);
  assert.equal(scraped.type, 'text/plain; version=0.0.4; charset=utf-8');
  assert.match(scraped.text, /^# HELP orbweaver_scrape_failures /);
  assert.equal(
    (await ask(port, '/metrics', { accept: 'application/openmetrics-text' })).text.endsWith('# EOF\n'),
    true,
  );
  assert.deepEqual(JSON.parse((await ask(port, '/healthz')).text), { ok: true });
  assert.equal((await ask(port, '/')).status, 404);
  assert.equal((await ask(port, '/metrics', {}, 'POST')).status, 405);
  assert.equal((await ask(port, '/metrics', { host: 'evil.example' })).status, 421);
  assert.equal((await ask(port, '/__proto__')).status, 404);

  assert.equal((await ask(port, '/readyz')).status, 200);
  using _broken = readiness.add('store', () => Promise.reject(new Error('The database is away.')));
  using _waits = readiness.add('search', () => 'No page can be found yet.');
  using _fine = readiness.add('crawl', () => undefined);
  const { status, text } = await ask(port, '/readyz');
  assert.equal(status, 503);
  const reasons = { store: 'The database is away.', search: 'No page can be found yet.' };
  assert.deepEqual(JSON.parse(text), { ready: false, reasons });
});

test('where others are let in, it answers to any name', async () => {
  const routes = new MetricsRoutes(new MetricsPage(), new Readiness());
  await using listening = await startWebApp(new MetricsServer(routes, '0.0.0.0'), { host: '127.0.0.1' });
  assert.equal((await ask(listening.port, '/metrics', { host: 'orbweaver.crawls.svc:9090' })).status, 200);
});
