import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { htmlHeadings } from '../../../src/extract/html-headings.ts';

test('the texts of h1 to h3, one per line, white space collapsed and references replaced', () => {
  const page = `<title>No</title><h1> Cats
    &amp; <em>dogs</em></h1><p>body</p><H2>Second<br>line</H2><h3>Third</h3><h4>too deep</h4>`;
  assert.equal(htmlHeadings(page), 'Cats & dogs\nSecond line\nThird');
});

test('scripts, comments and raw text are no headings', () => {
  const page =
    '<h1>A<script>"<h1>no</h1>"</script></h1><!-- <h2>no</h2> --><style>h1{}</style><textarea><h2>no</h2></textarea>';
  assert.equal(htmlHeadings(page), 'A');
});

test('bytes beyond ASCII are read as UTF-8', () => {
  assert.equal(htmlHeadings(Buffer.from('<h2>Zürich 東京</h2>')), 'Zürich 東京');
});

test('no markup makes it throw', () => {
  const piece = fc.constantFrom(
    '<h1>',
    '</h1>',
    '<h3 ',
    '<script>',
    '</script',
    'text',
    '&amp',
    '<!--',
    '<',
    '>',
    '\0',
  );
  fc.assert(fc.property(fc.array(piece), (pieces) => typeof htmlHeadings(pieces.join('')) === 'string'));
});

test('terms that a page defines count as its headings', () => {
  const page = `<h1>spool</h1><dl><dt id="spool.wind">spool.wind(<em>thread</em>)
    <a class="reference" href="../_modules/spool.html"><span class="viewcode-link">[source]</span></a><a href="#spool.wind">¶</a></dt>
    <dd>Winds. <dl><dt>turns<dd>How often.</dl></dd>
    <dt>reel(<a href="types.html#len">length</a>, speed, direction, brake=None)</dt></dl>`;
  assert.equal(
    htmlHeadings(page),
    'spool\nspool.wind(thread) [source]¶\nturns\nreel(length, speed, direction, brake=None)',
  );
});

test('entries of an index or a table of contents are none', () => {
  const page = `<h2>Index</h2><dl><dt>DROP USER, <a href="drop-user.html">DROP USER</a></dt>
    <dt><span><a href="drop-role.html">DROP ROLE</a></span> — remove a database role, and all that belongs to it</dt></dl>`;
  assert.equal(htmlHeadings(page), 'Index');
});
