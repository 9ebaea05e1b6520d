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

  test('a page is shown with its styles, pictures and fonts, and nothing is asked for anywhere', async () => {
    const site = 'https://site.example';
    const red = `<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><script>parent.owned = 1</script><image href="${site}/out.png"/></svg>`;
    const page = `<link rel=stylesheet href=/a.css><link rel=stylesheet href=/none.css><p id=p>text<img id=held src=/a.svg><img id=none src=/none.png>
<a id=link href=/next>next</a><a id=live href=/away>away</a><a id=place href=#far>far</a><div style="height:3000px"></div><p id=far>far`;
    const css = `@import url(b.css); @import url(${site}/none.css); p{color:rgb(1, 2, 3);background:url(none.png)}`;
    const reader = new SmallReader([
      { url: `${site}/`, date: 1, body: page },
      { url: `${site}/a.css`, date: 1, body: css, contentType: 'text/css' },
      { url: `${site}/b.css`, date: 1, body: 'p{margin-left:77px}', contentType: 'text/css' },
      { url: `${site}/a.svg`, date: 1, body: red, contentType: 'image/svg+xml' },
      { url: `${site}/next`, date: 1, body: '<p id=next>The next page' },
    ]);
    await using served = await serve({ reader });
    await using chromium = await Chromium.start('path' in found ? found.path : '');
    const tab = await chromium.openTab();
    await tab.open(`${served.listening.url}cached?url=${site}/`);
    assert.equal(
      await tab.evaluate(`(() => {
        const style = getComputedStyle(document.getElementById('p'));
        const live = (id) => getComputedStyle(document.getElementById(id), '::after').content;
        return [style.color, style.marginLeft, document.getElementById('held').naturalWidth, live('link'), live('live')].join(' ');
      })()`),
      'rgb(1, 2, 3) 77px 30 none "↗"',
    );
    const asked = [...tab.requests.values()].filter((url) => !url.startsWith('data:'));
    assert.deepEqual(asked, [`${served.listening.url}cached?url=${site}/`]);
    await tab.click('#place');
    await tab.hold('scrollY > 1000');
    await tab.evaluate('scrollTo(0, 0)');
    await tab.leave(() => tab.click('#link'));
    assert.equal(await tab.evaluate("document.getElementById('next').textContent"), 'The next page');
    assert.equal(new URL(await tab.evaluate<string>('location.href')).origin, new URL(served.listening.url).origin);
    await tab.close();
  });
});
