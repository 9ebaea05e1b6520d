import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { renderSigns, visibleWords } from '../../../src/render/render-signs.ts';

const URL_ = 'https://a.test/x' as CanonicalUrl;
const TEXT = `<p>${'word '.repeat(300)}</p>`;
const strong = (markup: string) => renderSigns(URL_, markup)?.strong;

test('a page without scripts and handlers needs no browser', () => {
  assert.equal(renderSigns(URL_, `<title>x</title>${TEXT}<a href=/y>y</a>`), undefined);
  assert.equal(renderSigns(URL_, `${TEXT}<script type="application/ld+json">{"a":1}</script>`), undefined);
});

test('what the markup says surely', () => {
  assert.match(strong('<div id="root"></div><script src=/app.js></script>') ?? '', /\broot/);
  assert.match(strong(`<div id=__next><!-- x --></div>${TEXT}<script src=/app.js></script>`) ?? '', /\broot/);
  assert.match(strong('<app-root>Loading...</app-root><script src=/main.js></script>') ?? '', /\broot/);
  assert.match(strong('<p>Please wait</p><script src=/app.js></script>') ?? '', /words beside scripts/);
  assert.match(strong(`<script>location.replace("/y")</script>`) ?? '', /leads elsewhere/);
  assert.match(strong(`<script>window.location = "/y";</script>`) ?? '', /leads elsewhere/);
  assert.match(
    strong(
      `<noscript>You need to enable JavaScript to run this app.</noscript><p>${'w '.repeat(60)}</p><script src=x></script>`,
    ) ?? '',
    /asks for JavaScript/,
  );
  assert.match(strong(`${TEXT}<select onchange="location=this.value"><option value=/y>y</select>`) ?? '', /handlers/);
  assert.match(strong(`${TEXT}<div onclick='router.push("/y")'>`) ?? '', /handlers/);
});

test('scripts beside a text are no sure sign, and tell pages of one making', () => {
  const one = renderSigns(URL_, `${TEXT}<script src="/s.js?v=1"></script><script>var id = 17; track("a")</script>`);
  const two = renderSigns(
    URL_,
    `<h1>x</h1>${TEXT}<script src="/s.js?v=2"></script><script>var id = 4; track("b")</script>`,
  );
  const other = renderSigns(URL_, `${TEXT}<script src="/t.js"></script>`);
  assert.equal(one?.strong, '');
  assert.equal(one?.scripts, two?.scripts);
  assert.notEqual(one?.scripts, other?.scripts);
  assert.equal(strong(`${TEXT}<button onclick="toggle(this)">`), '');
});

test('words are those that are seen', () => {
  assert.equal(visibleWords('<p>one two</p><script>three four</script><style>five</style><!-- six -->七八'), 4);
});

test('takes time in proportion to the markup, whatever it is', () => {
  const began = performance.now();
  for (const part of [
    '<',
    '<script',
    '<div id=root',
    '<!--',
    '<noscript>',
    ' onclick="',
    '<div ',
    '<svg>',
    "<p onclick='",
  ])
    renderSigns(URL_, part.repeat(2 ** 19 / part.length));
  assert.ok(performance.now() - began < 20_000);
});
