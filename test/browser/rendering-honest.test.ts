import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findBrowser } from '../../src/render/find-browser.ts';
import { toldPages } from './told-pages.ts';

const skip = findBrowser() === undefined ? 'no Chrome or Chromium on this machine' : false;

/** Each sentence differs, so that nothing but the way it is shown could speak for spam. */
const PLACES = 'mill bridge church meadow station harbour quarry orchard school market tower forest'.split(' ');
const EVENTS = 'flooded burnt opened closed rebuilt sold painted measured moved restored'.split(' ');
function prose(from: number, count: number): string {
  const sentence = (at: number): string =>
    `Sentence ${at} says that in year ${1800 + at} the ${PLACES[at % 12]} near the ${PLACES[(at * 5 + 3) % 12]} was ${EVENTS[at % 10]}, as letters of ${EVENTS[(at * 7) % 10]} houses tell.`;
  return Array.from({ length: count }, (_, at) => `<p>${sentence(from + at)}</p>`).join('');
}
const KEYWORDS = Array.from(
  { length: 30 },
  (_, at) => `cheap pills ${at % 3 === 0 ? 'buy' : 'order'} pills online`,
).join(' ');

const slides = Array.from({ length: 5 }, (_, at) => `<div class=slide>${prose(100 + 6 * at, 6)}</div>`).join('');
const words = (text: string): string => text.replace(/[^<>\s]+(?=[^<>]*<\/p>)/g, '<span>$&</span>');

const HONEST: Readonly<Record<string, string>> = {
  scroller: `<style>body { margin: 0 } main { height: 100vh; overflow: auto }</style><main>${prose(0, 80)}</main>`,
  'dark-canvas': `<style>:root { color-scheme: dark }</style>${prose(0, 20)}`,
  'dark-by-meta': `<meta name=color-scheme content=dark>${prose(0, 20)}`,
  picture: `<style>.hero { position: relative } img { position: absolute; inset: 0; width: 100%; height: 100% } .on { position: relative; color: #fff }</style>
    <div class=hero><img src=/none.jpg alt=""><div class=on>${prose(0, 20)}</div></div>`,
  layer: `<style>body { color: #fff } body::before { content: ''; position: fixed; inset: 0; background: #111; z-index: -1 }</style>${prose(0, 20)}`,
  behind: `<style>body { color: #fff } .sky { position: fixed; inset: 0; background: #001; z-index: -1 }</style><div class=sky></div>${prose(0, 20)}`,
  slotted: `<p-box>${prose(0, 20)}</p-box><style>p-box { color: #fff }</style>
    <script>document.querySelector('p-box').attachShadow({ mode: 'open' }).innerHTML = '<div style="background: #000"><slot></slot></div>'</script>`,
  letters: `<style>.cut { color: transparent; background: linear-gradient(red, blue); -webkit-background-clip: text }
    .line { color: transparent; -webkit-text-stroke: 1px #000 } .mix { color: #fff; mix-blend-mode: difference }</style>
    <div class=cut>${words(prose(0, 6))}</div><div class=line>${prose(6, 6)}</div><div class=mix>${prose(12, 6)}</div>`,
  'right-to-left': `<style>html { direction: rtl } .wide { display: flex; width: 4000px } .wide div { flex: 0 0 900px }</style>
    <div class=wide>${Array.from({ length: 4 }, (_, at) => `<div>${prose(10 * at, 10)}</div>`).join('')}</div>`,
  locked: `<style>body { position: fixed; top: -1200px; width: 100% }</style>${prose(0, 60)}`,
  'fixed-in-moved': `<style>.tall { height: 3000px } .moved { transform: translateX(0) } .fixed { position: fixed; top: 0 }</style>
    <div class=moved><div class=fixed>${prose(0, 20)}</div></div><div class=tall>${prose(20, 30)}</div>`,
  accordion: `<style>.panel { max-height: 0; overflow: hidden } .late { opacity: 0 }</style><main>${prose(0, 20)}
    <h2>The first question of all</h2><div class=panel>${prose(20, 5)}</div><div class=late>${prose(30, 5)}</div></main>`,
  slider: `<style>.window { overflow: hidden; width: 1000px } .track { display: flex; transform: translateX(-3000px) } .slide { flex: 0 0 1000px }</style>
    <main>${prose(0, 30)}<div class=window><div class=track>${slides}</div></div></main>`,
  menu: `<style>.mega { position: absolute; left: -9999px }</style><nav><a href=/>All</a><div class=mega>${prose(40, 12)}</div></nav><main>${prose(0, 30)}</main>`,
};

const FIELDS = ['attributes', 'childNodes', 'nodeType', 'localName', 'parentElement', 'textContent', 'assignedSlot'];
const SPAM: Readonly<Record<string, string>> = {
  fields: `<style>.far { position: absolute; left: -9999px }</style><form>${FIELDS.map((name) => `<input name=${name}>`).join('')}<p>Text of the form.</p></form>
    <main>${prose(0, 20)}</main><div class=far>${KEYWORDS}</div><script>document.querySelector('.far').setAttributeNS(null, 'Data-Orbweaver-Sight', 'no')</script>`,
  shadow: `<main>${prose(0, 20)}</main><x-box></x-box><script>document.querySelector('x-box').attachShadow({ mode: 'open' }).innerHTML =
    '<style>.far { position: absolute; left: -9999px } .bar { position: fixed; bottom: 0 }</style><div class=far>${KEYWORDS}</div><div class=bar>We value your privacy very much.</div>'</script>`,
  drawer: `<style>.fixed { position: fixed; left: 200vw }</style><main>${prose(0, 20)}</main><div class=fixed>${KEYWORDS}</div>`,
  shrunk: `<style>.none { transform: scale(0) }</style><main>${prose(0, 20)}</main><div class=none>${KEYWORDS}</div>`,
};

describe('what a browser shows', { skip }, () => {
  test('is no reason to suspect honest pages, nor to lose their text', async () => {
    const told = await toldPages(asDocuments(HONEST), 'always');
    const suspected = Object.entries(told).flatMap(([name, { spam }]) => (spam === '' ? [] : [`${name}: ${spam}`]));
    assert.deepEqual(suspected, []);
    for (const [name, last] of Object.entries({
      scroller: 79,
      locked: 59,
      'right-to-left': 39,
      accordion: 34,
      slider: 129,
    }))
      for (let at = 0; at <= last; at++)
        if (HONEST[name].includes(`Sentence ${at} `))
          assert.ok(told[name].text.includes(`Sentence ${at} `), `${name}: sentence ${at}`);
  });

  test('is seen in shadow trees, in boxes of no size and beside forms whose fields have names of our own', async () => {
    const told = await toldPages(asDocuments(SPAM), 'always');
    for (const [name, { spam, text }] of Object.entries(told)) {
      assert.match(spam, /hidden-text: \d+ words hidden/, name);
      assert.match(text, /Sentence 19 says/, name);
    }
    assert.doesNotMatch(told.fields.text, /pills/);
    assert.doesNotMatch(told.shadow.text, /pills|privacy/);
    assert.equal(told.shadow.facts.rendered?.overlays, 1);
    // It was looked at, and nothing of the form is missing.
    const { width, words } = told.fields.facts.rendered ?? {};
    assert.ok(width !== undefined && words === 0, `${width}, ${words}`);
  });
});

function asDocuments(pages: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(pages).map(([name, page]) => [
      name,
      `<!doctype html><title>The valley</title><script>void 0</script><body>${page}`,
    ]),
  );
}
