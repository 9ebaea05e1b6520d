import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findBrowser } from '../../src/render/find-browser.ts';
import { toldPages } from './told-pages.ts';

const skip = findBrowser() === undefined ? 'no Chrome or Chromium on this machine' : false;

const PROSE = Array.from(
  { length: 12 },
  (_, at) =>
    `<p>Paragraph ${at} tells how the river rose after the storm, and what the people of the valley did about it.</p>`,
).join('');
const KEYWORDS = Array.from(
  { length: 30 },
  (_, at) => `cheap pills ${at % 3 === 0 ? 'buy' : 'order'} pills online`,
).join(' ');
const LINKS = Array.from(
  { length: 9 },
  (_, at) => `<a href="http://casino-${at}.example/">the best casino number ${at}</a>`,
).join(' ');

/** What is hidden is hidden by a sheet elsewhere, or by a script. */
const SHEET = `
  body { background: #ffffff; color: #222222 }
  .aa { color: #fefefe } .bb { position: absolute; left: -9999px } .cc { font-size: 1px }
  .dd { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0, 0, 0, 0) }
  .ee { position: fixed; bottom: 0; left: 0; right: 0; background: #333333; color: #ffffff }
  .ff { display: none } .gg { position: absolute; display: none } .hh { background: #000000; color: #ffffff }`;

const PAGES: Readonly<Record<string, string>> = {
  honest: `<span class=dd>Skip to content</span><div class=hh>White on black can be read</div>${PROSE}<div class=ff>${PROSE}</div>`,
  colour: `${PROSE}<div class=aa>${KEYWORDS}</div>`,
  aside: `${PROSE}<div class=bb>${KEYWORDS}</div>`,
  tiny: `${PROSE}<div class=cc>${KEYWORDS}</div>`,
  links: `${PROSE}<div class=bb>${LINKS}</div>`,
  script: `${PROSE}<div id=late>${KEYWORDS}</div><script>late.style.opacity = '0'; late.style.position = 'absolute'</script>`,
  banner: `<main>${PROSE}</main><div class=ee>We value your privacy and would like to measure everything you do here.</div>
    <div class=gg>Sign up for our newsletter and never miss a storm in the valley again.</div>`,
};

/** The page says of itself what only we say. */
const OWN = '<p data-orbweaver-sight="hidden">A word of its own that stays where it is, however it is marked.</p>';
const HEAD = '<title>The river</title><link rel=stylesheet href="/sheet.css"><script>void 0</script>';
const DOCUMENTS = {
  ...Object.fromEntries(
    Object.entries(PAGES).map(([name, body]) => [name, `<!doctype html>${HEAD}<body>${body}${OWN}`]),
  ),
  'sheet.css': SHEET,
};

describe('what a browser shows is evidence', { skip }, () => {
  test('text and links that nobody sees count as spam, whichever sheet or script hides them; what honest pages hide does not', async () => {
    const seen = await toldPages(DOCUMENTS, 'always');
    const asWritten = await toldPages(DOCUMENTS, 'never');
    for (const [name, how] of Object.entries({
      colour: /hidden-text: \d+ words hidden \(colour #fefefe on #ffffff\)/,
      aside: /hidden-text: \d+ words hidden \(\d+px out of the window\)/,
      tiny: /hidden-text: \d+ words hidden \(font-size: 1px\)/,
      links: /hidden-text: links to 9 other sites hidden \(\d+px out of the window\)/,
      script: /hidden-text: \d+ words hidden \(opacity: 0\)/,
    })) {
      assert.match(seen[name].spam, how, name);
      assert.doesNotMatch(asWritten[name].spam, /hidden-text/, `${name}, as it is written`);
      assert.ok((seen[name].facts.rendered?.hiddenWords ?? 0) > 0 || name === 'links', name);
    }
    assert.equal(seen.honest.spam, '');
    assert.equal(seen.banner.spam, '');

    const { rendered } = seen.banner.facts;
    assert.ok(rendered?.loadMs !== undefined && (rendered.height ?? 0) > 100 && rendered.overlays === 1);
    assert.match(seen.banner.text, /Paragraph 11 tells/);
    assert.doesNotMatch(seen.banner.text, /value your privacy|newsletter/);
    // A page cannot mark its own text; panels that are folded in their place are content.
    assert.match(seen.honest.text, /A word of its own/);
    assert.match(seen.honest.text, /White on black/);
  });
});
