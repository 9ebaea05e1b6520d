import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { serve } from '../unit/web/serving.ts';
import { SmallReader } from '../unit/web/small-reader.ts';
import { Chromium, findChromium } from './chromium.ts';

const found = findChromium();

/** Beginnings of pages that keep a parser from what follows, and styles that would hide, move or cut off what came before. */
const PAGES = [
  '<!-- --!><textarea> --><!doctype html>',
  ...['<!-- --!><textarea>', '<!--><title>', '<!---><style>', '<!doctype html><!--', '<plaintext>', '<a title="'],
  ...['<svg><style>', '<math><title>', '<select>', '<template>', '<noscript>', '<frameset><frame src="/"></frameset>'],
  ...['</template></orbweaver-banner></body></html><textarea>', '<base href="https://evil.example/">', '<?', '<!'],
  '<style>html,body{opacity:0!important;visibility:hidden!important}</style>hidden',
  '<style>html,body{transform:translateY(-99px)!important;translate:0 -99px!important}</style>moved',
  '<style>html,body{clip-path:inset(60px 0 0 0)!important;filter:opacity(0)!important}</style>cut off',
  '<style>@layer a{html,body,orbweaver-banner{scale:0!important;opacity:0!important}}</style>layered',
  '<html style="opacity:0!important" hidden><body style="transform:translateY(-99px)!important">attributes',
  '<style>html{display:none!important}</style>shown by a script alone',
];

describe('A stored copy in a browser', { skip: 'missing' in found ? found.missing : false }, () => {
  test('the banner is there, on top, and its base counts, whatever the page is', async () => {
    const copies = PAGES.map((body, at) => ({ url: `https://odd.example/${at}`, date: 1, body }));
    await using served = await serve({ reader: new SmallReader(copies) });
    await using chromium = await Chromium.start('path' in found ? found.path : '');
    const tab = await chromium.openTab();
    for (const [at, body] of PAGES.entries()) {
      await tab.open(`${served.listening.url}cached?url=https://odd.example/${at}`);
      const seen = await tab.evaluate(`(() => {
        const banner = document.querySelector('orbweaver-banner');
        const box = banner.getBoundingClientRect();
        const visible = banner.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        const top = document.elementFromPoint(40, 20) === banner;
        return [box.top, box.height, box.width === innerWidth, visible, top, new URL(document.baseURI).host].join(' ');
      })()`);
      const host = body.includes('evil') ? 'evil.example' : 'odd.example';
      assert.equal(seen, `0 46 true true true ${host}`, body);
    }
    await tab.close();
  });
});
