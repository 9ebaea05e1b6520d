import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CanonicalUrl } from '../../src/contracts/url.ts';
import { temporaryFolder } from '../crawl/crawl-web.ts';
import { known, page } from '../unit/crawl/report/known-urls.ts';
import { HOSTILE, reportedFolder } from '../unit/web/report/reported-folder.ts';
import { serve } from '../unit/web/serving.ts';
import { Chromium, findChromium } from './chromium.ts';

const found = findChromium();
const skip = 'missing' in found ? found.missing : false;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const NO_WIDER = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
/** Where screenshots go, for who wants to look. */
const SHOTS = process.env.SCREENSHOTS;

const URLS = [
  ...Array.from({ length: 120 }, (_, at) => page(`/p${at}`, { bytes: 1000 * at, fetchMs: 20 * at })),
  page('/hostile', {
    title: HOSTILE,
    mediaType: HOSTILE,
    directives: [HOSTILE],
    canonical: `javascript:document.title='ran'`,
  }),
  page(`/${'long'.repeat(120)}`, { title: 'W'.repeat(400) }),
  page('/q?x=%22%3E%3Cscript%3Edocument.title=1%3C/script%3E', { title: 'עברית ‮reversed' }),
  known('/gone', { outcome: { kind: 'gone', status: 404 }, status: 404 }),
  known('/moved', { outcome: { kind: 'redirected', to: `http://site.test/${'x'.repeat(300)}` }, status: 301 }),
  known('/no', { outcome: { kind: 'refused', by: 'robots', rule: HOSTILE } }),
  known('/copy', { outcome: { kind: 'duplicate', of: 'http://site.test/p1' as CanonicalUrl }, status: 200 }),
];

test('the site report in Chromium: used without scripts, nothing hostile runs, nothing for axe, narrow and wide', {
  skip,
}, async () => {
  using folder = temporaryFolder();
  await using siteReport = reportedFolder(folder.path, URLS);
  await using served = await serve({ siteReport });
  await using chromium = await Chromium.start('path' in found ? found.path : '');
  const tab = await chromium.openTab();
  const base = served.listening.url;
  const seen: string[] = [];
  for (const scheme of ['light', 'dark'] as const) {
    await tab.prefer(scheme);
    for (const path of [
      'report?limit=8',
      'report?view=all&columns=all&limit=8',
      'report?view=redirects',
      'report?view=robots&filter=depth%3E0',
    ]) {
      const isWide = (path === 'report?limit=8') === (scheme === 'light');
      await tab.resize(isWide ? 1400 : 390, 900);
      await tab.open(base + path);
      assert.notEqual(await tab.evaluate('document.title'), 'ran', path);
      assert.equal(await tab.evaluate(NO_WIDER), true, `${path} is wider than the window`);
      await tab.evaluate(`${AXE}; undefined`);
      const findings = await tab.evaluate<string[]>(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html + nodes[0].failureSummary))',
      );
      seen.push(...findings.map((finding) => `${scheme} ${path} ${finding}`));
      if (SHOTS !== undefined) {
        mkdirSync(SHOTS, { recursive: true });
        await tab.screenshot(join(SHOTS, `${scheme}-${isWide ? 'wide' : 'narrow'}-${path.replace(/\W+/g, '-')}.png`));
      }
    }
  }
  assert.deepEqual(seen, []);
  assert.deepEqual([tab.dialogs, tab.complaints], [[], []]);

  await tab.resize(1400, 900);
  await tab.open(`${base}report?view=pages`);
  await tab.allowScripts(false);
  await tab.evaluate("document.querySelector('#fc').value = 'bytes'; document.querySelector('#fo').value = '>='");
  await tab.evaluate("document.querySelector('#fv').value = '100k'");
  await tab.leave(() => tab.click('.filter button'));
  const counted = () => tab.evaluate<string>("document.querySelector('.found span').textContent");
  assert.equal(await counted(), '20 URLs');
  await tab.leave(() => tab.click('thead .amount a'));
  assert.match(await tab.evaluate<string>('location.search'), /sort=/);
  assert.equal(await counted(), '20 URLs');
  await tab.leave(() => tab.click('.on a'));
  assert.match(await counted(), /^1–100 of 12\d URLs$/);
  await tab.evaluate("document.querySelector('[rel=next]').scrollIntoView()");
  await tab.leave(() => tab.click('[rel=next]'));
  assert.match(await counted(), /^101–12\d of 12\d URLs$/);
  await tab.close();
});
