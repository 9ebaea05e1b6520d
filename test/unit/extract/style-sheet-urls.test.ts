import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { styleSheetUrls } from '../../../src/extract/style-sheet-urls.ts';

function urlsOf(css: string): string[] {
  return styleSheetUrls(css).map(({ url, isImport }) => (isImport ? `import ${url}` : url));
}

test('addresses are found in all their forms, and in nothing else', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['a{background:url(a.png) no-repeat,URL( "b c.png" ),url(\'d.png\')}', ['a.png', 'b c.png', 'd.png']],
    [
      '@import "a.css";@IMPORT url(b.css) screen;@import url("c.css");',
      ['import a.css', 'import b.css', 'import c.css'],
    ],
    ['@import "a.css" supports(background: url(x.png));a{content:"url(no.png)"}', ['import a.css', 'x.png']],
    ['/* url(no.png) */a{b:url(yes.png)}/* @import "no.css"', ['yes.png']],
    ['@namespace url(http://www.w3.org/1999/xhtml);a{b:url()}', []],
    ['a{b:url(a\\)b.png);c:url("\\41\\20 b.png")}', ['a)b.png', 'A b.png']],
    ['a{b:my-url(no.png);c:url(no.png', []],
    ['a{b:url(data:image/png;base64,AAAA)}', ['data:image/png;base64,AAAA']],
    ['background:url(&quot;)', ['&quot;']],
  ];
  for (const [css, expected] of cases) assert.deepEqual(urlsOf(css), expected, css);
});

test('the place of an address is what is to be replaced', () => {
  const css = '@import "a.css";b{c:url( d.png )}';
  assert.deepEqual(
    styleSheetUrls(css).map(({ start, end }) => css.slice(start, end)),
    ['"a.css"', 'url( d.png )'],
  );
});

test('an address that is nothing but an escaped line break is none', () => {
  assert.deepEqual(styleSheetUrls('a { b: url(\\\n) }'), []);
});

test('no text makes it throw, and none takes long', () => {
  const piece = fc.constantFrom(...['url(', ')', '"', "'", '\\', '/*', '*/', '@import ', ';', '{', ' ', '\n', 'a']);
  fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => styleSheetUrls(pieces.join('')).length >= 0));
  for (const part of ['url(', 'url("', "url('a", '/*', '@import "', '\\', 'url( '])
    assert.ok(styleSheetUrls(part.repeat(200_000)).length <= 200_000);
  for (const end of ['', '"', ')']) assert.deepEqual(urlsOf(`url(${' '.repeat(500_000)}${end}`), []);
});
