import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { MediaItem } from '../../../../src/extract/media/media-item.ts';
import { mediaTypeByName, mediaTypesOfKind } from '../../../../src/extract/media/media-types.ts';
import { pageMedia } from '../../../../src/extract/media/page-media.ts';
import { createResolver } from '../../../../src/url/resolver.ts';
import { defaultUrlOptions } from '../../../../src/url/url-options.ts';
import { propertyRuns } from '../../../property-runs.ts';

const PAGE = 'https://example.org/a/page';

function mediaOf(html: string): MediaItem[] {
  const resolver = (base: string) => (reference: string) => createResolver(base, defaultUrlOptions).resolve(reference);
  return pageMedia(html, { url: PAGE, resolver });
}

const urlsOf = (html: string): string[] => mediaOf(html).map(({ url }) => url);

describe('what a page shows', () => {
  test('a picture has its alternative text, its caption, the nearest heading and the words around it', () => {
    const [item, ...others] = mediaOf(`<title>T</title><h1>Spiders</h1><p>Long ago.</p><h2>Orb  webs</h2>
      <p>They are built at night.</p>
      <figure><img src="../web.jpg" alt=" A web &amp; its\nspider " width=640 height=480><figcaption>In the <b>morning</b> dew</figcaption></figure>
      <p>Few last a day.</p><h2>Venom</h2><p>Not here.</p>`);
    assert.deepEqual(others, []);
    assert.deepEqual(item, {
      ...{
        kind: 'image',
        url: 'https://example.org/web.jpg',
        alt: 'A web & its spider',
        caption: 'In the morning dew',
      },
      ...{ heading: 'Orb webs', words: 'They are built at night. Few last a day.', width: 640, height: 480 },
    });
  });

  test('pictures that scripts load late are those that they load', () => {
    assert.deepEqual(
      urlsOf(`<img alt=a src="data:image/gif;base64,R0" data-src=/a.jpg><img alt=b src=/grey.png data-original="/b.jpg">
        <img alt=c srcset="/c-320.jpg 320w, /c-1280.jpg 1280w, /c-640.jpg 640w">
        <picture><source srcset="/d.avif"><img alt=d src=/d.jpg></picture>
        <img alt=e class=lazy data-srcset="/e.jpg 1x, /e2.jpg 2x"><noscript><img alt=e src=/e2.jpg></noscript>`),
      ['a.jpg', 'b.jpg', 'c-1280.jpg', 'd.jpg', 'e2.jpg'].map((name) => `https://example.org/${name}`),
    );
  });

  test('decorations are left out', () => {
    const left = `<header><img src=/logo.png alt=Logo></header><nav><img src=/menu.png alt=Menu></nav>
      <img src=/ornament.jpg alt=""><img src=/role.jpg role=presentation>
      <img src=/count.gif width=1 height=1 alt=counter><img src=/icon.png width=16 height=16 alt=mail>
      <img src=/fb.png alt=Facebook><img src=/share-icon.png alt="Tell others"><img src=/spacer.gif alt=x><img src=/arrow.svg><img src="data:image/png;base64,xx" alt=x>
      <img src="javascript:alert(1)" alt=x><img alt=nothing><img src="" alt=x>
      <svg><image href=/in.svg></svg>
      <template><img src=/template.jpg alt=x></template><button><img src=/button.jpg alt=Send></button>
      <footer><img src=/footer.png alt=Footer></footer>`;
    assert.deepEqual(urlsOf(`${left}<main><header><img src=/hero.jpg alt=Hero></header></main><img src=/plain.jpg>`), [
      'https://example.org/hero.jpg',
      'https://example.org/plain.jpg',
    ]);
    assert.deepEqual(urlsOf('<figure><img src=/chart.svg alt=""><figcaption>Rainfall by month</figcaption></figure>'), [
      'https://example.org/chart.svg',
    ]);
  });

  test('films and sounds, by themselves or with a list of forms', () => {
    const items = mediaOf(`<video poster=/p.jpg title="A web is built"><source src=/v.webm><source src=/v.mp4></video>
      <figure><audio src=/song.mp3></audio><figcaption>Crickets</figcaption></figure><video></video>`);
    assert.deepEqual(
      items.map(({ kind, url, alt, caption }) => [kind, url, alt, caption]),
      [
        ['video', 'https://example.org/v.webm', 'A web is built', ''],
        ['audio', 'https://example.org/song.mp3', '', 'Crickets'],
      ],
    );
  });

  test('the head and structured data name further ones; what they say of one that is shown joins it', () => {
    const items = mediaOf(`<meta property="og:image" content="https://cdn.example.net/h.jpg">
      <meta property="og:image:alt" content="The garden">
      <script type="application/ld+json">{"@graph":[{"@type":"NewsArticle","image":{"@type":"ImageObject","url":"/a.jpg","caption":"Dew","width":1200},
        "publisher":{"@type":"Organization","logo":{"@type":"ImageObject","url":"/logo.png"}}},
        {"@type":"VideoObject","name":"How they spin","description":"In slow motion","contentUrl":"/spin.mp4"}]}</script>
      <img src=/a.jpg alt="A web">`);
    assert.deepEqual(
      items.map(({ url, alt, caption, width }) => [url, alt, caption, width]),
      [
        ['https://example.org/a.jpg', 'A web', 'Dew', 1200],
        ['https://example.org/spin.mp4', 'How they spin', 'In slow motion', 0],
        ['https://cdn.example.net/h.jpg', 'The garden', '', 0],
      ],
    );
  });

  test('a base counts for all', () => {
    assert.deepEqual(urlsOf('<img src=a.jpg alt=x><base href="https://other.example/b/">'), [
      'https://other.example/b/a.jpg',
    ]);
  });

  test('no document makes it throw, items are bounded and each file comes once', () => {
    const piece = fc.constantFrom(
      ...[
        '<img src=/a.jpg alt=x>',
        '<img srcset="/b 2x, ,c">',
        '<figure>',
        '</figure>',
        '<figcaption>',
        '</figcaption>',
      ],
      ...['<video>', '</video>', '<source src=v.mp4>', '<nav>', '</nav>', '<h2>', '</h2>', 'word ', '<svg/>', '<svg>'],
      ...['<script type=ld+json>{"@type":["ImageObject"],"url":["x"]', '</script>', '<base href="//[">', '<header>'],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 60 }), (pieces) => {
        const items = mediaOf(pieces.join(''));
        assert.equal(new Set(items.map(({ url }) => url)).size, items.length);
        assert.ok(items.length <= 200);
        for (const { alt, caption, words, heading } of items)
          for (const text of [alt, caption, words, heading])
            assert.ok(text.length <= 500 && !/\s\s|\n/.test(text), text);
      }),
      { numRuns: propertyRuns(600) },
    );
    assert.equal(mediaOf('<img src=/a.jpg alt=x>'.repeat(3)).length, 1);
    assert.equal(urlsOf(Array.from({ length: 900 }, (_, n) => `<img src=/${n}.jpg alt=x>`).join('')).length, 200);
  });

  test('the type of a file is that of its name, within its kind', () => {
    assert.equal(mediaTypeByName('https://e.org/a.JPG?w=3', 'image'), 'image/jpeg');
    assert.equal(mediaTypeByName('https://e.org/a.mp4', 'image'), 'image/unknown');
    assert.equal(mediaTypeByName('https://e.org/image/17', 'image'), 'image/unknown');
    for (const kind of ['image', 'video', 'audio'] as const)
      assert.ok(mediaTypesOfKind(kind).includes(mediaTypeByName('https://e.org/x', kind)));
  });
});
