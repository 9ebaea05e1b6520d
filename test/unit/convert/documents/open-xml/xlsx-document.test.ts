import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { converted, relationships, short, xlsx } from '../office-files.ts';

const c = (reference: string, value: string, more = '') => `<c r="${reference}" ${more}><v>${value}</v></c>`;
const rows = (...list: string[]) => `<sheetData>${list.map((row) => `<row>${row}</row>`).join('')}</sheetData>`;

describe('XLSX', () => {
  test('sheets as headings and tables; shared, inline and computed strings', async () => {
    const document = await converted(
      xlsx(
        {
          Fruit: rows(
            c('A1', '0', 't="s"') + c('B1', '1', 't="s"'),
            `${c('A2', 'done', 't="str"')}<c r="B2" t="inlineStr"><is><t>in </t><r><t>line</t></r></is></c>`,
            '',
            `${c('A4', '1', 't="b"')}<c r="D4"><f>A1+1</f><v>42</v></c>${c('E4', '#N/A', 't="e"')}`,
          ),
          Empty: '<sheetData/>',
        },
        {
          'xl/sharedStrings.xml': '<sst><si><t>Name</t></si><si><r><t>日本</t></r><rPh><t>ニホン</t></rPh></si></sst>',
        },
      ),
    );
    assert.deepEqual(short(document.blocks), [
      'h2 Fruit',
      'Name|日本 ニホン / done|in line / TRUE|||42|#N/A',
      'h2 Empty',
    ]);
    assert.equal(document.pages, 2);
  });

  test('numbers and dates by their format', async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-409]d\\-mmm\\-yy;@"/><numFmt numFmtId="165" formatCode="0.0&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="10"/><xf numFmtId="165"/></cellXfs></styleSheet>`;
    const sheet = rows(
      c('A1', '0.1') + c('B1', '123456789012345') + c('C1', '0.30000000000000004') + c('D1', '1E3'),
      c('A2', '39448', 's="1"') + c('B2', '39448.5', 's="2"') + c('C2', '39448', 's="3"'),
      c('A3', '0.025', 's="4"') + c('B3', '2.5', 's="5"') + c('C3', '2008-01-01T00:00:00', 't="d"'),
    );
    const document = await converted(xlsx({ S: sheet }, { 'xl/styles.xml': styles }));
    assert.deepEqual(short(document.blocks).slice(1), [
      '0.1|123456789012345|0.3|1000 / 2008-01-01|2008-01-01 12:00|2008-01-01 / 2.50%|2.5 days|2008-01-01',
    ]);
  });

  test('links, comments, text boxes, margins', async () => {
    const sheet = `${rows(c('A1', '7'), '<c r="A2"><f>HYPERLINK("http://host.test/f","go")</f><v>go</v></c>')}<hyperlinks><hyperlink ref="A1" r:id="h"/></hyperlinks><headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Top &amp;P</oddHeader></headerFooter>`;
    const document = await converted(
      xlsx(
        { S: sheet },
        {
          'xl/worksheets/_rels/sheet0.xml.rels': relationships(
            ['h', 'hyperlink', 'http://host.test/', true],
            ['c', 'comments', '../comments1.xml'],
            ['d', 'drawing', '../drawings/drawing1.xml'],
          ),
          'xl/comments1.xml':
            '<comments><authors><author>Ann</author></authors><comment><text><r><t>Ann: </t></r><r><t>why?</t></r></text></comment></comments>',
          'xl/drawings/drawing1.xml':
            '<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>In a box</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>',
        },
      ),
    );
    assert.deepEqual(document.links, [
      { url: 'http://host.test/f', text: 'go' },
      { url: 'http://host.test/', text: '7' },
    ]);
    assert.deepEqual(short(document.blocks), ['h2 S', '7 / go', 'Top', 'In a box', 'Ann: why?']);
  });

  test('far columns move up, pages and text are bounded', async () => {
    const far = await converted(xlsx({ S: rows(c('A1', '1') + c('XFD1', '2')) }));
    const [, table] = far.blocks;
    assert.equal(table.kind === 'table' && table.rows[0].length, 258);
    const many = await converted(xlsx({ a: rows(c('A1', '1')), b: rows(c('A1', '2')) }), undefined, { maxPages: 1 });
    assert.deepEqual([short(many.blocks), many.cut, many.pages], [['h2 a', '1'], 'pages', 2]);
    const long = await converted(xlsx({ a: rows(...Array(100).fill(c('A1', '123456789'))) }), undefined, {
      maxText: 50,
    });
    assert.equal(long.cut, 'text');
    assert.ok(short(long.blocks).join('').length < 100);
  });
});
