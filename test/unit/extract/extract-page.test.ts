import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { ExtractOptions } from '../../../src/extract/extract-options.ts';
import { extractPage } from '../../../src/extract/extract-page.ts';
import { corpus, skipWithout } from '../../corpora.ts';

const URL_OF_PAGE = 'http://host.test/dir/page.html';

function page(html: string | Uint8Array, options: Partial<ExtractOptions> = {}) {
  return extractPage(html, { url: URL_OF_PAGE, ...options });
}

/** "kind url" of each link. */
function links(html: string | Uint8Array, options: Partial<ExtractOptions> = {}): string[] {
  return page(html, options).links.map((link) => `${link.kind} ${link.url.replace('http://host.test', '')}`);
}

function anchors(html: string): string[] {
  return page(html).links.map((link) => link.text);
}

describe('extractPage: links', () => {
  test('every kind of link to a document', () => {
    assert.deepEqual(
      links(`<link rel=next href=l><meta http-equiv=refresh content="5; url=m"><a href=a>1</a><map><area href=b></map>
        <iframe src=c></iframe><form action=d></form><form method=GET action=e></form>`),
      ['link /dir/l', 'refresh /dir/m', 'a /dir/a', 'area /dir/b', 'iframe /dir/c', 'form /dir/d', 'form /dir/e'],
    );
    assert.deepEqual(links('<frameset><frame src=a><frame src=/b></frameset>'), ['frame /dir/a', 'frame /b']);
  });

  test('links beyond the limit are counted, whatever kind they are of', () => {
    const html = '<link rel=next href=l><a href=a>1</a><a href=b>2</a><area href=c><iframe src=d></iframe><a>3</a>';
    const read = page(html, { maxLinks: 2 });
    assert.deepEqual([read.links.length, read.omittedLinks, read.links[1].text], [2, 3, '1']);
    assert.equal(page(html).omittedLinks, 0);
    const many = page('<a href=x>'.repeat(50_010));
    assert.deepEqual([many.links.length, many.omittedLinks], [50_000, 10]);
  });

  test('a long base does not make a page of short links long without end', () => {
    const resolver = (base: string) => (reference: string) => base + reference;
    const read = page(`<base href="http://host.test/${'x'.repeat(2 ** 20)}/">${'<a href=y>'.repeat(50_000)}`, {
      resolver,
    });
    assert.ok(read.links.reduce((sum, { url }) => sum + url.length, 0) <= 16 * 2 ** 20);
    assert.ok(read.links.length > 10);
    assert.equal(read.links.length + read.omittedLinks, 50_000);
  });

  test('a form that posts is no link', () => {
    assert.deepEqual(links('<form method=POST action=a></form><form method=dialog action=b>'), []);
  });

  test('parts of the page are listed on demand', () => {
    const html = `<link rel=stylesheet href=s.css><link rel="shortcut icon" href=i.ico><link rel=preconnect href=//cdn.test>
      <script src=x.js></script><img src=a.png srcset="b.png 2x, c.png 3x"><picture><source srcset="d.png"></picture>
      <video src=v.mp4 poster=p.png><source src=w.mp4><track src=t.vtt></video><audio src=a.mp3></audio>
      <embed src=e.swf><object data=o.pdf></object>`;
    assert.deepEqual(links(html), []);
    assert.deepEqual(links(html, { resources: true }), [
      'style /dir/s.css',
      'img /dir/i.ico',
      'script /dir/x.js',
      'img /dir/a.png',
      'img /dir/b.png',
      'img /dir/c.png',
      'img /dir/d.png',
      'img /dir/p.png',
      'media /dir/v.mp4',
      'media /dir/w.mp4',
      'media /dir/t.vtt',
      'media /dir/a.mp3',
      'object /dir/e.swf',
      'object /dir/o.pdf',
    ]);
  });

  test('a link without a reference is none; an empty reference is the page', () => {
    assert.deepEqual(links('<a>1</a><a name=x>2</a><area><a href>3</a><a href="">4</a>'), [
      'a /dir/page.html',
      'a /dir/page.html',
    ]);
  });

  test('links that lead to no document are counted', () => {
    const { links: found, skippedLinks } = page(
      '<a href="javascript:void(0)">1</a><a href=" JavaScript:1">2</a><a href="java\nscript:1">3</a><a href=mailto:a@b.test>4</a>' +
        '<a href=tel:1>5</a><a href=data:,x>6</a><a href=http://[>7</a><a href=whatsapp://send>8</a><a href=/ok>9</a>',
    );
    assert.deepEqual(
      found.map(({ url }) => url),
      ['http://host.test/ok'],
    );
    assert.equal(skippedLinks, 8);
  });

  test('white space in a reference as the URL standard has it', () => {
    assert.deepEqual(links('<a href=" \n/a\t/b\r\n/c ">x</a>'), ['a /a/b/c']);
  });

  test('the first base counts for all links, also for those before it', () => {
    const html = '<a href=1>x</a><base target=_top><base href=//other.test/b/><base href=/c/><a href=2>y</a>';
    const found = page(html);
    assert.equal(found.base, 'http://other.test/b/');
    assert.deepEqual(
      found.links.map(({ url }) => url),
      ['http://other.test/b/1', 'http://other.test/b/2'],
    );
  });

  test('a base that leads nowhere counts as none', () => {
    for (const base of ['javascript:1', 'data:,x', 'http://['])
      assert.equal(page(`<base href="${base}"><base href=/other/>`).base, URL_OF_PAGE, base);
  });

  test('rel is told token by token', () => {
    const [first, second, third] = page(
      '<a href=1 rel="NoFollow  UGC\tsponsored">x</a><a href=2 rel="nofollowed external">y</a><a href=3>z</a>',
    ).links;
    assert.equal(first.rel, 'nofollow ugc sponsored');
    assert.deepEqual([first.nofollow, first.ugc, first.sponsored], [true, true, true]);
    assert.deepEqual([second.nofollow, second.ugc, second.sponsored], [false, false, false]);
    assert.equal(third.rel, '');
  });

  test('attributes of a link', () => {
    const [link] = page('<a href=1 hreflang=de title="A &amp; B" type=text/plain>x</a>').links;
    assert.deepEqual([link.hreflang, link.title, link.type], ['de', 'A & B', 'text/plain']);
  });

  test('links in <noscript> are wanted, unless the page was rendered', () => {
    const html = '<noscript><a href=1>x</a></noscript><a href=2>y</a>';
    assert.deepEqual(links(html), ['a /dir/1', 'a /dir/2']);
    assert.deepEqual(links(html, { scripting: true }), ['a /dir/2']);
  });

  test('no phantom links', () => {
    const link = '<a href=phantom>x</a>';
    for (const html of [
      `<!-- ${link} -->`,
      `<script>"${link}"</script>`,
      `<script><!-- <script> ${link} </script> ${link} --></script>`,
      `<style>${link}</style>`,
      `<template>${link}<template></template>${link}</template>`,
      `<textarea>${link}</textarea>`,
      `<title>${link}</title>`,
      `<xmp>${link}</xmp>`,
      `<noembed>${link}</noembed>`,
      `<noframes>${link}</noframes>`,
      `<iframe srcdoc="${link}">${link}</iframe>`,
      `<svg><![CDATA[${link}]]></svg>`,
      `<div title="${link}">`,
      `<plaintext>${link}`,
      `<?php ${link.replaceAll('>', '')} ?>`,
      `<math><mrow>${link}</mrow></math>`,
    ])
      assert.deepEqual(
        links(`${html}${html.startsWith('<plaintext') ? '' : '<a href=real>'}`).filter((url) => !url.endsWith('real')),
        [],
        html,
      );
  });

  test('links in SVG', () => {
    assert.deepEqual(links('<svg><a xlink:href=1><path/></a><a href=2><text>x</text></a></svg>'), [
      'a /dir/1',
      'a /dir/2',
    ]);
  });

  test('links in broken markup', () => {
    assert.deepEqual(links('<a href=1><a href=2><p><a href=3</p><a href="4'), [
      'a /dir/1',
      'a /dir/2',
      'a /dir/3%3C/p',
    ]);
    assert.deepEqual(links("<a href=1 <b>x<a/href=2/>y<A HREF='3'b=1>z"), ['a /dir/1', 'a /dir/2/', 'a /dir/3']);
  });

  test('elements that close themselves, in XHTML', () => {
    const html =
      '<script src="x"/><a href="1"/><title/><noscript/><![CDATA[<a href="no">]]><p>text</p><a href="2">y</a>';
    const xhtml = page(html, { xhtml: true, text: true });
    assert.deepEqual(
      xhtml.links.map(({ url, text }) => [url, text]),
      [
        ['http://host.test/dir/1', ''],
        ['http://host.test/dir/2', 'y'],
      ],
    );
    assert.equal(xhtml.text, '<a href="no">\ntext\ny');
    assert.deepEqual(links(html), []);
  });

  test('queries in the encoding of the page', () => {
    const encodeQuery = (query: string): string => query.replaceAll('é', '%E9');
    assert.deepEqual(links('<a href="é?q=é#é">x</a><a href="?a">y</a><a href="#?é">z</a>', { encodeQuery }), [
      'a /dir/%C3%A9?q=%E9#%C3%A9',
      'a /dir/page.html?a',
      'a /dir/page.html#?%C3%A9',
    ]);
  });
});

describe('extractPage: anchor text', () => {
  test('white space is collapsed, blocks and pictures are words', () => {
    assert.deepEqual(anchors('<a href=1>\n a <b>b</b>c&nbsp; <h3>d</h3>e<br>f <img alt="g  h">i</a>'), [
      'a bc d e f g h i',
    ]);
  });

  test('an anchor ends at its end tag or with the next anchor', () => {
    assert.deepEqual(anchors('<a href=1>a<a href=2>b</a>c<a name=x>d</a>'), ['a', 'b']);
    assert.deepEqual(anchors('<a href=1>a<p>b<a name=x>c'), ['a b']);
  });

  test('an anchor ends with the cell it was opened in', () => {
    assert.deepEqual(anchors('<table><tr><td><a href=1>a<td>b</table>c'), ['a']);
    assert.deepEqual(anchors('<a href=1>a<table><tr><td>b</td></tr></table>c</a>d'), ['a b c']);
  });

  test('code is no text', () => {
    assert.deepEqual(
      anchors('<a href=1>a<script>b</script><style>c</style><svg><style>d</style><title>e</title></svg></a>'),
      ['ae'],
    );
  });

  test('an area has its alternative text', () => {
    assert.deepEqual(anchors('<area href=1 alt=" a  b ">'), ['a b']);
  });

  test('an anchor that is never closed is cut', () => {
    const [text] = anchors(`<a href=1>${'word '.repeat(10_000)}`);
    assert.equal(text.length, 999);
  });
});

describe('extractPage: what a page says of itself', () => {
  test('title, language, description', () => {
    const found = page(
      '<html LANG=de><title> A &amp;\n B </title><title>C</title><meta name=Description content=" d  e "><svg><title>F</title></svg>',
    );
    assert.deepEqual([found.title, found.lang, found.description], ['A & B', 'de', 'd e']);
    assert.deepEqual([page('').title, page('').lang, page('').description], ['', undefined, undefined]);
    assert.equal(page('<svg><title>F</title></svg><template><title>T</title></template><title>A').title, 'A');
  });

  test('canonical and alternates', () => {
    const found = page(
      `<link rel=canonical href=/c><link rel=canonical href=/d><link rel=alternate hreflang=DE href=/de>
       <link rel="alternate stylesheet" href=/s.css><link rel=alternate type=application/rss+xml href=/feed>`,
    );
    assert.equal(found.canonical, 'http://host.test/c');
    assert.deepEqual(found.alternates, [{ hreflang: 'de', url: 'http://host.test/de' }]);
    assert.ok(found.links.some((link) => link.type === 'application/rss+xml' && link.rel === 'alternate'));
  });

  test('refresh', () => {
    assert.deepEqual(page('<meta http-equiv=Refresh content="3; URL=\'/next\'">').refresh, {
      seconds: 3,
      url: 'http://host.test/next',
    });
    assert.deepEqual(page('<meta http-equiv=refresh content=30>').refresh, { seconds: 30, url: URL_OF_PAGE });
    assert.equal(page('<meta http-equiv=refresh content=soon>').refresh, undefined);
    const hidden = page('<noscript><meta http-equiv=refresh content="0; url=/nojs"></noscript>');
    assert.equal(hidden.refresh, undefined);
    assert.equal(hidden.links[0].url, 'http://host.test/nojs');
  });

  test('directives for crawlers', () => {
    const html =
      '<meta name=ROBOTS content=NoIndex><meta name=googlebot content=nofollow><meta name=orbweaver content=noarchive><meta name=author content=x>';
    assert.deepEqual(page(html).metaRobots, [
      ['robots', 'NoIndex'],
      ['googlebot', 'nofollow'],
    ]);
    assert.equal(page(html, { agents: ['orbweaver'] }).metaRobots.length, 3);
  });

  test('META robots cases of Nutch', { skip: skipWithout('html') }, () => {
    const { cases } = JSON.parse(readFileSync(join(corpus('html') as string, 'meta-robots.json'), 'utf8'));
    for (const { html, noindex, nofollow } of cases) {
      const said = page(html)
        .metaRobots.map(([, content]) => content.toLowerCase())
        .join();
      assert.equal(/noindex|none/.test(said), noindex, html);
      assert.equal(/nofollow|none/.test(said), nofollow, html);
    }
  });
});

describe('extractPage: visible text', () => {
  const text = (html: string): string => page(html, { text: true }).text;

  test('only on demand', () => {
    assert.equal(page('<p>a').text, '');
  });

  test('one line for each block', () => {
    assert.equal(text('<h1>A</h1> <p>b  <b>c</b>d\n e</p>f<br>g<ul><li>h<li>i</ul>'), 'A\nb cd e\nf\ng\nh\ni');
  });

  test('cells of a row are words', () => {
    assert.equal(text('<table><tr><td>a</td><td>b<tr><td>c'), 'a b\nc');
  });

  test('what nobody sees is no text', () => {
    assert.equal(
      text(
        `<title>t</title><script>s</script><style>c</style><noscript>n</noscript><template>m</template><!-- o --><iframe>i</iframe>
         <noframes>f</noframes><noembed>e</noembed><svg><text>v</text><style>w</style></svg><p hidden>a</p>`,
      ),
      'a',
    );
  });

  test('raw text that is shown', () => {
    assert.equal(
      text('<textarea>a &amp; b</textarea><xmp>&amp;<b></xmp>c<plaintext></plaintext>'),
      'a & b\n&amp;<b>\nc\n</plaintext>',
    );
  });

  test('character references, also beyond the basic plane', () => {
    assert.equal(text('<p>a&lt;b&gt; &amp;amp; &#x1F600;&nbsp;&copy 2'), 'a<b> &amp; \u{1f600} © 2');
  });

  test('long text', () => {
    assert.equal(text(`<p>${'wörter '.repeat(20_000)}`), 'wörter '.repeat(20_000).trimEnd());
    assert.equal(text(`<p>${'дом '.repeat(20_000)}`), 'дом '.repeat(20_000).trimEnd());
  });
});

describe('extractPage: bytes', () => {
  const bytesAndText = (bytes: Uint8Array): void =>
    assert.deepEqual(
      page(bytes, { text: true, resources: true }),
      page(new TextDecoder().decode(bytes), { text: true, resources: true }),
      Buffer.from(bytes).toString('latin1'),
    );

  test('UTF-8 as received reads like the decoded text', () => {
    bytesAndText(
      Buffer.from(
        '\ufeff<title>Тест ©</title><a href=/é?ü title="日本">x\u00a0à\u00a0 <b>y</b>&nbsp;é&eacute;</a>\u{1f600}',
      ),
    );
  });

  test('also where it is not valid', () => {
    const piece = fc.oneof(
      fc
        .constantFrom('<a href="', '">', '</a>', '<title>', '</title>', '<p>', ' ', '&amp;', '<img alt="', '\xa0')
        .map((text) => Buffer.from(text)),
      fc.uint8Array({ min: 0x7e, max: 0xff, maxLength: 4 }),
    );
    fc.assert(fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => bytesAndText(Buffer.concat(pieces))));
  });

  test('a view of a larger buffer', () => {
    const whole = Buffer.from('<a href=/no><a href=/yes>');
    assert.deepEqual(links(whole.subarray(12)), ['a /yes']);
  });
});

test('a kept page does not keep its document in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const padding = '<!-- padding of a document -->'.repeat(30_000);
  const make = (number: number) =>
    page(
      `<title>A title that is long enough ${number}</title>${padding}<a href=/a/long/reference/${number} rel="noopener noreferrer"
      title="a title of some length ${number}">A text that is long enough ${number}</a>`,
      { resolver: () => (reference) => `http://host.test${reference}` },
    );
  make(0);
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: 40 }, (_, number) => make(number));
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  assert.equal(kept.length, 40);
  assert.ok(grown < 5_000_000, `${kept.length} pages of ${padding.length} characters hold ${grown} bytes`);
});
