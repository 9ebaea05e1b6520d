import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { Chromium, findChromium } from './chromium.ts';
import { ODD, SITE, serveHostileCrawl } from './hostile-crawl.ts';

const found = findChromium();
const skip = 'missing' in found ? found.missing : false;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const url = (text: string): string => encodeURIComponent(text);
/** Where values of strangers are shown, and what must be on the page as text: none of it may be left out to be safe. */
const PAGES: readonly (readonly [path: string, shows: string])[] = [
  ['', ''],
  ['search?q=window.owned', 'onerror=window.owned'],
  ['dashboard', '<img src=x'],
  ['dashboard?span=10m', 'site.test'],
  ['hosts', 'site.test'],
  [`hosts?q=${url('<script>window.owned=6</script>')}`, 'window.owned=6'],
  [`host?name=site.test&url=${url('/secret/<script>window.owned=7</script>')}`, '<script>window.owned=2'],
  ['page', ''],
  [`page?url=${url(ODD)}`, '<script>window.owned=5</script>'],
  [`page?url=${url(`${SITE}docs/one`)}`, '<img src=x'],
  [`page?url=${url(`${SITE}gone`)}`, 'HTTP 404'],
  [`page?url=${url(`${SITE}broken`)}`, 'http-500'],
  [`page?url=${url(`${SITE}secret/x`)}`, 'Disallow: /secret/'],
  ['graph', 'site.test'],
  ['graph?host=site.test', 'onload=window.owned'],
  ['graph?host=site.test&prefix=/docs/&zoom=2', 'onload=window.owned'],
  [`versions?url=${url(ODD)}`, 'onerror'],
];

/** Those that answer with an error on purpose. */
const ERRORS = [`page?url=${url(`${SITE}never-met?<script>window.owned=8</script>`)}`, `host?name=${url('<b>none')}`];

test('markup from crawled pages runs nowhere; no page complains, shifts, or fails axe, light or dark, wide or narrow', {
  skip,
}, async () => {
  await using served = await serveHostileCrawl();
  await using chromium = await Chromium.start('path' in found ? found.path : '');
  const tab = await chromium.openTab();
  await tab.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `window.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value; }).observe({ type: 'layout-shift', buffered: true });`,
  });
  const wrong: string[] = [];
  for (const [at, [path, shows]] of PAGES.entries()) {
    await tab.prefer(at % 2 === 0 ? 'light' : 'dark');
    for (const width of [1280, 360]) {
      await tab.resize(width, 900, width < 500);
      await tab.open(served.listening.url + path);
      const seen = await tab.evaluate<Record<string, unknown>>(`(() => ({
        owned: window.owned ?? null, shift: window.shift > 0.02 ? window.shift : 0,
        wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        foreign: document.querySelectorAll('main script, main img[src=x], main [onerror], main [onload], main iframe').length,
        shows: document.documentElement.textContent.includes(${JSON.stringify(shows)}),
        nav: document.querySelectorAll('nav.sections a').length }))()`);
      const good = { owned: null, shift: 0, wide: false, foreign: 0, shows: true, nav: 7 };
      for (const [name, value] of Object.entries(good))
        if (seen[name] !== value) wrong.push(`${path} at ${width}: ${name} is ${seen[name]}`);
    }
    await tab.evaluate(`${AXE}; undefined`);
    wrong.push(
      ...(
        await tab.evaluate<string[]>(
          `axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => impact + ' ' + id + ' ' + nodes[0].html.slice(0, 150)))`,
        )
      ).map((finding) => `${path}: ${finding}`),
    );
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(tab.complaints, []);
  assert.deepEqual(tab.dialogs, []);
  const foreign = [...tab.requests.values()].filter(
    (asked) => !asked.startsWith(served.listening.url) && !asked.startsWith('data:'),
  );
  assert.deepEqual(foreign, [], 'nothing is asked for elsewhere');
  for (const path of ERRORS) {
    await tab.open(served.listening.url + path);
    assert.equal(await tab.evaluate('window.owned ?? null'), null, path);
  }
  await tab.close();
});

test('from the dashboard to a host, to the line that decides, to a page and into the graph: by links alone, without scripts', {
  skip,
}, async () => {
  await using served = await serveHostileCrawl();
  await using chromium = await Chromium.start('path' in found ? found.path : '');
  const tab = await chromium.openTab();
  await tab.open(`${served.listening.url}dashboard`);
  await tab.allowScripts(false);
  const follow = async (selector: string): Promise<string> => {
    // Scripts of the page are off, those of the test are not.
    await tab.allowScripts(true);
    const href = await tab.evaluate<string>(
      `new URL(document.querySelector(${JSON.stringify(selector)}).getAttribute('href'), location.href).href`,
    );
    await tab.allowScripts(false);
    await tab.open(href);
    await tab.allowScripts(true);
    const text = await tab.evaluate<string>("document.querySelector('main').textContent");
    await tab.allowScripts(false);
    return text;
  };
  assert.match(await follow('a[href^="/host?"]'), /Turn and delay.*20 ms: the least delay of the settings/s);
  assert.match(await follow('nav a[href="/hosts"]'), /1 host\. /);
  assert.match(await follow('thead a[href*="sort=pages"]'), /Stored ↓/);
  assert.match(await follow('nav a[href="/graph"]'), /9 pages/);
  assert.match(await follow('.graph a'), /0 to elsewhere/);
  assert.match(await follow('.graph a'), /Archive record.*offset/is);
  assert.match(await follow('main a[href^="/versions"]'), /Versions/);
  assert.match(await follow('main a[href^="/page?"]'), /How it was found/);
  await tab.allowScripts(true);
  await tab.close();
});
