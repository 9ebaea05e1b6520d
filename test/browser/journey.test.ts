import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DrivenApp, operation, withoutBrowser } from './driven-app.ts';

test('the whole way in a browser: begin, watch, pause, hold, resume, search, read, export, schedule, delete', {
  skip: withoutBrowser,
  timeout: 1_200_000,
}, async () => {
  await using driven = await DrivenApp.start();
  const { app, tab, folder } = driven;

  // One click, and no network.
  await driven.open('');
  assert.equal(await driven.text('h1'), 'Begin with a crawl');
  await driven.see('empty');
  await driven.press('.demo button');
  assert.equal(await driven.text('h1'), 'demo');

  // Watched: what is streamed takes the place of what was on the page, with its addresses below the mount.
  await app.until('demo', ({ facts }) => facts !== undefined);
  // The first who comes waits for the threads to start.
  assert.equal((await fetch(`${app.url}crawls/demo/dashboard`)).status, 200);
  await driven.open('crawls/demo/dashboard');
  await app.until('demo', ({ facts }) => (facts?.pages ?? 0) > 0);
  await tab.hold("Number(document.querySelector('.tiles .value').textContent) > 0");
  await driven.press(operation('pause'));
  await tab.hold(`document.querySelector('[data-stands="paused"]') !== null`);
  assert.equal(await driven.text('.controls button'), 'Resume');
  await tab.hold(`document.querySelector('#d-visits a[href^="/crawls/demo/page?"]') !== null`);
  await driven.see('dashboard-paused');
  await driven.open('manage/demo');
  assert.match(await driven.text('.standing'), /Paused.*until it is resumed/);
  await driven.see('manage-paused');

  // A pattern is held while it is paused.
  await driven.open('crawls/demo/dashboard');
  await driven.press('.controls a[href="/crawls/demo/control"]');
  await driven.fill('hold-pattern', 'spiders.demo.test:8790/families/*.html');
  await driven.press(operation('hold-pattern'));
  assert.match(await driven.text('.controls .plain'), /families\/\*\.html held/);
  await driven.see('control');
  await driven.press(operation('resume'));
  assert.match(await driven.text('.controls .state'), /Running|No crawl is running/);
  await driven.open('crawls/demo/dashboard');
  await app.until('demo', ({ condition }) => condition === 'finished');
  // The open page hears of the end, and offers no longer to pause it.
  await tab.hold(`document.querySelector('[data-stands="ended"]') !== null`);
  await tab.hold(`document.querySelector(${JSON.stringify(operation('pause'))}) === null`);
  await driven.see('dashboard');

  // Searched, opened, explained.
  await driven.press('nav a[href="/crawls/demo/"]');
  await driven.see('search');
  await tab.evaluate("document.getElementById('q').focus()");
  await tab.type('dragline');
  await tab.hold("document.querySelectorAll('.result').length > 0 && location.pathname === '/crawls/demo/search'");
  // Results that come while somebody types take the place of the start page: that move was asked for.
  await tab.open(await tab.evaluate('location.href'));
  await driven.see('results');
  await driven.press('.result a[href^="/crawls/demo/page?"]');
  assert.match(await driven.text('main'), /Explanation.*seed/s);
  await driven.see('page');
  for (const path of [
    ...['hosts', 'graph', 'graph?host=silk.demo.test:8790', 'changes', 'help', 'page', 'no-such-page'],
    ...['host?name=silk.demo.test:8790', 'versions?url=http://silk.demo.test:8790/dragline.html'],
  ]) {
    await driven.open(`crawls/demo/${path}`);
    await driven.see(path === 'page' ? 'pages' : path.replace(/=.*/, '').replace('?', '-'));
  }

  // Exported: the file holds what the held pattern left.
  await driven.open('crawls/demo/report');
  await tab.hold("document.querySelector('.exports a') !== null");
  await driven.see('report');
  const files = join(folder, 'downloads');
  mkdirSync(files);
  const csv = readFileSync(await tab.download('.exports a[href*="report.csv"]', files), 'utf8');
  assert.match(csv, /silk\.demo\.test:8790\/dragline\.html/);
  const families = csv.split('\n').filter((line) => /^"?http:\/\/spiders\.demo\.test:8790\/families\/\w/.test(line));
  assert.ok(families.length < 18, `${families.length} of 18 pages of a held pattern were visited`);

  // Scheduled and deleted, without scripts.
  await driven.press('nav a[href="/"]');
  assert.match(await driven.text('.crawls tbody'), /Finished/);
  await driven.see('list');
  await driven.press('.crawls a[href="/manage/demo"]');
  await driven.fill('repeat', 'daily');
  await driven.press('form[action$="/repeat"] button');
  assert.match(await driven.text('.facts-list'), /every day at 03:00/);
  await driven.see('manage');
  await driven.press('a[href="/manage/demo/delete"]');
  await driven.see('delete');
  await tab.allowScripts(false);
  await driven.press('form[action="/manage/demo/delete"] button');
  await tab.allowScripts(true);
  assert.equal(await driven.text('h1'), 'Begin with a crawl');
  assert.deepEqual(driven.wrong, []);
  // The address that is nowhere was asked for on purpose.
  assert.deepEqual(
    tab.complaints.filter((complaint) => !complaint.includes('status of 404')),
    [],
  );
});
