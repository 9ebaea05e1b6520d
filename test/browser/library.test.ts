import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../crawl/crawl-web.ts';
import { RunningApp } from '../running-app.ts';
import { Chromium, findChromium } from './chromium.ts';

const found = findChromium();
const skip = 'missing' in found ? found.missing : false;
const NO_WIDER = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
/** Where somebody wants to look at the pages. */
const PICTURES = process.env.SCREENSHOTS;

test('from the empty start page to a crawl of the demo web: watched, searched, scheduled, deleted', {
  skip,
  timeout: 600_000,
}, async () => {
  using folder = temporaryFolder();
  await using app = await RunningApp.start(join(folder.path, 'crawls'));
  await using chromium = await Chromium.start('path' in found ? found.path : '');
  const tab = await chromium.openTab();
  const see = async (name: string): Promise<void> => {
    for (const [width, scheme] of [
      [1280, 'light'],
      [1280, 'dark'],
      [340, 'light'],
      [340, 'dark'],
    ] as const) {
      await tab.prefer(scheme);
      await tab.resize(width, 900, width < 400);
      assert.ok(await tab.evaluate(NO_WIDER), `${name} at ${width} pixels`);
      if (PICTURES === undefined) continue;
      mkdirSync(PICTURES, { recursive: true });
      await tab.screenshot(join(PICTURES, `${name}-${width}-${scheme}.png`));
    }
    await tab.resize(1280, 900);
  };
  const press = (selector: string): Promise<void> =>
    tab.leave(async () => {
      await tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: 'center' })`);
      await tab.click(selector);
    });
  const text = (selector: string): Promise<string> => tab.evaluate(`document.querySelector('${selector}').textContent`);

  await tab.open(app.url);
  assert.equal(await text('h1'), 'Begin with a crawl');
  await see('empty');

  // One click, and no network.
  await press('.demo button');
  assert.equal(await text('h1'), 'demo');
  await app.until('demo', ({ facts }) => (facts?.pages ?? 0) > 10);
  await tab.hold("document.querySelector('.condition').classList.contains('running')");
  await see('running');
  // The first who comes waits for the threads to start.
  assert.equal((await fetch(`${app.url}crawls/demo/dashboard`)).status, 200);
  await tab.open(`${app.url}crawls/demo/dashboard`);
  const stored = "Number(document.querySelector('.tiles .value').textContent.replace(',', ''))";
  const before = await tab.evaluate<number>(stored);
  await app.until('demo', ({ facts }) => (facts?.pages ?? 0) > before + 5);
  await tab.hold(`${stored} > ${before}`);
  await app.until('demo', ({ condition }) => condition === 'finished');

  // Search, with and without its script, below the mount.
  await tab.open(`${app.url}crawls/demo/`);
  await tab.evaluate("document.getElementById('q').focus()");
  await tab.type('dragline');
  await tab.hold("document.querySelectorAll('.result').length > 0 && location.pathname === '/crawls/demo/search'");
  await press('.result a.cached');
  assert.match(await tab.evaluate('location.pathname'), /^\/crawls\/demo\/cached$/);
  await tab.open(`${app.url}crawls/demo/search?q=silk`);
  await press('nav a[href="/"]');
  assert.match(await text('.crawls tbody'), /Finished/);
  await see('list');

  // What is wrong is told at its field; the preview looks at a site that is not there.
  await tab.open(`${app.url}new?template=directory`);
  await see('new');
  await press('button[value="preview"]');
  assert.match(await text('#addresses-wrong'), /at least one address/);
  await tab.evaluate("document.getElementById('addresses').value = 'http://127.0.0.1:9/'");
  await press('button[value="preview"]');
  assert.match(await tab.evaluate('location.pathname'), /^\/plan\//);
  await see('looking');
  for (let looks = 0; looks < 60 && (await tab.evaluate("document.querySelector('.plan h2') === null")); looks++)
    await new Promise((next) => setTimeout(next, 1000));
  assert.match(await text('.told'), /No page was found/);
  await see('plan');

  await tab.open(`${app.url}manage/demo`);
  await tab.evaluate(
    "document.getElementById('repeat').value = 'daily'; document.getElementById('repeat').dispatchEvent(new Event('change'))",
  );
  await press('form[action$="/repeat"] button');
  assert.match(await text('.facts-list'), /every day at 03:00/);
  await see('manage');

  // Without scripts everything is there as well.
  await tab.allowScripts(false);
  await tab.open(`${app.url}manage/demo/delete`);
  await see('delete');
  await tab.allowScripts(true);
  await tab.open(`${app.url}manage/demo/delete`);
  await press('form[action$="/delete"] button');
  assert.equal(await text('h1'), 'Begin with a crawl');
  await tab.open(`${app.url}trash`);
  assert.match(await text('.trash'), /demo/);
  await see('trash');
  // A stored page may load nothing, and a form that was not right is answered with 422: both are meant.
  const meant = /violates the following Content Security Policy directive: "style-src 'unsafe-inline'|status of 422/;
  assert.deepEqual(
    tab.complaints.filter((complaint) => !meant.test(complaint)),
    [],
  );
});
