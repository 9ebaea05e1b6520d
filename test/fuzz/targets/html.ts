import { decodeReferences } from '../../../src/extract/character-references.ts';
import { extractPage } from '../../../src/extract/extract-page.ts';
import { htmlHeadings } from '../../../src/extract/html-headings.ts';
import { mainContent } from '../../../src/extract/main-content/main-content.ts';
import { parseRefresh } from '../../../src/extract/meta-refresh.ts';
import { parseLenientJson } from '../../../src/extract/metadata/lenient-json.ts';
import { pageMetadata } from '../../../src/extract/metadata/page-metadata.ts';
import { readPage } from '../../../src/extract/read-page.ts';
import { scriptRedirect } from '../../../src/extract/spam/script-redirect.ts';
import { parseSrcset } from '../../../src/extract/srcset.ts';
import { styleSheetUrls } from '../../../src/extract/style-sheet-urls.ts';
import { oracle } from '../../unit/extract/parse5-oracle.ts';
import { type FuzzTarget, promise, same, textOf } from '../target.ts';

const URL_OF_PAGE = 'https://example.com/2026/05/04/page?x=1';
const TAGS =
  '<html <head> <body <div <p> </p> <a <a href= <area href= <img src= <img srcset= <link rel=canonical href= <link rel=alternate ' +
  '<meta name=robots content= <meta http-equiv=refresh content= <base href= <title> </title> <script> </script> <script> ' +
  '<style> </style> <textarea> </textarea> <noscript> </noscript> <template> </template> <svg> </svg> <math> <mi> <foreignObject> ' +
  '<![CDATA[ ]]> <!-- --> --!> <!--> <!---> <? ?> <! </ < > /> <table> <tr> <td> </td> <th> <caption> <select> <option> <form action= ' +
  '<iframe src= <frameset> <frame src= <plaintext> <xmp> <h1> </h1> <h2> <ul> <li> <ol> <dl> <dt> <pre> <code> <blockquote> <br> <hr> ' +
  '<article> </article> <main> <nav> </nav> <aside> <footer> <section> <time datetime= <span class=author> <b> </b> <i> <em> ';
const ATTRIBUTES =
  'href= src= class= id= rel=nofollow style= itemprop= property=og:title content= name= title= lang=de hidden aria-hidden=true ' +
  'display:none color:#fff color:rgb(1,2,3) font-size:0 position:absolute;left:-9999px "x" \'y\' " \' = /a/b http://other.example/ ' +
  '#frag ?q javascript:x data:x &amp; &amp &#65; &#x41; &#xD800; &#9999999999; &notit; &copy &bogus; &; 0;url=/x 5;URL="/y" noindex,nofollow ' +
  'article content sidebar comment share byline 2026-05-04 4.5.2026 May {"@context":"https://schema.org","@type":"Article" ' +
  '"headline":"x" "articleBody":"y" "author":{"name":"A"} } ] [ , : \\u0041 \\ application/ld+json text/html;charset=utf-8 ' +
  'Lorem ipsum dolor sit amet, consectetur words and sentences. The quick brown fox.';
const PIECES = [...TAGS.split(' '), ...ATTRIBUTES.split(' '), ' ', '\n', '\f', '<script type="application/ld+json">'];
const SAMPLES = [
  '<!doctype html><html lang=en><head><title>A &amp; B</title><base href="/d/"><meta name=description content="d">' +
    '<link rel=canonical href=c><script type="application/ld+json">{"@type":"Article","headline":"H","datePublished":"2026-05-04"}</script>' +
    '</head><body><nav><a href=1>one</a></nav><article><h1>Head</h1><p class=byline>By A. Author, 4 May 2026</p>' +
    `<p>${'Some words that make a sentence, and one more. '.repeat(8)}</p><table><tr><td>1<td>2</table><img srcset="a 1x, b 2x"></article>`,
  '<p><b><i></p>text</b><svg><a xlink:href=s /><foreignObject><p>x</svg><template><a href=t></template><!-- c --!><a href=u>',
  '<style>.a{display:none}#b{color:#fff;background:#fff}</style><div class=a>hidden words words</div><script>location.href="/x"</script>',
];

function decodable(input: Uint8Array): string {
  return textOf(input);
}

/** The scan against a tree builder: titles and the links that nothing disputed can swallow. */
function againstTree(html: string): void {
  // What the two are known to read differently: see test/unit/extract/differential.test.ts.
  if (
    /<(?:select|frameset|svg|math|template|col|plaintext|noscript|base)|\ud83d(?![\udc00-\udfff])|<!\[CDATA/i.test(html)
  )
    return;
  const theirs = oracle(html);
  const page = extractPage(html, {
    url: 'http://host.test/',
    resolver: () => (reference) => `http://host.test/${reference}`,
  });
  promise(
    // The reference trims more than the white space of HTML.
    page.title.trim() === theirs.title.toWellFormed().trim() || page.title.trim() === theirs.title.trim(),
    'the title is that of a tree builder',
    () => [html, page.title, theirs.title],
  );
}

export const pageTarget: FuzzTarget = {
  name: 'html-page',
  samples: SAMPLES,
  pieces: PIECES,
  corpora: ['html/tree-construction.jsonl', 'html/links.jsonl', 'readability-pages'],
  run(input) {
    const html = decodable(input);
    const page = extractPage(html, { url: URL_OF_PAGE, resources: true, text: true });
    promise(page.text.length <= html.length * 2 + 16, 'the text is no longer than the page', () => page.text.length);
    promise(page.links.length <= html.length, 'no more links than characters');
    for (const link of page.links) promise(URL.canParse(link.url), 'links are absolute', () => link);
    same(extractPage(html, { url: URL_OF_PAGE, resources: true, text: true }), page, 'a page is read the same twice');
    extractPage(input, { url: URL_OF_PAGE, scripting: true, xhtml: true, agents: ['orbweaver'] });
    htmlHeadings(html);
  },
};

export const treeTarget: FuzzTarget = {
  name: 'html-against-parse5',
  samples: SAMPLES,
  pieces: PIECES,
  corpora: ['html/tree-construction.jsonl'],
  maxLength: 1_024,
  run: (input) => againstTree(decodable(input)),
};

export const contentTarget: FuzzTarget = {
  name: 'main-content',
  samples: SAMPLES,
  pieces: PIECES,
  corpora: ['readability-pages', 'article-extraction', 'trafilatura-eval'],
  maxLength: 8_192,
  run(input) {
    const { content, metadata, spamSigns } = readPage(input, { url: URL_OF_PAGE, spam: true });
    const bound = input.length * 4 + 64;
    promise(content.text.length <= bound, 'the main text is bounded', () => content.text.length);
    promise(
      content.markdown.length <= input.length * 16 + 256,
      'the Markdown is bounded',
      () => content.markdown.length,
    );
    promise(content.html.length <= input.length * 16 + 256, 'the HTML is bounded', () => content.html.length);
    promise(!/<script|<style|\son\w+=/i.test(tagsOf(content.html)), 'clean HTML runs nothing', () => content.html);
    promise(content.wordCount >= 0, 'words are counted');
    spamSigns?.({ title: metadata.title?.value ?? '', text: content.text, linkCount: 3 });
    if (input.length % 8 > 0) return;
    const apart = mainContent(input, { url: URL_OF_PAGE });
    promise(apart.text === content.text, 'one pass and two find the same text', () => [apart.text, content.text]);
    const { kind } = content;
    same(pageMetadata(input, { url: URL_OF_PAGE, kind }), metadata, 'one pass and two find the same metadata');
  },
};

/** Texts and values of attributes may say anything. */
function tagsOf(html: string): string {
  return html.replace(/"[^"]*"/g, '""').replace(/>[^<]*/g, '>');
}

export const markupPartsTarget: FuzzTarget = {
  name: 'html-parts',
  samples: [
    'a.jpg 1x, b.jpg 2x,c.jpg 100w',
    '5; url=/next',
    '{"a":[1,2,{"b":"c"}],}',
    'window.location.replace("/x")',
    'a &amp; b &copy; &#65;',
  ],
  pieces: [
    ...ATTRIBUTES.split(' '),
    ...'1x 100w , ; url= URL= { } [ ] " \' : // /* */ location.href= window.location document.location.replace( ) + \\n null true 1e5'.split(
      ' ',
    ),
  ],
  corpora: ['html/links.jsonl'],
  maxLength: 1_024,
  run(input) {
    const text = textOf(input);
    promise(parseSrcset(text).length <= text.length, 'no more candidates than characters');
    const refresh = parseRefresh(text);
    promise(refresh === undefined || refresh.seconds >= 0, 'a refresh waits for no less than nothing', () => refresh);
    for (const inAttribute of [true, false]) {
      promise(decodeReferences(text, inAttribute).length <= text.length * 2, 'references do not grow');
    }
    parseLenientJson(text);
    scriptRedirect(text);
  },
};

export const styleSheetTarget: FuzzTarget = {
  name: 'style-sheet',
  samples: [
    '@import "a.css" screen; @import url(b.css); p { background: url("c.png"), url(\'d.png\') } /* url(e) */',
    '@font-face { src: url(f.woff2) format("woff2"), url( g\\.woff ) } @namespace svg url(http://www.w3.org/2000/svg);',
  ],
  pieces: [
    ...'url( ) url(" url(\' " \' @import @namespace @font-face { } ; : , /* */ \\ \\41 \\29 a.css #id data: http://other.example/ src: URL('.split(
      ' ',
    ),
    ...[' ', '\n', '\\\n'],
  ],
  maxLength: 2_048,
  run(input) {
    const text = textOf(input);
    let end = 0;
    for (const found of styleSheetUrls(text)) {
      promise(found.start >= end && found.end > found.start, 'places come one after another', () => found);
      promise(
        found.url !== '' && found.end <= text.length,
        'an address is not empty and lies in the text',
        () => found,
      );
      end = found.end;
    }
  },
};
