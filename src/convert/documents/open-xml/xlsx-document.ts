import { BlockFlow, MAX_PARAGRAPH } from '../block-flow.ts';
import type { DocumentBuilder } from '../document-builder.ts';
import type { ZipArchive } from '../packed/zip-archive.ts';
import { TextElements } from '../xml/text-elements.ts';
import { readXmlPart } from '../xml/xml-part.ts';
import type { XmlHandler } from '../xml/xml-reader.ts';
import { readFigures } from './drawing-figures.ts';
import { DrawingText } from './drawing-text.ts';
import { mainPart, partsOfType, type Relationships, readProperties, readRelationships } from './ooxml-package.ts';
import { XlsxFormats } from './xlsx-formats.ts';
import { XlsxSheet } from './xlsx-sheet.ts';
import { XlsxStrings } from './xlsx-strings.ts';

/** Excel's package: each sheet as a heading and a table, then its drawings, charts and comments. */
export function readXlsx(archive: ZipArchive, builder: DocumentBuilder): string | undefined {
  const { maxText, maxPages } = builder.budget.limits;
  const main = mainPart(archive, 'xl/workbook.xml');
  const relationships: Relationships = main === undefined ? new Map() : readRelationships(archive, main);
  const formats = new XlsxFormats();
  const sheets: { name: string; part: string }[] = [];
  const list = new TextElements(
    () => {},
    (tag) => {
      if (tag.name === 'workbookPr') formats.date1904 = /^(?:1|true)$/.test(tag.get('date1904') ?? '');
      const target = tag.name === 'sheet' ? relationships.get(tag.qualified('id') ?? '') : undefined;
      if (target !== undefined && !target.external) sheets.push({ name: tag.get('name') ?? '', part: target.target });
    },
  );
  if (main !== undefined) readXmlPart(archive, main, list);
  if (sheets.length === 0)
    for (const part of archive.names) if (/^xl\/worksheets\/[^/]+\.xml$/i.test(part)) sheets.push({ name: '', part });
  if (sheets.length === 0) return 'no part with a sheet';

  readProperties(archive, builder.facts);
  builder.facts.pages = sheets.length;
  const strings = new XlsxStrings(maxText * 2);
  const [stringsPart = 'xl/sharedStrings.xml'] = partsOfType(relationships, 'sharedStrings');
  readXmlPart(archive, stringsPart, strings, { enough: () => strings.full });
  const [stylesPart = 'xl/styles.xml'] = partsOfType(relationships, 'styles');
  readXmlPart(archive, stylesPart, formats);

  let damage: string | undefined;
  for (const { name, part } of sheets.slice(0, maxPages)) {
    if (builder.full) break;
    const links = readRelationships(archive, part);
    const link = (url: string, text: string) => builder.link(url, text);
    const sheet = new XlsxSheet({ strings, formats, relationships: links, link, maxText });
    const reading = readXmlPart(archive, part, sheet, { enough: () => sheet.full });
    if (reading === 'damaged') damage = 'a sheet is damaged';
    const before = builder.size;
    if (sheet.rows.length > 0) builder.heading(2, name);
    builder.table(sheet.rows);
    if (sheet.full) builder.cutAt('text');
    for (const margin of sheet.margins) builder.paragraph(margin);
    readAround(archive, links, builder);
    // A sheet without anything in it has a name all the same.
    if (builder.size === before) builder.heading(2, name);
  }
  if (sheets.length > maxPages) builder.cutAt('pages');
  return damage;
}

/** What stands on and beside the cells: shapes with text, charts, diagrams, comments. */
function readAround(archive: ZipArchive, links: Relationships, builder: DocumentBuilder): void {
  const enough = () => builder.full;
  for (const part of partsOfType(links, 'drawing')) {
    const relationships = readRelationships(archive, part);
    const flow = new BlockFlow(builder, builder.budget.limits.maxText);
    const link = (url: string, text: string) => builder.link(url, text);
    readXmlPart(archive, part, new DrawingText(flow, { relationships, link }), { enough });
    flow.end();
    readFigures(archive, relationships, builder);
  }
  const threads = partsOfType(links, 'threadedComment');
  for (const part of threads) {
    const comment = new TextElements((name, text) => {
      if (name === 'text') builder.paragraph(text);
    });
    readXmlPart(archive, part, comment, { enough });
  }
  // Programs that know no threads find a copy among the plain comments.
  if (threads.length === 0)
    for (const part of partsOfType(links, 'comments'))
      readXmlPart(archive, part, new CellComments(builder), { enough });
}

class CellComments implements XmlHandler {
  readonly #builder: DocumentBuilder;
  #text = '';
  #inText = false;

  constructor(builder: DocumentBuilder) {
    this.#builder = builder;
  }

  open(tag: { readonly name: string }): boolean {
    if (tag.name === 't') this.#inText = true;
    return tag.name !== 'rPh' && tag.name !== 'authors';
  }

  close(name: string): void {
    if (name === 't') this.#inText = false;
    if (name !== 'comment') return;
    this.#builder.paragraph(this.#text);
    this.#text = '';
  }

  text(text: string): void {
    if (this.#inText && this.#text.length < MAX_PARAGRAPH) this.#text += text;
  }
}
