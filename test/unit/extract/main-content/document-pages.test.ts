import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mainContent } from '../../../../src/extract/main-content/main-content.ts';
import { sentences } from './article-page.ts';

const url = 'https://manual.example/ref/spool.html';

/** The frame of a manual: a banner, navigation, and a footer with more prose than some of its pages. */
function manualPage(content: string, head = ''): string {
  return `<!doctype html><html><head><title>Spool — Loom 4.2 documentation</title>${head}</head><body>
<div class="related" role="navigation"><ul><li><a href="/">Loom 4.2 documentation</a></li><li><a href="next.html">next</a></li></ul></div>
${content}
<div class="sphinxsidebar" role="navigation"><h3>Table of Contents</h3><ul><li><a href="#a">One</a></li></ul></div>
<div class="footer">© Copyright 2001-2026, The Weavers. This page may be used under the licence of the loom, which everybody should read
before weaving. The weavers are a club that lives from what others give. Last updated on October 07, 2026.</div></body></html>`;
}

describe('a page that is no article', () => {
  test('is never its footer: a list of links is its own text', () => {
    const items = Array.from({ length: 40 }, (_, at) => `<li><a href="m${at}.html">shuttle_${at}()</a></li>`).join('');
    const page = manualPage(`<div class="body" role="main"><h1>Index</h1><ul>${items}</ul></div>`);
    const content = mainContent(page, { url });
    assert.match(content.text, /^Index\nshuttle_0\(\)\n/);
    assert.match(content.text, /shuttle_39\(\)$/);
    assert.doesNotMatch(content.text, /Copyright|Loom 4\.2/);
    assert.equal(content.kind, 'document');
  });

  test('keeps its terms, signatures, programs and tables', () => {
    const page =
      manualPage(`<div class="body" role="main"><h1>spool<a class="headerlink" href="#spool">¶</a></h1><p>${sentences(4)}</p>
      <dl><dt id="spool.search"><code>spool.search</code>(<em>thread</em>, <em>colour='red'</em>)<a class="headerlink" href="#x">¶</a></dt>
      <dd><p>Finds a thread.</p></dd></dl>
      <div class="highlight"><pre><span class="comment"># wind it</span>\nspool.wind(3)</pre></div>
      <table><tr><th>Name</th><th>Width</th></tr><tr><td>thin</td><td>2</td></tr></table>
      <div class="admonition seealso"><p>See also <a href="wheel.html">the wheel</a> for more.</p></div></div>`);
    const { text } = mainContent(page, { url });
    for (const kept of [
      "spool.search(thread, colour='red')",
      '# wind it',
      'spool.wind(3)',
      'thin 2',
      'See also the wheel',
    ])
      assert.ok(text.includes(kept), kept);
    assert.doesNotMatch(text, /¶/);
  });

  test('is what is named so, though a line of another name stands before it', () => {
    const items = Array.from({ length: 30 }, (_, at) => `<dt>wind_${at}(thread)</dt><dd>winds it</dd>`).join('');
    const page = manualPage(`<div id="content"><h1>spool</h1><div id="bodyContent"><div id="siteSub">From the loom</div>
      <div id="contentSub">Reference of the weavers / spools</div><div id="mw-content-text"><dl>${items}</dl></div></div></div>`);
    const { text, kind } = mainContent(page, { url });
    assert.equal(kind, 'document');
    assert.match(text, /wind_29/);
    assert.doesNotMatch(text, /From the loom|of the weavers/);
  });

  test('is more than the longest of its sections, though each calls itself a body', () => {
    const functions = Array.from(
      { length: 9 },
      (_, at) => `<pre>wind_${at}(thread) -> spool</pre><p>${sentences(1)}</p>`,
    ).join('');
    const page = manualPage(`<div id="content"><div><h1>spool</h1></div>
      <div><h3>Summary</h3><div class="summary-body">Functions of the spool.</div></div>
      <div><h3>Description</h3><div class="description-body"><p>${sentences(2, 'spool')}</p></div></div>
      <div><h3>Exports</h3><div class="exports-body">${functions}</div></div></div>`);
    const { text } = mainContent(page, { url });
    assert.ok(
      text.startsWith(`spool\nSummary\nFunctions of the spool.\nDescription\n${sentences(2, 'spool')}\nExports\n`),
    );
    assert.match(text, /wind_8\(thread\) -> spool/);
  });

  test('has no menus, pagers and banners, even where no element says main', () => {
    const page = `<title>Winding</title><link rel="next" href="b.html"><body>
      <table class="nav" summary="Navigation header"><tr><td><a href="a.html">The wheel</a></td><td><a href="i.html">Top</a></td></tr></table>
      <div class="tagline">Weave more. Worry less.</div>
      <div class="chapter"><h1>Winding</h1><p>${sentences(2)}</p><ul><li><a href="c.html">Winding by hand</a></li></ul></div>
      <div>Next: <a href="b.html">Weaving</a>, Previous: <a href="a.html">Wheel</a>, Up: <a href="i.html">Top</a> [<a href="i.html">Index</a>]</div>`;
    assert.equal(mainContent(page, { url }).text, `Winding\n${sentences(2)}\nWinding by hand`);
  });

  test('loses the column of its menu where tables place its parts', () => {
    const menu = ['News', 'Wheels', 'Looms', 'Threads', 'Shops', 'About']
      .map((name) => `<a href="/${name}">${name}</a><br>`)
      .join('');
    const page = `<body><table><tr><td>${menu}</td><td><p>Short words about looms, and <a href="x">a link</a>.</p>
      <table><tr><td>Loom</td><td>3</td></tr><tr><td>Wheel</td><td>4</td></tr></table></td></tr></table>`;
    assert.equal(mainContent(page, { url }).text, 'Short words about looms, and a link.\nLoom 3\nWheel 4');
  });

  test('has its headline beside the text where tables place it apart, as an article has', () => {
    const page = (text: string): string => `<title>List of wheels</title><body>
      <table><tr><td><img src="logo.png" alt="Loom"></td><td><table><tr><td><h1>The Loom Library</h1><h2>List of wheels</h2></td></tr></table></td></tr></table>
      <table><tr><td>${text}</td></tr></table>`;
    const content = mainContent(page('<p><a href="bugs.html">Ann Weaver</a></p>'), { url });
    assert.equal(content.text, 'Ann Weaver');
    assert.match(content.markdown, /^## List of wheels\n\n\[Ann Weaver\]/);
    assert.match(content.html, /^<h2>List of wheels<\/h2>\n<p><a /);
    assert.equal(mainContent(page(''), { url }).text, 'List of wheels');
  });

  test('sections are not noise for the ids that their headings gave them', () => {
    const page = manualPage(
      `<main><h1>Commands</h1><section id="search"><h2>search</h2><p>Looks for a thread in <a href="s.html">all spools</a>.</p></section>
       <section id="method.skip"><code>fn skip(self)</code></section></main>`,
    );
    const { text } = mainContent(page, { url });
    assert.match(text, /Looks for a thread/);
    assert.match(text, /fn skip\(self\)/);
  });

  test('all posts of a forum are its text', () => {
    const posts = [1, 2, 3]
      .map((at) => `<div class="comment reply"><p>${sentences(7, `answer ${at}`)}</p></div>`)
      .join('');
    const head = '<meta name="generator" content="phpBB">';
    const page = `${head}<body><nav><a href="/">Board index</a></nav><h1>Knots</h1><div class="post"><p>${sentences(9, 'question')}</p></div>${posts}`;
    const { text } = mainContent(page, { url });
    for (const about of ['question', 'answer 1', 'answer 2', 'answer 3']) assert.ok(text.includes(about), about);
  });

  test('a product has its description, its data and its price', () => {
    const page = `<meta property="og:type" content="product"><body><nav class="menu"><a href="/">Shop</a></nav>
      <div class="product"><h1>Wool, 50 g</h1><p>Soft.</p><ul><li>Length: 120 m</li><li>Needles: 4 mm</li></ul><span>€ 4.20</span></div>
      <div class="related-products"><a href="/a">Other wool, which is cheaper</a><a href="/b">Wool that is dearer</a></div>
      <footer>Terms and conditions of the shop, imprint and a long line about delivery to all countries of the world.</footer>`;
    assert.equal(mainContent(page, { url }).text, 'Wool, 50 g\nSoft.\nLength: 120 m\nNeedles: 4 mm\n€ 4.20');
  });

  test('an article that says to be one is read as before', () => {
    const page = `<meta property="og:type" content="article"><body><article><h1>Headline</h1><p>${sentences(6)}</p>
      <div class="tags"><a href="/t">weaving</a></div></article><ul class="related"><li><a href="/x">More about the loom</a></li></ul>`;
    const content = mainContent(page, { url });
    assert.equal(content.text, sentences(6));
    assert.equal(content.kind, 'article');
  });
});
