import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../crawl/crawl-web.ts';
import { RunningApp } from '../running-app.ts';
import { Chromium, findChromium } from './chromium.ts';
import { countShifts, faultsOfView } from './seen-view.ts';

const found = findChromium();
const skip = 'missing' in found ? found.missing : false;
/** Addresses on a page of the crawl that left its mount; those of the library are meant. */
const ASTRAY = `[...document.querySelectorAll('main [href^="/"], main [action^="/"]')].map((part) => part.getAttribute('href') ?? part.getAttribute('action')).filter((address) => !address.startsWith('/crawls/demo/'))`;

test('the whole way in a browser: begin, watch, pause, hold, resume, search, read, export, schedule, delete', {
  skip,
  timeout: 600_000,
}, async () => {
  using folder = temporaryFolder();
  await using app = await RunningApp.start(join(folder.path, 'crawls'));
  await using chromium = await Chromium.start('path' in found ? found.path : '');
  const tab = await chromium.openTab();
  await countShifts(tab);
  const wrong: string[] = [];
  const see = async (name: string): Promise<void> => {
    wrong.push(...(await faultsOfView(tab, name)));
    const inCrawl = await tab.evaluate<boolean>("location.pathname.startsWith('/crawls/demo/')");
    if (inCrawl) wrong.push(...(await tab.evaluate<string[]>(ASTRAY)).map((address) => `${name}: ${address}`));
  };
  const press = (selector: string): Promise<void> =>
    tab.leave(async () => {
      await tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: 'center' })`);
      await tab.click(selector);
    });
  const text = (selector: string): Promise<string> =>
    tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`);
  const operation = (what: string): string => `form:has(input[name="do"][value="${what}"]) button`;

  await tab.open(app.url);
  await press('.demo button');

  // Watched: what is streamed takes the place of what was on the page, with its addresses below the mount.
  await app.until('demo', ({ facts }) => facts !== undefined);
  // The first who comes waits for the threads to start.
  assert.equal((await fetch(`${app.url}crawls/demo/dashboard`)).status, 200);
  await tab.open(`${app.url}crawls/demo/dashboard`);
  await app.until('demo', ({ facts }) => (facts?.pages ?? 0) > 0);
  await tab.hold("Number(document.querySelector('.tiles .value').textContent) > 0");
  await press(operation('pause'));
  await tab.hold(`document.querySelector('[data-stands="paused"]') !== null`);
  assert.equal(await text('.controls button'), 'Resume');
  await tab.hold(`document.querySelector('#d-visits a[href^="/crawls/demo/page?"]') !== null`);
  await see('dashboard-paused');

  // A pattern is held while it is paused.
  await press('.controls a[href="/crawls/demo/control"]');
  await tab.evaluate("document.getElementById('hold-pattern').value = 'spiders.demo.test:8790/families/*.html'");
  await press(operation('hold-pattern'));
  assert.match(await text('.controls .plain'), /families\/\*\.html held/);
  await see('control');
  await press(operation('resume'));
  assert.match(await text('.controls .state'), /Running|No crawl is running/);
  await tab.open(`${app.url}crawls/demo/dashboard`);
  await app.until('demo', ({ condition }) => condition === 'finished');
  // The open page hears of the end, and offers no longer to pause it.
  await tab.hold(`document.querySelector('[data-stands="ended"]') !== null`);
  await tab.hold(`document.querySelector(${JSON.stringify(operation('pause'))}) === null`);
  await see('dashboard');

  // Searched, opened, explained.
  await press('nav a[href="/crawls/demo/"]');
  await tab.evaluate("document.getElementById('q').focus()");
  await tab.type('dragline');
  await tab.hold("document.querySelectorAll('.result').length > 0 && location.pathname === '/crawls/demo/search'");
  // Results that come while somebody types take the place of the start page: that move was asked for.
  await tab.open(await tab.evaluate('location.href'));
  await see('results');
  await press('.result a[href^="/crawls/demo/page?"]');
  assert.match(await text('main'), /Explanation.*seed/s);
  await see('page');
  for (const path of ['hosts', 'graph', 'changes', 'help', 'page', 'host?name=silk.demo.test:8790']) {
    await tab.open(`${app.url}crawls/demo/${path}`);
    await see(path.replace(/\W.*/, ''));
  }

  // Exported: the file holds what the held pattern left.
  await tab.open(`${app.url}crawls/demo/report`);
  await tab.hold("document.querySelector('.exports a') !== null");
  await see('report');
  const csv = await tab.evaluate<string>(
    `fetch(document.querySelector('.exports a[href*="report.csv"]').href).then((answer) => answer.text())`,
  );
  assert.match(csv, /silk\.demo\.test:8790\/dragline\.html/);
  const families = csv.split('\n').filter((line) => /^"?http:\/\/spiders\.demo\.test:8790\/families\/\w/.test(line));
  assert.ok(families.length < 18, `${families.length} of 18 pages of a held pattern were visited`);

  // Scheduled and deleted, without scripts.
  await press('nav a[href="/manage/demo"]');
  await see('manage');
  await tab.evaluate("document.getElementById('repeat').value = 'daily'");
  await press('form[action$="/repeat"] button');
  assert.match(await text('.facts-list'), /every day at 03:00/);
  await tab.allowScripts(false);
  await press('a[href="/manage/demo/delete"]');
  await press('form[action="/manage/demo/delete"] button');
  await tab.allowScripts(true);
  assert.equal(await text('h1'), 'Begin with a crawl');
  await see('empty');
  assert.deepEqual(wrong, []);
  assert.deepEqual(tab.complaints, []);
});
