import { BlockFlow, type BlockSink } from '../block-flow.ts';
import type { DocumentBuilder } from '../document-builder.ts';
import type { ZipArchive } from '../packed/zip-archive.ts';
import { LinesOnce } from '../texts/lines-once.ts';
import { MarkupBlocks } from '../xml/markup-blocks.ts';
import { readXmlPart } from '../xml/xml-part.ts';
import { DocxBody } from './docx-body.ts';
import { DocxNumbering } from './docx-numbering.ts';
import { DocxStyles } from './docx-styles.ts';
import { readFigures } from './drawing-figures.ts';
import { mainPart, partsOfType, readProperties, readRelationships } from './ooxml-package.ts';

const MAX_MARGIN_PARTS = 200;

/** Word's package: body, pieces of HTML, notes, comments, then the margins, each line once. Returns what was wrong. */
export function readDocx(archive: ZipArchive, builder: DocumentBuilder): string | undefined {
  const body = mainPart(archive, 'word/document.xml');
  if (body === undefined) return 'no part with the text of the document';
  readProperties(archive, builder.facts);
  const relationships = readRelationships(archive, body);
  const styles = new DocxStyles();
  for (const part of partsOfType(relationships, 'styles').slice(0, 1)) readXmlPart(archive, part, styles);
  const numbering = new DocxNumbering();
  for (const part of partsOfType(relationships, 'numbering').slice(0, 1)) readXmlPart(archive, part, numbering);
  if (styles.language !== undefined) builder.facts.language ??= styles.language;

  const read = (part: string, sink: BlockSink) => {
    const flow = new BlockFlow(sink, builder.budget.limits.maxText);
    const links = part === body ? relationships : readRelationships(archive, part);
    const handler = new DocxBody(flow, styles, numbering, links, (url, text) => builder.link(url, text));
    const reading = readXmlPart(archive, part, handler, { enough: () => flow.full });
    flow.end();
    return reading;
  };

  const reading = read(body, builder);
  if (reading === 'encrypted') return 'encrypted';
  for (const part of partsOfType(relationships, 'footnotes', 'endnotes', 'comments')) read(part, builder);
  for (const part of partsOfType(relationships, 'aFChunk')) {
    if (!/\.x?html?$/i.test(part)) continue;
    const flow = new BlockFlow(builder, builder.budget.limits.maxText);
    const chunk = new MarkupBlocks(flow, (url, text) => builder.link(url, text));
    readXmlPart(archive, part, chunk, { markup: true, enough: () => flow.full });
    flow.end();
  }
  readFigures(archive, relationships, builder);
  const margins = new LinesOnce(builder);
  for (const part of partsOfType(relationships, 'header', 'footer').slice(0, MAX_MARGIN_PARTS)) read(part, margins);
  return builder.size === 0 && reading !== 'whole' ? `the text of the document is ${reading}` : undefined;
}
