import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { delimiterOf } from '../../../../src/convert/documents/texts/delimited-document.ts';
import { converted, short } from './office-files.ts';

describe('Plain text', () => {
  test('paragraphs with their line breaks, addresses as links', async () => {
    const document = await converted(
      'One\r\n  two \r\n\r\n\r\n\x07Three (see http://host.test/a_(b)).\fMore https://host.test/?q=1, and.\n',
      'text/plain',
    );
    assert.deepEqual(short(document.blocks), [
      'One\n  two',
      'Three (see http://host.test/a_(b)).',
      'More https://host.test/?q=1, and.',
    ]);
    assert.deepEqual(
      document.links.map((link) => link.url),
      ['http://host.test/a_(b)', 'https://host.test/?q=1'],
    );
  });

  test('charset by header, by mark, by content', async () => {
    const words = async (bytes: Uint8Array, type: string) => short((await converted(bytes, type)).blocks);
    assert.deepEqual(await words(Buffer.from([0xcf, 0xf0]), 'text/plain; charset=windows-1251'), ['Пр']);
    assert.deepEqual(await words(Buffer.from('\ufeffGrüße', 'utf16le'), 'text/plain'), ['Grüße']);
    assert.deepEqual(await words(Buffer.from('Grüße'), 'text/plain'), ['Grüße']);
  });

  test('no more text than the limit, no half characters', async () => {
    const document = await converted('😀😀😀 words', 'text/plain', { maxText: 5 });
    assert.deepEqual([short(document.blocks), document.cut], [['😀😀\ufffd'], 'text']);
  });

  test('JSON is shown as it is', async () => {
    const document = await converted('{"a": [1,\n 2]}', 'application/json');
    assert.deepEqual(short(document.blocks), ['``` {"a": [1,\n 2]}']);
  });
});

describe('Markdown', () => {
  test('indented code in a quote is read, and reading goes on', async () => {
    const { blocks } = await converted('>     a\n>     b\n\nAfter', 'text/markdown');
    assert.deepEqual(short(blocks), ['``` a\nb', 'After']);
  });

  const markdown = (...lines: string[]) => converted(lines.join('\n'), 'text/markdown');

  test('headings, paragraphs, lists, quotes, rules', async () => {
    const { blocks, title } = await markdown(
      '# Title #',
      'Two lines',
      'of *one* __paragraph__ with `code *x*` and snake_case.',
      '',
      'Under',
      '=====',
      'lined',
      '---',
      '* first',
      '  goes on',
      '2. second',
      '   - [x] third',
      '',
      '***',
      '> quoted',
      '#hash',
    );
    assert.deepEqual(short(blocks), [
      'h1 Title',
      'Two lines of one paragraph with code *x* and snake_case.',
      'h1 Under',
      'h2 lined',
      '- first goes on',
      '- second',
      '- third',
      'quoted #hash',
    ]);
    assert.equal(title, 'Title');
  });

  test('code and tables', async () => {
    const { blocks } = await markdown(
      '```js',
      'let a = "# no heading";',
      '```',
      '',
      '    indented',
      '',
      '    code',
      '',
      '| a | b \\| c |',
      '|---|:-:|',
      '| [1](u) | **2** |',
      'after',
    );
    assert.deepEqual(short(blocks), ['``` let a = "# no heading";', '``` indented\n\ncode', 'a|b | c / 1|2', 'after']);
  });

  test('links of every kind, images only by their text', async () => {
    const { blocks, links } = await markdown(
      'A [link](a/b.html "tip"), <http://host.test/c>, [named][Ref], [ref], [none], ![alt](i.png),',
      '[![badge](s.svg)](target), <a href="/html">words</a>, http://host.test/bare. [mail](mailto:a@b.test)',
      '',
      '[ref]: <http://host.test/ref> "Title"',
    );
    assert.deepEqual(short(blocks), [
      'A link, http://host.test/c, named, ref, [none], alt, badge, words, http://host.test/bare. mail',
    ]);
    assert.deepEqual(links, [
      { url: 'a/b.html', text: 'link' },
      { url: 'http://host.test/c', text: '' },
      { url: 'http://host.test/ref', text: 'named' },
      { url: 'target', text: 'badge' },
      { url: '/html', text: 'words' },
      { url: 'http://host.test/bare', text: '' },
    ]);
  });

  test('front matter', async () => {
    const document = await markdown(
      '---',
      'title: "The title"',
      'author: Ann',
      'date: 2020-01-02',
      'tags:',
      '  - one',
      '  - two',
      'lang: en',
      '---',
      'Text',
    );
    assert.deepEqual(
      [document.title, document.authors, document.created, document.keywords, document.language],
      ['The title', ['Ann'], Date.UTC(2020, 0, 2), ['one', 'two'], 'en'],
    );
    assert.deepEqual(short(document.blocks), ['Text']);
    assert.deepEqual(short((await markdown('---', 'no end')).blocks), ['no end']);
  });
});

describe('CSV', () => {
  test('delimiters by content, by type, by declaration', async () => {
    assert.equal(delimiterOf('a,b;c\n1,2;3\n'), ',');
    assert.equal(delimiterOf('a;b\n"1,5";2\n3,4;5\n'), ';');
    assert.equal(delimiterOf('a\tb\tc\n1,1\t2\t3'), '\t');
    assert.equal(delimiterOf('words without any'), ',');
    assert.deepEqual(short((await converted('a,b\tc', 'text/tab-separated-values')).blocks), ['a,b|c']);
    assert.deepEqual(short((await converted('sep=|\na|b,c,d', 'text/csv')).blocks), ['a|b,c,d']);
  });

  test('quotes, line breaks in cells, empty rows', async () => {
    const document = await converted('a,"b ""x""\r\nc",d\r\n\r\n,,\n"open,1\n2', 'text/csv');
    assert.deepEqual(short(document.blocks), ['a|b "x" c|d / "open|1 / 2']);
  });

  test('a workbook that is a text', async () => {
    const document = await converted('Name;Number\nx;1\n', 'application/vnd.ms-excel');
    assert.deepEqual(short(document.blocks), ['Name|Number / x|1']);
  });
});

describe('XML', () => {
  test('texts of elements, titles as headings, links', async () => {
    const document = await converted(
      `<?xml version="1.0" encoding="iso-8859-1"?><!DOCTYPE book [<!ENTITY a "b">]><book lang="en"><title>The \xfcber book</title><author>Ann</author>
        <chapter><title>One</title><para>Some <em>mixed</em> text, &a;.</para><ulink url="http://host.test/">there</ulink><![CDATA[<raw>]]></chapter></book>`.replace(
        '\xfc',
        '&#252;',
      ),
      'application/xml',
    );
    assert.deepEqual(short(document.blocks), [
      'h1 The über book',
      'Ann',
      'h2 One',
      'Some mixed text, &a;.',
      'there',
      '<raw>',
    ]);
    assert.deepEqual([document.title, document.authors, document.language], ['The über book', ['Ann'], 'en']);
    assert.deepEqual(document.links, [{ url: 'http://host.test/', text: '' }]);
  });
});
