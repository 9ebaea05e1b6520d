import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chromium, findChromium } from './chromium.ts';
import { serveHostileCrawl } from './hostile-crawl.ts';

const found = findChromium();
const skip = 'missing' in found ? found.missing : false;

test('from the dashboard to a host, to the line that decides, to a page and into the graph: by links alone, without scripts', {
  skip,
}, async () => {
  await using served = await serveHostileCrawl();
  await using chromium = await Chromium.start('path' in found ? found.path : '');
  const tab = await chromium.openTab();
  await tab.open(`${served.url}dashboard`);
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
  assert.match(await follow('nav a[href="/graph"]'), /18 pages/);
  assert.match(await follow('.graph a'), /0 to elsewhere/);
  assert.match(await follow('.graph a'), /Archive record.*offset/is);
  assert.match(await follow('main a[href^="/versions"]'), /Versions/);
  assert.match(await follow('main a[href^="/page?"]'), /How it was found/);
  await tab.allowScripts(true);
  await tab.close();
});
