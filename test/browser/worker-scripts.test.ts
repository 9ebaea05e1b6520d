import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCrawl } from '../../src/index.ts';
import { findBrowser } from '../../src/render/find-browser.ts';
import { storedPages, temporaryFolder } from '../crawl/crawl-web.ts';
import { listening } from '../unit/fetch/loopback.ts';

const PAGES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/robots.txt': ['text/plain', 'User-agent: *\nDisallow: /forbidden'],
  '/': [
    'text/html',
    `<title>Start</title><main id="list"></main><script>
    for (const [script, options] of [['/w.js', {}], ['/m.js', { type: 'module' }], ['/forbidden/w.js', {}]]) {
      const worker = new Worker(script, options);
      worker.onmessage = ({ data }) => { list.innerHTML += '<a href="' + data + '">' + data + '</a>'; };
    }
    </script>`,
  ],
  '/w.js': ['text/javascript', "importScripts('/part.js'); postMessage(self.found)"],
  '/part.js': ['text/javascript', "self.found = '/by-worker'"],
  '/m.js': ['text/javascript', "import { found } from '/dep.js'; postMessage(found)"],
  '/dep.js': ['text/javascript', "export const found = '/by-module'"],
  '/forbidden/w.js': ['text/javascript', "postMessage('/by-forbidden')"],
  '/by-worker': ['text/html', '<title>Worker</title>'],
  '/by-module': ['text/html', '<title>Module</title>'],
};

test('workers of a page get their scripts, as far as robots.txt lets them', {
  skip: findBrowser() === undefined ? 'no Chrome or Chromium here' : false,
}, async () => {
  using temporary = temporaryFolder();
  const asked: string[] = [];
  await using server = await listening(
    createServer(({ url = '' }, response) => {
      asked.push(url);
      const [type, body] = PAGES[url] ?? ['text/plain', ''];
      response.writeHead(PAGES[url] === undefined ? 404 : 200, { 'content-type': type }).end(body);
    }),
  );
  const folder = join(temporary.path, 'crawl');
  await using crawl = await createCrawl({
    ...{ folder, seeds: [`http://127.0.0.1:${server.port}/`], scope: 'host', render: 'always', browserSandbox: false },
    ...{ allowPrivate: true, delay: 0, delayFactor: 0, workers: 0, sitemaps: 'off', index: false },
  });
  await crawl.run();
  const paths = storedPages(folder).map((page) => new URL(page).pathname);
  assert.deepEqual(paths.sort(), ['/', '/by-module', '/by-worker']);
  assert.ok(!asked.includes('/forbidden/w.js'), asked.join(' '));
});
