import { charsetOf } from '../../../src/convert/charset.ts';
import { decodeReferences } from '../../../src/extract/character-references.ts';
import { extractPage } from '../../../src/extract/extract-page.ts';
import { readFeed } from '../../../src/extract/feed/read-feed.ts';
import { htmlHeadings } from '../../../src/extract/html-headings.ts';
import { mainContent } from '../../../src/extract/main-content/main-content.ts';
import { parseRefresh } from '../../../src/extract/meta-refresh.ts';
import { parseLenientJson } from '../../../src/extract/metadata/lenient-json.ts';
import { pageMetadata } from '../../../src/extract/metadata/page-metadata.ts';
import { readPage } from '../../../src/extract/read-page.ts';
import { SitemapReader } from '../../../src/extract/sitemap/sitemap-reader.ts';
import { scriptRedirect } from '../../../src/extract/spam/script-redirect.ts';
import { parseSrcset } from '../../../src/extract/srcset.ts';
import { styleSheetUrls } from '../../../src/extract/style-sheet-urls.ts';
import { type GrowthCase, repeated } from './growth-case.ts';

const url = 'https://example.com/2026/05/page';
const bytesOf = (text: string): Uint8Array => Buffer.from(text);
const WORDS = 'Some words that make a sentence, and then one more. ';

const MARKUP: Readonly<Record<string, readonly [string, string?, string?]>> = {
  'nested elements': ['<div>'],
  'nested elements with text': ['<div>word '],
  'nested formatting': ['<b><i>x'],
  'nested anchors': ['<a href=x>y'],
  'nested tables': ['<table><tr><td>'],
  'nested lists': ['<ul><li>x'],
  'nested SVG': ['<svg><g>'],
  'end tags of nothing': ['</p></b></div>'],
  'mismatched tags': ['<p><b></p><i></b>'],
  'attributes of one tag': [' a=b', '<p', '>'],
  'same attribute of one tag': [' href=b', '<a', '>'],
  'attribute without end': ['x', '<a href="'],
  'quotes without end': ['<a href="x'],
  'comments without end': ['<!--'],
  'comment dashes': ['--', '<!--'],
  comments: ['<!-- x -->'],
  'stray angle brackets': ['<'],
  'ends without name': ['</'],
  'CDATA without end': ['<![CDATA[', '<svg>'],
  references: ['&amp;'],
  'references without end': ['&am'],
  'numeric references': ['&#1114111'],
  'scripts without end': ['<script>'],
  'almost ended script': ['</scrip', '<script>'],
  titles: ['<title>x</title>'],
  bases: ['<base href=x>'],
  'white space': [' \n', '<p>a', 'b'],
  paragraphs: [`<p>${WORDS}</p>`],
  links: ['<a href="/x?a=b">text</a> '],
  headings: ['<h2>Title</h2><p>x'],
  'table cells': ['<td>1', '<table><tr>'],
  templates: ['<template><p>'],
  selects: ['<select><option>'],
};

const CONTENT: Readonly<Record<string, readonly [string, string?, string?]>> = {
  ...MARKUP,
  'nested JSON-LD': ['[', '<script type="application/ld+json">'],
  'JSON-LD objects': ['{"@type":"Article","headline":"x"},', '<script type="application/ld+json">[', '{}]</script>'],
  'JSON-LD scripts': ['<script type="application/ld+json">{"@type":"Article","author":"A"}</script>'],
  'broken JSON-LD': ['{"a":', '<script type="application/ld+json">'],
  'style rules': ['.a{display:none}', '<style>', '</style><p class=a>x'],
  'style rules and elements': ['<style>.a{color:red}</style><p class="a b">x'],
  'style sheet without end': ['.a{', '<style>'],
  'class names': ['content ', '<div class="', '">x</div>'],
  bylines: ['<span class=author>By Ann Author</span>'],
  'dates in text': ['4 May 2026 '],
  'digits in text': ['1 2 '],
  'meta tags': ['<meta property="og:title" content="x">'],
  'tags of a page': ['<meta name=keywords content="a,b,c">'],
  authors: ['Ann Author, ', '<meta name=author content="', '">'],
  blockquotes: ['<blockquote>x'],
  words: [WORDS],
  'one word': ['a'],
};

function sitemap(text: string): unknown {
  const reader = new SitemapReader({ url: 'https://example.com/s.xml', onEntries: () => {}, onSitemaps: () => {} });
  const bytes = bytesOf(text);
  for (let at = 0; at < bytes.length; at += 4_096) if (!reader.push(bytes.subarray(at, at + 4_096))) break;
  return reader.end();
}

const XML: Readonly<Record<string, readonly [string, string?, string?]>> = {
  'nested elements': ['<a>', '<?xml version="1.0"?>'],
  'comments without end': ['<!--', '<urlset>'],
  'comment dashes': ['--', '<urlset><!--'],
  'CDATA without end': ['<![CDATA[', '<urlset>'],
  'CDATA ends': [']]', '<urlset><loc><![CDATA['],
  references: ['&amp;', '<urlset><url><loc>'],
  'references without end': ['&am', '<urlset><url><loc>'],
  entities: ['<!ENTITY a "b">', '<!DOCTYPE a [', ']><urlset>'],
  'doctype without end': ['[', '<!DOCTYPE a '],
  attributes: [' a="b"', '<urlset', '>'],
  namespaces: [' xmlns:a="b"', '<urlset', '>'],
  instructions: ['<?a b?>', '<urlset>'],
  'stray angle brackets': ['<', '<urlset>'],
};

export const markupCases: readonly GrowthCase[] = [
  ...repeated('html-page', (html) => extractPage(html, { url, resources: true, text: true }), MARKUP),
  ...repeated(
    'main-content',
    (html) => {
      const { text, html: clean, markdown } = mainContent(bytesOf(html), { url });
      return [text, clean, markdown];
    },
    CONTENT,
  ),
  ...repeated('metadata', (html) => pageMetadata(bytesOf(html), { url }), CONTENT),
  ...repeated(
    'spam-signs',
    (html) => {
      const { content, spamSigns } = readPage(bytesOf(html), { url, spam: true });
      return spamSigns?.({ title: 'x', text: content.text, linkCount: 1 });
    },
    CONTENT,
  ),
  ...repeated('headings', (html) => htmlHeadings(html), { headings: ['<h2>x</h2>'], 'nested headings': ['<h2>x'] }),
  ...repeated('style-sheet', styleSheetUrls, {
    'open addresses': ['url('],
    'open addresses in quotes': ['url("'],
    'blanks in an address': [' ', 'url('],
    'open comments': ['/*'],
    'escapes in an open address': ['\\\\a', 'url('],
    imports: ['@import "a";'],
  }),
  ...repeated('html-parts', parseSrcset, { commas: [','], candidates: ['a 1x,'], parentheses: ['(', 'a '] }),
  ...repeated('html-parts', parseRefresh, {
    'refresh spaces': [' ', '5;'],
    'refresh digits': ['5'],
    'refresh quotes': ['"', '5;url='],
  }),
  ...repeated('html-parts', parseLenientJson, {
    'JSON arrays': ['['],
    'JSON objects': ['{"a":'],
    'JSON strings without end': ['"a'],
    'JSON commas': [',', '['],
    'JSON comments': ['/*', '['],
    'JSON escapes': ['\\', '"'],
  }),
  ...repeated('html-parts', scriptRedirect, {
    assignments: ['location.href="/x";'],
    'quotes without end': ['location="'],
    parentheses: ['location.replace('],
    comments: ['/*'],
    spaces: [' ', 'location'],
  }),
  ...repeated('html-parts', (text) => decodeReferences(text, true), {
    references: ['&copy'],
    ampersands: ['&'],
    digits: ['1', '&#'],
  }),
  ...repeated('charset', (text) => charsetOf(bytesOf(text)), {
    'META tags': ['<meta a=b>'],
    'comments without end': ['<!--'],
    'stray angle brackets': ['<'],
    attributes: [' a=b', '<meta'],
    'Cyrillic letters': ['слово '],
    'high bytes': ['\u00e4\u00f6 '],
    escapes: ['\x1b$B'],
  }),
  ...repeated('charset', (text) => charsetOf(Buffer.from(text, 'latin1')), {
    'unlabelled bytes': ['\xe4\xf6\xfc '],
    'lead bytes': ['\x81'],
  }),
  ...repeated('sitemap', sitemap, {
    ...XML,
    entries: ['<url><loc>https://example.com/a</loc></url>', '<urlset>'],
    lines: ['https://example.com/a\n'],
    extensions: ['<image:image><image:loc>/a</image:loc></image:image>', '<urlset><url>'],
  }),
  ...repeated('feed', (text) => readFeed(bytesOf(text), { url: 'https://example.com/f' }), {
    ...XML,
    entries: ['<item><title>x</title><link>/a</link></item>', '<rss><channel>'],
    'nested content': ['<div>', '<feed><entry><content type="xhtml">'],
    'escaped markup': ['&lt;p&gt;', '<rss><channel><item><description>'],
    'links in markup': ['&lt;a href=x&gt;', '<rss><channel><item><description>'],
    bases: ['<a xml:base="b/">', '<feed>'],
    'JSON items': ['{"id":"1","url":"/a"},', '{"version":"https://jsonfeed.org/version/1","items":[', '{}]}'],
    'nested JSON': ['[', '{"version":"https://jsonfeed.org/version/1","items":'],
  }),
];
