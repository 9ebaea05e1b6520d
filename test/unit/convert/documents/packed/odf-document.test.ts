import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { convertDocument } from '../../../../../src/convert/documents/convert-document.ts';
import { converted, odf, short } from '../office-files.ts';

describe('OpenDocument', () => {
  test('text: headings, lists, links, notes, tables, deleted text, fields', async () => {
    const document = await converted(
      odf(
        'text',
        `<text:tracked-changes><text:deletion><text:p>deleted</text:p></text:deletion></text:tracked-changes>
        <text:h text:outline-level="2">Head</text:h>
        <text:p>One<text:s text:c="3"/>two<text:tab/><text:a xlink:href="http://host.test/">link</text:a><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>noted</text:p></text:note-body></text:note>.<draw:frame><svg:title>alt</svg:title></draw:frame></text:p>
        <text:list><text:list-item><text:p>point</text:p></text:list-item></text:list>
        <table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>`,
        {
          'meta.xml':
            '<office:meta><dc:title>T</dc:title><meta:initial-creator>Ann</meta:initial-creator><dc:creator>Bob</dc:creator><meta:keyword>k</meta:keyword><meta:creation-date>2011-02-11T00:00:00</meta:creation-date><meta:document-statistic meta:page-count="3"/></office:meta>',
          'styles.xml':
            '<office:document-styles><office:styles><text:p>no</text:p></office:styles><office:master-styles><style:master-page><style:footer><text:p>Our footer</text:p><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer></style:master-page></office:master-styles></office:document-styles>',
          'Basic/Standard/Module1.xml': '<script:module>Sub Main\n  Beep\nEnd Sub</script:module>',
        },
      ),
    );
    assert.deepEqual(short(document.blocks), [
      'h2 Head',
      'noted',
      'One two link.',
      '- point',
      'a|b',
      'Our footer',
      '``` Sub Main\n  Beep\nEnd Sub',
    ]);
    assert.deepEqual(document.links, [{ url: 'http://host.test/', text: 'link' }]);
    assert.deepEqual([document.title, document.authors, document.keywords], ['T', ['Ann'], ['k']]);
    assert.deepEqual([document.created, document.pages], [Date.UTC(2011, 1, 11), 3]);
  });

  test('sheets: names, dates in ISO form, values without text, repeats within bounds', async () => {
    const cell = (text: string, more = '') =>
      `<table:table-cell ${more}>${text === '' ? '' : `<text:p>${text}</text:p>`}</table:table-cell>`;
    const row = (cells: string, more = '') => `<table:table-row ${more}>${cells}</table:table-row>`;
    const document = await converted(
      odf(
        'spreadsheet',
        `<table:table table:name="First">${row(
          cell('x', 'table:number-columns-repeated="2"') +
            cell('', 'table:number-columns-repeated="3"') +
            cell('1.2.99', 'office:value-type="date" office:date-value="1999-02-01"') +
            cell('', 'office:value-type="float" office:value="5"'),
        )}${row(cell('', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048576"')}</table:table>
        <table:table table:name="Second">${row(cell('y', 'table:number-columns-repeated="9999999"'), 'table:number-rows-repeated="9999999"')}</table:table>`,
      ),
      undefined,
      { maxText: 50_000 },
    );
    assert.deepEqual(short(document.blocks).slice(0, 3), ['h2 First', 'x|x||||1999-02-01|5', 'h2 Second']);
    assert.equal(document.cut, 'text');
    assert.ok(short(document.blocks).join('').length < 200_000);
  });

  test('slides: titles, placeholders that wait, notes', async () => {
    const frame = (text: string, more: string) =>
      `<draw:frame ${more}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
    const document = await converted(
      odf(
        'presentation',
        `<draw:page draw:name="page1">${frame('Title', 'presentation:class="title"')}${frame('Click', 'presentation:class="outline" presentation:placeholder="true"')}${frame('free', '')}<presentation:notes>${frame('say', 'presentation:class="notes"')}</presentation:notes></draw:page>`,
      ),
    );
    assert.deepEqual(short(document.blocks), ['h2 Title', 'free', 'say']);
    assert.equal(document.pages, 1);
  });

  test('locked with a password', async () => {
    const manifest =
      '<manifest:manifest><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
    const conversion = await convertDocument(odf('text', '', { 'META-INF/manifest.xml': manifest }));
    assert.equal(conversion.kind === 'unreadable' && conversion.why, 'encrypted');
  });
});
