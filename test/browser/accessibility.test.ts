import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { SmallChangeLog } from '../unit/crawl/small-change-log.ts';
import { busyLook } from '../unit/web/busy-look.ts';
import { serve } from '../unit/web/serving.ts';
import { Chromium, findChromium } from './chromium.ts';
import type { BrowserTab } from './dev-tools.ts';

const found = findChromium();
const skip = 'missing' in found ? found.missing : false;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const GARDEN = encodeURIComponent('https://spiders.example/garden/');
const PAGES = [
  ...['/', '/help', '/search?q=spider', '/search?q=spider&page=2', '/search?q=nothingatall', '/changes', '/dashboard'],
  ...[`/cached?url=${GARDEN}&as=text`, `/versions?url=${GARDEN}`, `/diff?url=${GARDEN}`, '/nowhere'],
];

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** All findings of axe-core; those that people notice most are serious and critical. */
async function findings(tab: BrowserTab): Promise<string[]> {
  await tab.evaluate(`${AXE}; undefined`);
  const violations = await tab.evaluate<Finding[]>('axe.run().then(({ violations }) => violations)');
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

test('axe finds nothing on any page, light or dark, wide or narrow', { skip }, async () => {
  const changes = new SmallChangeLog();
  changes.add({ kind: 'changed' }, 'http://a.test/page', 'A page', Date.UTC(2026, 10, 3));
  changes.add({ kind: 'moved', to: 'http://b.test/new' }, 'http://a.test/moved', undefined, Date.UTC(2026, 10, 3));
  await using served = await serve({ changes, watch: { look: async () => busyLook(Date.now()) } });
  await using chromium = await Chromium.start('path' in found ? found.path : '');
  const tab = await chromium.openTab();
  await tab.open('data:text/html,<title>x</title><img src="x">');
  assert.match((await findings(tab)).join('\n'), /critical image-alt/, 'what is wrong is found');
  const seen: string[] = [];
  for (const scheme of ['light', 'dark'] as const) {
    await tab.prefer(scheme);
    for (const [at, path] of PAGES.entries()) {
      // Each page at both widths, in one scheme or the other.
      await tab.resize((at % 2 === 0) === (scheme === 'light') ? 1280 : 390, 900);
      await tab.open(new URL(path, served.listening.url).href);
      seen.push(...(await findings(tab)).map((finding) => `${scheme} ${path} ${finding}`));
    }
  }
  assert.deepEqual(seen, []);
  await tab.close();
});

test('nor in the banner of a stored copy', { skip }, async () => {
  await using served = await serve();
  const { text } = await served.get(`/cached?url=${GARDEN}&live=1`);
  const banner = /<style>(?:(?!<style>).)*?<\/style><nav .*?<\/nav>/s.exec(
    text.slice(text.indexOf('<orbweaver-banner')),
  );
  // Nobody can look into the closed tree in which it stands, axe neither.
  const page = `<!doctype html><html lang="en"><title>Banner</title>${banner?.[0]}<main><h1>A page</h1></main>`;
  await using chromium = await Chromium.start('path' in found ? found.path : '');
  const tab = await chromium.openTab();
  await tab.open(`data:text/html;charset=utf-8,${encodeURIComponent(page)}`);
  assert.equal(await tab.evaluate("document.querySelectorAll('nav a').length"), 5);
  assert.deepEqual(await findings(tab), []);
  await tab.close();
});
