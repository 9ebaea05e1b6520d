import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { callProgram } from '../called-program.ts';
import { GOLDEN_HOST, GOLDEN_PAGES, serveGoldenSite } from '../golden/golden-site.ts';

const SITE = `http://${GOLDEN_HOST}`;
const FAST = ['--delay', '0', '--workers', '0', '--sitemaps', 'off', '--backoff-start', '10ms', '--quiet'];

test('a proxy that dies in mid-crawl is replaced by another: every page is stored, and nothing goes without', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-proxies-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  // Whichever is chosen is gone after four answers; the site takes eight.
  const sites = [await serveGoldenSite(4), await serveGoldenSite(4), await serveGoldenSite(4)];
  try {
    const proxies = sites.flatMap(({ port }) => ['--proxy', `http://127.0.0.1:${port}`]);
    const crawl = await callProgram(['crawl', `${SITE}/`, '--dir', folder, ...FAST, ...proxies]);
    assert.equal(crawl.status, 0, crawl.stderr);
    const status = JSON.parse((await callProgram(['status', '--dir', folder, '--json'])).stdout);
    assert.equal(status.totals.pages, Object.keys(GOLDEN_PAGES).length);
    const used = sites.filter(({ requests }) => requests.length > 0);
    assert.ok(used.length > 1 && used.some(({ requests }) => requests.length === 4), 'one has died, another went on');
  } finally {
    for (const site of sites) await site[Symbol.asyncDispose]();
  }
});

test('without a proxy that works nothing is asked; explain and status name the proxy, never its password', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-proxies-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  // A port that was closed may be somebody's by now; that of "discard" is given to nobody.
  const proxy = 'http://joe:hunter2@127.0.0.1:9';
  const crawl = await callProgram([
    ...['crawl', `${SITE}/`, '--dir', folder, ...FAST, '--proxy', proxy],
    ...['--retries', '0', '--max-duration', '20s'],
  ]);
  const told = [crawl.stdout + crawl.stderr];
  for (const args of [['status'], ['explain', `${SITE}/`]]) {
    const { stdout, stderr } = await callProgram([...args, '--dir', folder]);
    assert.match(stdout + stderr, /127\.0\.0\.1:9: connect-refused/, args[0]);
    told.push(stdout + stderr);
  }
  for (const text of told) assert.doesNotMatch(text, /hunter2|joe/);
});
