import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Served, serve } from '../unit/web/serving.ts';
import { Chromium, findChromium } from './chromium.ts';
import type { BrowserTab } from './dev-tools.ts';

const found = findChromium();
const skip = 'missing' in found ? found.missing : false;
/** Where pictures of the pages go, for people to look at; none are taken without it. */
const { SCREENSHOTS: shots } = process.env;

const NO_WIDER = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
const GARDEN = encodeURIComponent('https://spiders.example/garden/');
const HOSTILE_PAGE = encodeURIComponent('https://hostile.example/');

describe('The search page in a browser', { skip }, () => {
  let served: Served;
  let chromium: Chromium;
  let url: string;

  before(async () => {
    served = await serve();
    url = served.listening.url;
    chromium = await Chromium.start('path' in found ? found.path : '');
    if (shots !== undefined) mkdirSync(shots, { recursive: true });
  });
  after(async () => {
    await chromium?.[Symbol.asyncDispose]();
    await served?.[Symbol.asyncDispose]();
  });

  async function inTab(act: (tab: BrowserTab) => Promise<void>): Promise<void> {
    const tab = await chromium.openTab();
    try {
      await act(tab);
    } finally {
      await tab.close();
    }
  }

  async function shoot(tab: BrowserTab, name: string): Promise<void> {
    if (shots !== undefined) await tab.screenshot(join(shots, `${name}.png`));
  }

  test('results and completions come while somebody types', async () => {
    await inTab(async (tab) => {
      await tab.open(url);
      await shoot(tab, 'empty');
      assert.equal(await tab.evaluate('document.activeElement.id'), 'q', 'the box has the focus from the start');
      await tab.type('spid');
      await tab.hold("document.querySelectorAll('.result').length === 10");
      await tab.hold("!document.getElementById('completions').hidden");
      await shoot(tab, 'typing');
      assert.equal(await tab.evaluate('document.body.className.trim()'), 'inner');
      assert.match(await tab.evaluate('location.href'), /\/search\?q=spid$/);
      assert.match(await tab.evaluate("document.getElementById('status').textContent"), /^14 results \(0\.012 s\)$/);
      assert.equal(await tab.evaluate("document.getElementById('q').getAttribute('aria-expanded')"), 'true');
      await tab.press('ArrowDown');
      assert.equal(await tab.evaluate("document.getElementById('q').value"), 'spider');
      assert.equal(
        await tab.evaluate("document.getElementById('q').getAttribute('aria-activedescendant')"),
        'completion-0',
      );
      await tab.press('ArrowUp');
      assert.equal(await tab.evaluate("document.getElementById('q').value"), 'spid', 'back to what was typed');
      await tab.press('ArrowDown');
      await tab.leave(() => tab.press('Enter'));
      assert.match(await tab.evaluate('location.href'), /\/search\?q=spider$/);
      assert.equal(await tab.evaluate('document.title'), 'spider · Spiders');
      assert.deepEqual(tab.complaints, []);
    });
  });

  test('only the last of quick keystrokes is shown, and going back works', async () => {
    await inTab(async (tab) => {
      await tab.open(url);
      await tab.type('tremor');
      await tab.hold("document.querySelector('[data-query]')?.dataset.query === 'tremor'");
      await tab.leave(() => tab.evaluate('history.back()'));
      assert.equal(await tab.evaluate('location.pathname'), '/');
      assert.equal(await tab.evaluate('document.body.className'), 'home');
    });
  });

  test('keys lead through the results', async () => {
    await inTab(async (tab) => {
      await tab.open(`${url}search?q=spider`);
      const focused = "[...document.querySelectorAll('.result a.title')].indexOf(document.activeElement)";
      await tab.press('j');
      assert.equal(await tab.evaluate(focused), 0);
      await tab.press('j');
      await tab.press('ArrowDown');
      assert.equal(await tab.evaluate(focused), 2);
      await shoot(tab, 'keyboard');
      await tab.press('k');
      await tab.press('ArrowUp');
      assert.equal(await tab.evaluate(focused), 0);
      await tab.press('k');
      assert.equal(await tab.evaluate('document.activeElement.id'), 'q');
      await tab.press('ArrowDown');
      assert.equal(await tab.evaluate(focused), 0, 'from the box down into the list');
      await tab.press('/');
      assert.equal(await tab.evaluate('document.activeElement.id'), 'q');
      assert.equal(await tab.evaluate("document.getElementById('q').value"), 'spider', 'the slash was a command');
      await tab.press('Escape');
      assert.equal(await tab.evaluate("document.getElementById('q').value"), 'spider', 'Escape left it as it was');
      await tab.press('?');
      assert.equal(await tab.evaluate("document.getElementById('help').open"), true);
      await shoot(tab, 'help');
      await tab.press('Escape');
      assert.equal(await tab.evaluate("document.getElementById('help').open"), false);
      await tab.press('j');
      await tab.leave(() => tab.press('c'));
      assert.match(await tab.evaluate('location.href'), /\/cached\?url=https%3A%2F%2Fspiders\.example%2Fgarden%2F$/);
    });
  });

  test('without scripts the form, the facets, the pages and the comparison work', async () => {
    await inTab(async (tab) => {
      await tab.allowScripts(false);
      await tab.open(url);
      await tab.click('#q');
      await tab.type('spider');
      await tab.leave(() => tab.press('Enter'));
      const { root } = await tab.send<{ root: { nodeId: number } }>('DOM.getDocument');
      const count = async (selector: string): Promise<number> => {
        const { nodeIds } = await tab.send<{ nodeIds: number[] }>('DOM.querySelectorAll', {
          nodeId: root.nodeId,
          selector,
        });
        return nodeIds.length;
      };
      assert.equal(await count('.result'), 10);
      assert.equal(await count('.pages a'), 2);
      assert.ok((await count('.facets a')) >= 5);
      await tab.leave(() => tab.open(`${url}versions?url=${GARDEN}`));
      await shoot(tab, 'versions');
    });
  });

  test('results in light, dark and narrow', async () => {
    await inTab(async (tab) => {
      await tab.prefer('light');
      await tab.open(`${url}search?q=spider`);
      const paper = 'getComputedStyle(document.documentElement).backgroundColor';
      const light = await tab.evaluate<string>(paper);
      assert.ok(await tab.evaluate(NO_WIDER));
      await shoot(tab, 'results');
      await tab.prefer('dark');
      const dark = await tab.evaluate<string>(paper);
      assert.ok(brightness(dark) < 60 && brightness(light) > 200, `${dark} and ${light}`);
      await shoot(tab, 'dark');
      await tab.prefer('light');
      for (const width of [320, 390, 768]) {
        await tab.resize(width, 800, true);
        for (const path of [
          '',
          'search?q=spider',
          `versions?url=${GARDEN}`,
          `diff?url=${GARDEN}`,
          'help',
          'nowhere',
          'search?q=hostile',
        ]) {
          await tab.open(url + path);
          assert.ok(await tab.evaluate(NO_WIDER), `${path} at ${width} pixels`);
        }
      }
      await tab.resize(390, 844, true);
      await tab.open(`${url}search?q=spider`);
      await shoot(tab, 'narrow');
      await tab.open(url);
      await shoot(tab, 'narrow-empty');
      await tab.open(`${url}diff?url=${GARDEN}`);
      await shoot(tab, 'narrow-diff');
      assert.deepEqual(
        tab.complaints.filter((text) => !text.includes('404')),
        [],
      );
    });
  });

  test('text has the contrast that WCAG AA asks for', async () => {
    await inTab(async (tab) => {
      for (const scheme of ['light', 'dark'] as const) {
        await tab.prefer(scheme);
        for (const path of ['search?q=spider', `diff?url=${GARDEN}`, `versions?url=${GARDEN}`, 'help']) {
          await tab.open(url + path);
          const faint = await tab.evaluate<string[]>(`(${faintTexts})()`);
          assert.deepEqual(faint, [], `${scheme} ${path}`);
        }
      }
    });
  });

  test('what strangers wrote stays text', async () => {
    await inTab(async (tab) => {
      await tab.open(`${url}search?q=hostile`);
      assert.equal(await tab.evaluate("document.querySelectorAll('.result').length"), 2);
      await shoot(tab, 'hostile');
      assert.equal(await tab.evaluate('globalThis.owned === undefined'), true);
      assert.equal(await tab.evaluate("document.querySelectorAll('main script, main img, main [onload]').length"), 0);
      assert.equal(
        await tab.evaluate("[...document.links].filter((link) => link.protocol === 'javascript:').length"),
        0,
      );
      await tab.open(`${url}?`);
      await tab.type('hostile <script>owned=1</script>');
      await tab.hold("document.querySelector('.nothing')");
      assert.equal(await tab.evaluate('globalThis.owned === undefined'), true);
      assert.deepEqual(tab.dialogs, []);
    });
  });

  test('a hostile copy is drawn and does nothing', async () => {
    await inTab(async (tab) => {
      await tab.open(`${url}cached?url=${HOSTILE_PAGE}`);
      await shoot(tab, 'cached-hostile');
      const asked = served.search.asked.length;
      assert.equal(await tab.evaluate('document.title'), 'A hostile page');
      assert.equal(await tab.evaluate('self.origin'), 'null');
      await assert.rejects(tab.evaluate('document.cookie.length'), 'a page of no origin has no cookies');
      assert.equal(await tab.evaluate("getComputedStyle(document.querySelector('orbweaver-banner')).display"), 'block');
      assert.equal(await tab.evaluate("getComputedStyle(document.querySelector('orbweaver-banner')).opacity"), '1');
      await tab.click('#send');
      await tab.click('#code');
      // By the time a picture was taken, whatever the clicks set off has begun.
      await tab.screenshot(join(tmpdir(), 'orbweaver-hostile.png'));
      assert.equal(await tab.evaluate('document.title'), 'A hostile page');
      assert.match(await tab.evaluate('location.href'), /\/cached\?/, 'neither the form nor the refresh led away');
      assert.equal(served.search.asked.length, asked, 'no request reached the search');
      assert.deepEqual(tab.dialogs, []);
      assert.deepEqual(
        [...tab.requests.values()].filter(
          (address) => !address.startsWith(`${url}cached`) && !address.startsWith('data:'),
        ),
        [],
      );
    });
  });

  test('links of a copy lead where they led', async () => {
    await inTab(async (tab) => {
      await tab.open(`${url}cached?url=${GARDEN}`);
      await shoot(tab, 'cached');
      assert.equal(
        await tab.evaluate("document.getElementById('relative').href"),
        'https://spiders.example/garden/other.html',
      );
      assert.equal(await tab.evaluate('document.compatMode'), 'CSS1Compat', 'the doctype still counts');
      await tab.resize(390, 844, true);
      await shoot(tab, 'narrow-cached');
      await tab.resize(1_200, 860);
      await tab.open(`${url}diff?url=${GARDEN}`);
      await shoot(tab, 'diff');
      assert.equal(await tab.evaluate("document.querySelectorAll('.diff .added').length"), 1);
      assert.ok((await tab.evaluate<number>("document.querySelectorAll('.diff .changed ins').length")) >= 1);
      await tab.open(`${url}cached?url=${encodeURIComponent('https://spiders.example/notes.txt')}`);
      await shoot(tab, 'cached-text');
      assert.equal(await tab.evaluate("document.querySelector('.lines').textContent"), 'Plain <b>notes</b>\n  & more');
      await tab.open(`${url}nowhere`);
      await shoot(tab, 'message');
      await tab.open(`${url}cached?url=https://none.example/${'long/'.repeat(100)}`);
      assert.ok(await tab.evaluate(NO_WIDER), 'a message with a long address');
    });
  });
});

function brightness(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number);
  return (red + green + blue) / 3;
}

/** Runs in the page: texts whose contrast with what is behind them is less than 4.5 (3 for large ones). */
const faintTexts = `() => {
  const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color.length === 3) return color;
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const element of document.querySelectorAll('body *')) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) continue;
    if (element.closest('.hidden, dialog, script, style') || element.getClientRects().length === 0) continue;
    const style = getComputedStyle(element);
    const [one, other] = [light(channels(style.color)), light(behind(element))].sort((a, b) => b - a);
    const least = parseFloat(style.fontSize) >= 24 ? 3 : 4.5;
    if ((one + 0.05) / (other + 0.05) < least) faint.push(element.className + ': ' + element.textContent.slice(0, 30));
  }
  return faint;
}`;
