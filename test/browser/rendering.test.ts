import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { type CrawlSummary, type CreateCrawlSettings, createCrawl } from '../../src/index.ts';
import { findBrowser } from '../../src/render/find-browser.ts';
import { storedPages, temporaryFolder } from '../crawl/crawl-web.ts';
import { HostileScripts } from './hostile-scripts.ts';
import { ScriptedWeb } from './scripted-web.ts';

const skip = findBrowser() === undefined ? 'no Chrome or Chromium on this machine' : false;
const loopback = process.platform === 'linux' ? skip : 'only Linux has 127.0.0.2 without being told';

const QUICK = {
  ...{ delay: 5, delayFactor: 0, workers: 0, sitemaps: 'off', scope: 'host', trapLearning: false },
  // A machine that is busy with other tests takes its time.
  ...{ renderTabs: 2, renderTimeout: 90_000 },
} as const satisfies Partial<CreateCrawlSettings>;

async function crawl(settings: CreateCrawlSettings): Promise<CrawlSummary> {
  await using run = await createCrawl({ ...QUICK, ...settings });
  return await run.run();
}

function places(folder: string): string[] {
  return storedPages(folder)
    .map((url) => url.replace(/^https?:\/\//, '').replace(/:\d+/, ''))
    .sort();
}

test('auto finds what scripts build in a web that is mostly plain, and renders few pages', { skip }, async () => {
  await using web = await ScriptedWeb.start({ pages: 50, items: 6 });
  using folder = temporaryFolder();
  const common = { folder: folder.path, seeds: web.seeds, hosts: web.hosts, allowPrivate: true };
  await crawl({ ...common, render: 'auto', renderScreenshot: true, renderResources: true });
  assert.deepEqual(places(folder.path), web.truth);
  // Nothing but GET, nothing that robots.txt forbids, nobody who does not say who he is.
  assert.deepEqual(
    web.requests.filter(
      ({ method, path, agent }) => method !== 'GET' || path.startsWith('/private') || !/^Orbweaver/.test(agent),
    ),
    [],
  );
  // No page was asked for twice, and what they share once.
  const asked = web.requests
    .filter(({ path }) => !/robots\.txt|orbweaver-probe|^\/api/.test(path))
    .map(({ host, path }) => host + path);
  assert.equal(asked.length, new Set(asked).size);

  using reader = new CrawlReader(folder.path);
  const { rendering, totals } = await reader.status(0);
  assert.ok(rendering !== undefined && rendering.failed === 0);
  assert.ok(rendering.rendered <= totals.pages / 4, `${rendering.rendered} of ${totals.pages} pages were rendered`);
  const item = `${web.seeds[2]}items/3`;
  const { page } = await reader.explain(item);
  assert.equal(page?.facts?.title, 'Item 3');
  assert.match(page?.facts?.rendered?.why ?? '', /root of its application is empty/);
  const answered = await reader.get(item);
  assert.match(Buffer.from(answered.body).toString(), /<div id="root"><\/div>/);
  assert.match(Buffer.from((await reader.shown(answered)).body).toString(), /<h1>Item 3<\/h1>/);
  const records = globSync(join(folder.path, 'archive', '*.warc.gz')).map((file) =>
    gunzipSync(readFileSync(file)).toString('latin1'),
  );
  assert.match(
    records.join(''),
    /WARC-Type: resource\r\n[\s\S]{0,300}urn:screenshot:http:\/\/application\.test[\s\S]{0,200}image\/jpeg/,
  );
  assert.match(records.join(''), /WARC-Type: response\r\n[\s\S]{0,300}http:\/\/cdn\.test:\d+\/library\.js/);
});

test('hostile pages reach nothing private, and the crawl goes on', { skip: loopback }, async () => {
  await using site = await HostileScripts.start();
  using folder = temporaryFolder();
  const where = { folder: folder.path, seeds: [`${site.origin}/`], hosts: site.hosts, allowHosts: ['127.0.0.1'] };
  const bounds = { renderTimeout: 8000, renderMemory: 400 * 2 ** 20, softNotFound: false, backoffStart: 50 };
  const summary = await crawl({ ...where, ...bounds, render: 'auto' });
  assert.equal(summary.ended, 'finished');
  using reader = new CrawlReader(folder.path);
  const { rendering } = await reader.status(0);
  assert.ok((rendering?.rendered ?? 0) > 0, 'the browser started');
  assert.deepEqual(site.reached, []);
  const found = new Set(places(folder.path));
  for (const name of site.names) {
    assert.ok(found.has(`hostile.test/${name}`), `${name} was stored`);
    assert.ok(found.has(`hostile.test/after-${name}`), `the crawl went on after ${name}`);
  }
  assert.deepEqual(
    site.requests.filter((line) => !line.startsWith('GET ') || /sw\.js/.test(line)),
    [],
  );
  assert.ok(!existsSync(join(folder.path, 'browser.json')), 'the browser and its profile are gone');
});
