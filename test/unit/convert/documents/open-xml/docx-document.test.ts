import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { strToU8 } from 'fflate';
import { archive, converted, docx, p, relationships, short } from '../office-files.ts';

const blocksOf = async (body: string, parts?: Record<string, string>) =>
  short((await converted(docx(body, parts))).blocks);

describe('DOCX', () => {
  test('headings by style: built in, localized, derived, by outline', async () => {
    const style = (id: string, name: string, more = '') =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
    const parts = {
      'word/_rels/document.xml.rels': relationships(['rId1', 'styles', 'styles.xml']),
      'word/styles.xml': `<w:styles><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:rPrDefault></w:docDefaults>${[
        style('berschrift1', 'heading 1', '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'),
        style('Kapitel', 'Kapitel', '<w:basedOn w:val="berschrift1"/>'),
        style('Titel', 'Title'),
        style('Frei', 'Frei', '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>'),
        style('Liste', 'List Bullet'),
        style('A', 'a', '<w:basedOn w:val="B"/>'),
        style('B', 'b', '<w:basedOn w:val="A"/>'),
      ].join('')}</w:styles>`,
    };
    const pStyle = (id: string) => `<w:pStyle w:val="${id}"/>`;
    const body = [
      p('Whole', pStyle('Titel')),
      p('One', pStyle('berschrift1')),
      p('Two', pStyle('Kapitel')),
      p('Three', pStyle('Frei')),
      p('Own', '<w:outlineLvl w:val="1"/>'),
      p('None', `${pStyle('berschrift1')}<w:outlineLvl w:val="9"/>`),
      p('Round', pStyle('A')),
      p('Point', pStyle('Liste')),
      p('Unknown', pStyle('Heading4')),
      p('Past', `<w:pPrChange><w:pPr>${pStyle('berschrift1')}</w:pPr></w:pPrChange>`),
    ].join('');
    const document = await converted(docx(body, parts));
    assert.deepEqual(short(document.blocks), [
      'h1 Whole',
      'h1 One',
      'h1 Two',
      'h3 Three',
      'h2 Own',
      'None',
      'Round',
      '- Point',
      'h4 Unknown',
      'Past',
    ]);
    assert.equal(document.title, 'Whole');
    assert.equal(document.language, 'de-DE');
  });

  test('lists, tables, nested tables, a table of one cell', async () => {
    const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
    const inner = `<w:tbl><w:tr>${cell(p('in 1'))}${cell(p('in 2'))}</w:tr></w:tbl>`;
    const body =
      p('Item', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr>') +
      p('No item', '<w:numPr><w:numId w:val="0"/></w:numPr>') +
      `<w:tbl><w:tr>${cell(p('a') + p('b'))}${cell(p('wide'), '<w:gridSpan w:val="2"/>')}${cell(p('c'))}</w:tr><w:tr>${cell(inner)}${cell('<w:p/>')}</w:tr></w:tbl>` +
      `<w:tbl><w:tr>${cell(p('Head', '<w:outlineLvl w:val="0"/>') + p('framed'))}</w:tr></w:tbl>`;
    assert.deepEqual(await blocksOf(body), ['- Item', 'No item', 'a b|wide||c / in 1 in 2', 'h1 Head', 'framed']);
  });

  test('numbers of lists and headings as they are shown', async () => {
    const level = (at: number, format: string, text: string, more = '') =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>${more}</w:lvl>`;
    const parts = {
      'word/_rels/document.xml.rels': relationships(['n', 'numbering', 'numbering.xml'], ['s', 'styles', 'styles.xml']),
      'word/styles.xml':
        '<w:styles><w:style w:styleId="H2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>',
      'word/numbering.xml': `<w:numbering><w:abstractNum w:abstractNumId="7">${level(0, 'upperRoman', '%1)')}${level(1, 'decimal', '%1.%2', '<w:isLgl/><w:pStyle w:val="H2"/>')}</w:abstractNum><w:abstractNum w:abstractNumId="8">${level(0, 'bullet', '*')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="9"/></w:lvlOverride></w:num></w:numbering>`,
    };
    const inList = (list: number) => `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr>`;
    const body = [
      p('one', inList(1)),
      p('two', inList(1)),
      p('', inList(1)),
      p('Head', '<w:pStyle w:val="H2"/>'),
      p('Head', '<w:pStyle w:val="H2"/>'),
      p('bullet', inList(2)),
      p('four', inList(1)),
      p('Head', '<w:pStyle w:val="H2"/>'),
      p('nine', inList(3)),
      p('ten', inList(3)),
      p('unknown', inList(99)),
    ].join('');
    assert.deepEqual(await blocksOf(body, parts), [
      '- I) one',
      '- II) two',
      'h2 3.1 Head',
      'h2 3.2 Head',
      '- bullet',
      '- IV) four',
      'h2 4.1 Head',
      '- IX) nine',
      '- X) ten',
      '- unknown',
    ]);
  });

  test('links by relationship and by field', async () => {
    const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const body = `<w:p><w:r><w:t>See </w:t></w:r><w:hyperlink r:id="rId7"><w:r><w:t>the page</w:t></w:r></w:hyperlink><w:hyperlink w:anchor="x"><w:r><w:t> there</w:t></w:r></w:hyperlink>${field('begin')}<w:r><w:instrText> HYPERLINK "http://host.test/f" </w:instrText></w:r>${field('separate')}<w:r><w:t>by field</w:t></w:r>${field('end')}<w:fldSimple w:instr='HYPERLINK "http://host.test/s"'><w:r><w:t>simple</w:t></w:r></w:fldSimple></w:p>`;
    const document = await converted(
      docx(body, {
        'word/_rels/document.xml.rels': relationships(
          ['rId7', 'hyperlink', 'http://host.test/a?b=1&amp;c=2', true],
          ['rId8', 'attachedTemplate', 'http://evil.test/t', true],
        ),
      }),
    );
    assert.deepEqual(document.links, [
      { url: 'http://host.test/a?b=1&c=2', text: 'the page' },
      { url: 'http://host.test/f', text: 'by field' },
      { url: 'http://host.test/s', text: 'simple' },
    ]);
    assert.deepEqual(short(document.blocks), ['See the page thereby fieldsimple']);
  });

  test('deleted and moved text is gone, inserted text there', async () => {
    const body = `<w:p><w:ins><w:r><w:t>new </w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText><w:t>old</w:t></w:r></w:del><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:r><w:t>kept</w:t></w:r></w:p>`;
    assert.deepEqual(await blocksOf(body), ['new kept']);
  });

  test('text boxes once, tabs, breaks, hyphens, symbols, ruby', async () => {
    const box = `<w:txbxContent>${p('boxed')}</w:txbxContent>`;
    const body = `<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing>${box}</w:drawing></mc:Choice><mc:Fallback><w:pict>${box}</w:pict></mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:sym w:char="F0B7"/><w:sym w:char="2192"/></w:r><w:ruby><w:rt><w:r><w:t>kana</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>kanji</w:t></w:r></w:rubyBase></w:ruby></w:p>`;
    assert.deepEqual(await blocksOf(body), ['boxed', 'a b c-d →kanji (kana)']);
  });

  test('notes, comments, charts, headers and footers follow the body, the latter once', async () => {
    const part = (root: string, text: string) => `<w:${root}>${p(text)}</w:${root}>`;
    const blocks = await blocksOf(p('Body'), {
      'word/_rels/document.xml.rels': relationships(
        ['r1', 'header', 'header1.xml'],
        ['r2', 'header', '/word/header2.xml'],
        ['r3', 'footnotes', 'footnotes.xml'],
        ['r4', 'comments', 'comments.xml'],
        ['r5', 'chart', 'charts/chart1.xml'],
        ['r6', 'footer', 'footer1.xml'],
      ),
      'word/header1.xml': part('hdr', 'Head'),
      'word/header2.xml': part('hdr', 'Head'),
      'word/footer1.xml': part('ftr', 'Foot'),
      'word/footnotes.xml': `<w:footnotes><w:footnote>${p('Note')}</w:footnote></w:footnotes>`,
      'word/comments.xml': `<w:comments><w:comment>${p('Remark')}</w:comment></w:comments>`,
      'word/charts/chart1.xml':
        '<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Fruit</a:t></a:r></a:p></c:rich></c:tx></c:title><c:ser><c:tx><c:strRef><c:f>A1</c:f><c:strCache><c:pt><c:v>kg</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strCache><c:pt><c:v>May</c:v></c:pt><c:pt><c:v>June</c:v></c:pt></c:strCache></c:cat><c:val><c:numCache><c:formatCode>0</c:formatCode><c:pt><c:v>1</c:v></c:pt><c:pt><c:v>2</c:v></c:pt></c:numCache></c:val></c:ser></c:chart>',
    });
    assert.deepEqual(blocks, ['Body', 'Note', 'Remark', 'Fruit', '|May|June / kg|1|2', 'Head', 'Foot']);
  });

  test('what the document says of itself', async () => {
    const document = await converted(
      docx(p('x'), {
        'docProps/core.xml':
          '<cp:coreProperties><dc:title>The title</dc:title><dc:creator>Ann;Bob</dc:creator><dc:subject>Subject</dc:subject><dc:description>About &amp; so on</dc:description><cp:keywords>one, two;three</cp:keywords><dcterms:created>2011-09-05T11:00:00Z</dcterms:created><dcterms:modified>2011-09-05T11:00:00+02:00</dcterms:modified><dc:language>en-GB</dc:language></cp:coreProperties>',
        'docProps/app.xml': '<Properties><Pages>7</Pages></Properties>',
      }),
    );
    const { blocks, links, ...facts } = document;
    assert.deepEqual(facts, {
      title: 'The title',
      authors: ['Ann', 'Bob'],
      description: 'About & so on',
      keywords: ['one', 'two', 'three', 'Subject'],
      created: Date.UTC(2011, 8, 5, 11),
      modified: Date.UTC(2011, 8, 5, 9),
      language: 'en-GB',
      pages: 7,
    });
  });

  test('UTF-16, other prefixes, other part names', async () => {
    const xml =
      '<?xml version="1.0" encoding="UTF-16"?><n0:document><n0:body><n0:p><n0:r><n0:t>Grüße</n0:t></n0:r></n0:p></n0:body></n0:document>';
    const bytes = archive({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': relationships(['rId1', 'officeDocument', '/word/document2.xml']),
      'word/document2.xml': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(xml, 'utf16le')]),
    });
    assert.deepEqual(short((await converted(bytes)).blocks), ['Grüße']);
  });

  test('entities of a document type are neither expanded nor fetched', async () => {
    const bytes = archive({
      '[Content_Types].xml': '<Types/>',
      'word/document.xml': strToU8(
        '<!DOCTYPE d [<!ENTITY a "lol"><!ENTITY x SYSTEM "file:///secret">]><w:document><w:p><w:t>[&a;][&x;]</w:t></w:p></w:document>',
      ),
    });
    assert.deepEqual(short((await converted(bytes)).blocks), ['[&a;][&x;]']);
  });
});
