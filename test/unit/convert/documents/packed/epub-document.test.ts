import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { convertDocument } from '../../../../../src/convert/documents/convert-document.ts';
import { archive, converted, short } from '../office-files.ts';

const CONTAINER =
  '<container><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>';
const PACKAGE = `<package><metadata><dc:title>The book</dc:title><dc:creator>Ann Author</dc:creator><dc:language>en</dc:language><dc:date>1999-05-01</dc:date><dc:subject>Spiders</dc:subject><meta property="dcterms:modified">2020-01-02T03:04:05Z</meta></metadata>
  <manifest><item id="b" href="two%20b.xhtml" media-type="application/xhtml+xml"/><item id="a" href="text/one.xhtml" media-type="application/xhtml+xml"/></manifest>
  <spine><itemref idref="a"/><itemref idref="b"/><itemref idref="missing"/></spine></package>`;

const book = (parts: Record<string, string> = {}) =>
  archive({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': CONTAINER,
    'OEBPS/content.opf': PACKAGE,
    'OEBPS/text/one.xhtml': `<?xml version="1.0"?><!DOCTYPE html><html><head><title>no</title><meta charset="utf-8"></head><body>
      <h1>Chapter&nbsp;1</h1><p>Some <b>bold</b> words<br/>and <a href="http://host.test/x">a link</a>, <a href="two.xhtml">inside</a>.</p>
      <ul><li>one</li><li><p>two</p></li></ul><table><tr><th>h</th><td>d</td></tr></table><pre>  a
  b</pre><script>if (1 > 0) x()</script>loose</body></html>`,
    'OEBPS/two b.xhtml': '<html><body><p>The end',
    ...parts,
  });

describe('EPUB', () => {
  test('chapters in reading order, facts of the package', async () => {
    const document = await converted(book());
    assert.deepEqual(short(document.blocks), [
      'h1 Chapter 1',
      'Some bold words and a link, inside.',
      '- one',
      '- two',
      'h|d',
      '```   a\n  b',
      'loose',
      'The end',
    ]);
    const { blocks, ...facts } = document;
    assert.deepEqual(facts, {
      title: 'The book',
      authors: ['Ann Author'],
      language: 'en',
      keywords: ['Spiders'],
      created: Date.UTC(1999, 4, 1),
      modified: Date.UTC(2020, 0, 2, 3, 4, 5),
      pages: 2,
      links: [{ url: 'http://host.test/x', text: 'a link' }],
    });
  });

  test('chapters under lock', async () => {
    const locked = ['OEBPS/text/one.xhtml', 'OEBPS/two%20b.xhtml']
      .map((path) => `<enc:CipherReference URI="${path}"/>`)
      .join('');
    const conversion = await convertDocument(book({ 'META-INF/encryption.xml': `<encryption>${locked}</encryption>` }));
    assert.equal(conversion.kind === 'unreadable' && conversion.why, 'encrypted');
  });
});
