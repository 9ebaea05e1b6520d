import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { PageMetadata } from '../../../../src/extract/metadata/metadata-record.ts';
import { pageMetadata } from '../../../../src/extract/metadata/page-metadata.ts';
import { corpus, skipWithout } from '../../../corpora.ts';

function read(html: string, url = 'https://news.example.com/a/b'): PageMetadata {
  return pageMetadata(html, { url });
}

function values(told: readonly { readonly value: string }[]): string[] {
  return told.map(({ value }) => value);
}

describe('JSON-LD', () => {
  const GRAPH = `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[
    {"@type":"WebSite","@id":"#site","name":"The Example"},
    {"@type":"Person","@id":"#ann","name":"Ann Author"},
    {"@type":["Article","NewsArticle"],"headline":"Spiders &amp; webs","author":{"@id":"#ann"},
     "datePublished":"2020-02-03T10:00:00+01:00","dateModified":"2020-02-04","articleSection":["Nature","Animals"],
     "keywords":"spiders, webs","image":{"@type":"ImageObject","url":"/s.jpg"},"inLanguage":"en_GB",
     "publisher":{"@type":"Organization","name":"Example Media"},"license":"https://creativecommons.org/licenses/by-sa/4.0/",
     "description":"All about them"},
    {"@type":"BreadcrumbList","itemListElement":[{"name":"Home"},{"name":"X"},{"name":"Y"}]}]}</script>`;

  test('a graph with references', () => {
    const found = read(GRAPH);
    assert.deepEqual(found.title, { value: 'Spiders & webs', source: 'json-ld Article.headline' });
    assert.deepEqual(found.authors, [{ value: 'Ann Author', source: 'json-ld Article.author' }]);
    assert.equal(found.published?.day, '2020-02-03');
    assert.equal(found.published?.value, Date.UTC(2020, 1, 3, 9));
    assert.equal(found.modified?.day, '2020-02-04');
    assert.deepEqual(values(found.categories), ['Nature', 'Animals']);
    assert.deepEqual(values(found.tags), ['spiders', 'webs']);
    assert.equal(found.image?.value, 'https://news.example.com/s.jpg');
    assert.equal(found.language?.value, 'en-GB');
    assert.equal(found.siteName?.value, 'The Example');
    assert.equal(found.license?.value, 'CC BY-SA 4.0');
    assert.equal(found.type?.value, 'Article');
    assert.equal(found.description?.source, 'json-ld Article.description');
  });

  test('broken JSON, several authors in several forms', () => {
    const found = read(`<script type="application/ld+json"><!--
      [{"@type":"BlogPosting","headline":"One
      two","author":[{"@type":"Person","name":"A. Bee"},{"name":["C. Dee"]},"Eve Eff",],"datePublished":"2021-05-06",},]
      --></script>`);
    assert.equal(found.title?.value, 'One two');
    assert.deepEqual(values(found.authors), ['A. Bee', 'C. Dee', 'Eve Eff']);
    assert.equal(found.published?.day, '2021-05-06');
  });

  test('the article of the page, not those that it lists', () => {
    const found = read(`<script type="application/ld+json">{"@type":"ItemList","itemListElement":[
      {"@type":"NewsArticle","headline":"Another one","datePublished":"2019-01-01"}]}</script>
      <script type="application/ld+json">{"@type":"NewsArticle","headline":"This one","url":"http://www.news.example.com/a/b/","datePublished":"2020-01-01"}</script>`);
    assert.equal(found.title?.value, 'This one');
    assert.equal(found.published?.day, '2020-01-01');
  });
});

describe('META tags', () => {
  test('OpenGraph, Twitter, Dublin Core', () => {
    const found =
      read(`<html lang="DE_at"><meta property="og:title" content="A title - Example"><meta property="og:site_name" content="Example">
      <meta name="dcterms.creator" content="Bee, Ann"><meta property="article:published_time" content="2020-03-04T05:06:07Z">
      <meta property="article:modified_time" content="2020-03-05"><meta property="article:tag" content="x1"><meta property="article:tag" content="x2">
      <meta name="twitter:image" content="//cdn.example/i.png"><meta property="og:type" content="article"><meta name="description" content="D">`);
    assert.deepEqual(found.title, { value: 'A title', source: 'meta og:title' });
    assert.deepEqual(values(found.authors), ['Ann Bee']);
    assert.equal(found.published?.value, Date.UTC(2020, 2, 4, 5, 6, 7));
    assert.equal(found.modified?.day, '2020-03-05');
    assert.deepEqual(values(found.tags), ['x1', 'x2']);
    assert.equal(found.image?.value, 'https://cdn.example/i.png');
    assert.equal(found.language?.value, 'de-AT');
    assert.deepEqual(found.type, { value: 'article', source: 'meta og:type' });
    assert.equal(found.description?.value, 'D');
  });

  test('tags that speak of use are kept', () => {
    const found = read(
      '<meta name="robots" content="noai"><meta name="tdm-reservation" content="1"><meta name="mine" content="noindex"><meta name="x" content="y">',
    );
    assert.deepEqual(found.usageMetas, [
      ['robots', 'noai'],
      ['tdm-reservation', '1'],
      ['mine', 'noindex'],
    ]);
  });
});

describe('What stands on the page', () => {
  test('microdata: author and publisher by their names, dates from attributes', () => {
    const found = read(`<div itemscope itemtype="http://schema.org/Article"><h1 itemprop="headline">Head line of it</h1>
      <div itemprop="author" itemscope>By <b itemprop="name">Ann Bee</b>, reporter</div>
      <div itemprop="publisher" itemscope><meta itemprop="name" content="The Site"></div>
      <time itemprop="datePublished" datetime="2020-05-06">yesterday</time><meta itemprop="dateModified" content="2020-05-07"></div>`);
    assert.equal(found.title?.value, 'Head line of it');
    assert.deepEqual(found.authors, [{ value: 'Ann Bee', source: 'microdata author.name' }]);
    assert.equal(found.siteName?.value, 'The Site');
    assert.equal(found.published?.day, '2020-05-06');
    assert.equal(found.modified?.day, '2020-05-07');
  });

  test('classes of blogs: byline, date, tags, categories', () => {
    const found = read(`<title>Hello world – My Blog</title><article><h1 class="entry-title">Hello world</h1>
      <div class="entry-meta"><span class="byline">by <a href="/author/ann">Ann Bee</a> and <a href="/c">Cee Dee</a></span>
      <span class="posted-on">3. Mai 2021</span></div>
      <footer class="entry-footer"><a rel="category tag" href="/c/1">Cats</a>, <a rel="tag" href="/category/dogs">Dogs</a> <a rel="tag" href="/t/x">Tag x</a></footer></article>
      <div class="comment"><span class="author">Some Body</span><time datetime="2022-01-01">later</time></div>`);
    assert.deepEqual(found.title, { value: 'Hello world', source: 'h1' });
    assert.deepEqual(values(found.authors), ['Ann Bee', 'Cee Dee']);
    assert.equal(found.published?.day, '2021-05-03');
    assert.deepEqual(values(found.categories), ['Cats', 'Dogs']);
    assert.deepEqual(values(found.tags), ['Tag x']);
  });

  test('a kicker is no part of the headline', () => {
    const found = read(
      '<title>The spider that came home | News</title><h1><span class="k">Science</span> <span>The spider that came home</span></h1>',
    );
    assert.equal(found.title?.value, 'The spider that came home');
  });

  test('a heading with the name of the site is not the headline', () => {
    const found = read(
      '<title>A long story of spiders - Example</title><meta property="og:site_name" content="Example"><h1>Example</h1><h2>A long story of spiders</h2>',
    );
    assert.equal(found.title?.value, 'A long story of spiders');
  });

  test('the heading that stands in the title, not the banner of the site', () => {
    const banner = '<h1><a href="/">Loom 4.2 documentation</a></h1>';
    const title = '<title>Working with wool — Loom 4.2 documentation</title>';
    const own = '<h1>Working with wool<a class="headerlink" href="#w">¶</a></h1>';
    assert.equal(read(`${title}${banner}<main>${own}</main>`).title?.value, 'Working with wool');
    assert.equal(read(`${title}${banner}<main><h2>Working with wool</h2></main>`).title?.value, 'Working with wool');
    assert.equal(read(`<title>FAQ</title><h1>The loom library</h1><h2>FAQ</h2>`).title?.value, 'FAQ');
    assert.equal(
      read('<title>Loom manual - Wool</title><h1>Loom manual</h1><main><h1>Wool</h1></main>').title?.value,
      'Wool',
    );
  });

  test('the name of a manual behind the title is not part of it', () => {
    assert.equal(read('<title>Methods (Loom (version 7.3.0))</title><h3>34.6.3 Methods</h3>').title?.value, 'Methods');
    assert.equal(read('<title>Wool: Loom: A Library</title><table><td><h2>Wool</h2></table>').title?.value, 'Wool');
    assert.equal(read('<title>Thread (Loom 1.15 API)</title><h3>Class Thread and others</h3>').title?.value, 'Thread');
    assert.equal(
      read('<title>Member List (Loom)</title><div id="projectname">Loom 1.13</div><p>x').title?.value,
      'Member List',
    );
  });

  test('the name and the version of a manual, where its headings have the name too', () => {
    const page =
      '<title>worker - Loom Server Version 2.4</title><p>Loom Server Version 2.4</p><h1>Loom MPM worker</h1>';
    assert.equal(read(page).title?.value, 'Loom MPM worker');
    const front = '<title>Loom - Loom Server Version 2.4</title><h1>Loom Server Version 2.4</h1>';
    assert.equal(read(front).title?.value, 'Loom Server Version 2.4');
  });

  test('words of a heading that only a style separates', () => {
    const heading = '<h1><a href="index.html">Loom</a><span class="sep"></span>thread_shift_new</h1>';
    assert.equal(read(`<title>Loom.thread_shift_new</title>${heading}`).title?.value, 'Loom.thread_shift_new');
    assert.equal(read('<title>Loom: threads</title><h1>Loom threads</h1>').title?.value, 'Loom threads');
  });

  test('a section that shares a word with the name of a module is not its title', () => {
    const sections = '<h1>Map</h1><p>x<h1>Query</h1><p>y';
    assert.equal(
      read(`<title>Data.Map.Strict</title><p>Data.Map.Strict</p>${sections}`).title?.value,
      'Data.Map.Strict',
    );
    assert.equal(read('<title>Data.Map</title><h1>Data.Map</h1>').title?.source, 'h1');
    assert.equal(read('<title>map.html</title><h1>Map</h1>').title?.value, 'Map');
  });

  test('no name of a site begins inside of brackets', () => {
    const title = 'loom-0.6.4: Assorted concrete weaving types (Index - A)';
    assert.equal(read(`<title>${title}</title><p>x`).title?.value, title);
  });

  test('a numbered section is not the title of its page', () => {
    const page = '<title>UPDATE</title><div class="fancy">UPDATE</div><h1>1. Overview</h1><h2>2.2. UPDATE FROM</h2>';
    assert.equal(read(page).title?.value, 'UPDATE');
    assert.equal(
      read('<title>10 ways to weave | Blog</title><h1>10 ways to weave</h1>').title?.value,
      '10 ways to weave',
    );
  });

  test('of a page that is no article only what it declares is believed', () => {
    const document = (html: string) => pageMetadata(html, { url: 'https://a.example/2019/01/02/x', kind: 'document' });
    const example = '<h1>strptime</h1><p>3 Jan 2005</p><p>Text Processing Services</p><p>By csvwriter.writerow</p>';
    assert.equal(document(example).published, undefined);
    assert.deepEqual(document(example).authors, []);
    const updated = document('<h1>Wool</h1><p>Words.</p><div class="footer">Last updated on October 07, 2026.</div>');
    assert.equal(updated.published, undefined);
    assert.equal(updated.modified?.day, '2026-10-07');
    assert.equal(
      document('<h1>Wool</h1><p><strong>Release date: </strong>2024-08-08</p>').published?.day,
      '2024-08-08',
    );
    assert.equal(document('<meta name="dcterms.issued" content="2020-01-02"><p>x').published?.day, '2020-01-02');
    assert.deepEqual(document('<h1>Wool</h1><p>Author: Ann Bee</p>').authors, [{ value: 'Ann Bee', source: 'text' }]);
  });

  test('an article is not dated by the footer that tells of its last change', () => {
    const prose = 'Words about wool and the looms that it is woven on, again and again. '.repeat(4);
    const page = `<h1>A head line</h1><p>${prose}</p><p>This page was last modified on 3 May 2021</p>`;
    assert.equal(read(page).published, undefined);
  });

  test('an article is not dated by what its text tells of', () => {
    const prose = 'Words about wool and the 12 looms that it is woven on, again and again. '.repeat(4);
    const after = (last: string): string | undefined =>
      read(`<h1>A head line</h1><p>${prose}</p>${last}`).published?.day;
    assert.equal(after('<p>This knot was undone on 2010-09-20 for looms of wood.</p>'), undefined);
    const report = 'Another knot of the kind that nobody can undo was found by weavers of the other valley';
    assert.equal(after(`<p>${report}, and was published on 2014-08-12.</p>`), undefined);
    assert.equal(after('<p>Published on 2014-08-12 by the weavers</p>'), '2014-08-12');
  });

  test('the id of a heading repeats its words, and is no date', () => {
    const headed = (attributes: string): string | undefined =>
      read(`<h1>Numbers</h1><p>Words.</p><h2 ${attributes}>The new numbers (After 2015-10-14)</h2>`).published?.day;
    assert.equal(headed('id="the_new_numbers_after_dateof_3_9"'), undefined);
    assert.equal(headed('id="the_new_numbers" class="date-header"'), '2015-10-14');
  });

  test('bylines and dates in bare text', () => {
    const found = read(
      '<h1>Any head line</h1><p>Von Ann Bee</p><p>Erstellt am 01.02.2022</p><p>Text</p><p>© 2024-01-01 all</p>',
    );
    assert.deepEqual(found.authors, [{ value: 'Ann Bee', source: 'text' }]);
    assert.equal(found.published?.day, '2022-02-01');
    assert.equal(found.published?.source, 'text');
  });

  test('the date of the URL, and the local day of a time in UTC', () => {
    assert.deepEqual(read('<p>x', 'https://a.example/2019/01/02/x').published, {
      value: Date.UTC(2019, 0, 2),
      day: '2019-01-02',
      source: 'url',
    });
    const meta = '<meta property="article:published_time" content="2019-01-01T23:30:00Z">';
    assert.equal(read(meta, 'https://a.example/2019/01/02/x').published?.day, '2019-01-02');
  });

  test('an update gives way to the first publication', () => {
    const found = read('<div class="post-meta">Updated: 5 May 2021 · Published: 3 May 2021</div>');
    assert.equal(found.published?.day, '2021-05-03');
  });

  test('a page that says nothing', () => {
    const { authors, tags, categories, usageMetas, ...rest } = read('');
    assert.deepEqual([authors, tags, categories, usageMetas], [[], [], [], []]);
    assert.ok(Object.values(rest).every((value) => value === undefined));
  });
});

describe('Hostile pages', () => {
  test('nothing makes it throw', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '<script type="application/ld+json">',
        '</script>',
        '{"@type":"Article","author":',
        '<div class="author">',
        '</div>',
        '<time datetime="',
        '">',
        '<h1>',
        '<svg>',
        '<title>',
        '<meta name=author content="',
        '12.12.2020',
        '&amp;',
        '<a rel=tag>',
        '<footer>',
        'by ',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.webUrl(), (pieces, url) => {
        const text = pieces.join('');
        const found = pageMetadata(text, { url });
        assert.deepEqual(
          pageMetadata(Buffer.from(text.toWellFormed()), { url }),
          pageMetadata(text.toWellFormed(), { url }),
        );
        assert.ok(found.authors.length <= 20);
      }),
    );
  });

  test('a URL that is none', () => {
    assert.equal(pageMetadata('<h1>A b c d</h1>', { url: 'nowhere' }).title?.value, 'A b c d');
  });

  test('long repetitions take time in proportion to their length', () => {
    for (const part of [
      '<div class="author">',
      '<h1>a<br>',
      '<title>a - ',
      '<meta name="author" content="a">',
      '<nav>',
      '<time>1.1.2020',
      '<p>by A B',
      '<script type="application/ld+json">[',
      ' ',
      '<a rel=author>',
    ]) {
      const { authors } = pageMetadata(part.repeat(1_000_000 / part.length), { url: 'https://a.example/' });
      assert.ok(authors.length <= 20, part);
    }
  });
});

describe('Annotated pages', { skip: skipWithout('trafilatura-eval') }, () => {
  test('dates and titles agree with the annotations', () => {
    const folder = corpus('trafilatura-eval') as string;
    const rows = readFileSync(join(folder, 'annotations.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const plain = (text: string): string =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim();
    const counts = { titles: 0, sameTitle: 0, dates: 0, sameDate: 0 };
    for (const row of rows) {
      const found = pageMetadata(gunzipSync(readFileSync(join(folder, 'html', `${row.id}.html.gz`))), { url: row.url });
      if (row.title) {
        counts.titles++;
        if (plain(found.title?.value ?? '') === plain(row.title)) counts.sameTitle++;
      }
      if (row.date) {
        counts.dates++;
        if (found.published?.day === row.date) counts.sameDate++;
      }
    }
    assert.ok(counts.sameTitle / counts.titles > 0.84, JSON.stringify(counts));
    assert.ok(counts.sameDate / counts.dates > 0.83, JSON.stringify(counts));
  });
});
