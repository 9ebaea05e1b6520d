import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { serialize } from 'node:v8';
import { escapeMarkup, html } from '../../../../src/web/frame/html.ts';

/** How the engine marks a text of one byte per character where it writes it down. */
const ONE_BYTE = '"';

function markOf(text: string): string {
  return String.fromCharCode(serialize(text)[2]);
}

suite('Markup', () => {
  test('escapes what is unsafe, and shows what XML cannot hold', () => {
    assert.equal(escapeMarkup(`<a href="x">'&\u0001`), '&lt;a href=&quot;x&quot;&gt;&#39;&amp;\ufffd');
    assert.equal(escapeMarkup('half \ud83d'), 'half \ufffd');
  });

  test('a page of Latin letters holds no character of two bytes, whatever its signs are', () => {
    const { markup } = html`<p>${'“Größe” – it’s … ↓ ‹›'}</p>`;
    assert.equal(markup, '<p>&#8220;Größe&#8221; &#8211; it&#8217;s &#8230; &#8595; &#8249;&#8250;</p>');
    assert.doesNotMatch(markup, /[^\x00-\xff]/);
    assert.equal(markOf(markup), ONE_BYTE);
    assert.notEqual(markOf('паук'), ONE_BYTE);
  });

  test('letters of other scripts stay as they are', () => {
    assert.equal(html`${'паук 蜘蛛 🕷'}`.markup, 'паук 蜘蛛 🕷');
  });
});
