import { readW3cDate } from '../../../base/dates/w3c-date.ts';
import { BlockFlow } from '../block-flow.ts';
import type { DocumentBuilder } from '../document-builder.ts';
import { LinesOnce } from '../texts/lines-once.ts';
import { TextElements } from '../xml/text-elements.ts';
import { readXmlPart } from '../xml/xml-part.ts';
import { OdfContent } from './odf-content.ts';
import type { ZipArchive } from './zip-archive.ts';

const MAX_EXTRA_PARTS = 500;

/** OpenDocument's package: content, what is embedded in it, margins and backgrounds, and the source of its macros. */
export function readOdf(archive: ZipArchive, builder: DocumentBuilder): string | undefined {
  if (isEncrypted(archive)) return 'encrypted';
  if (!archive.has('content.xml')) return 'no part with the text of the document';
  readMeta(archive, builder);
  const { maxText, maxPages } = builder.budget.limits;
  const enough = () => builder.full;
  const link = (url: string, text: string) => builder.link(url, text);
  let pages = 0;
  const page = (name: string): boolean => {
    pages++;
    if (pages <= maxPages) builder.heading(2, name);
    else builder.cutAt('pages');
    return pages <= maxPages;
  };
  const read = (part: string) => {
    const flow = new BlockFlow(builder, maxText);
    const reading = readXmlPart(archive, part, new OdfContent(flow, { link, page }), {
      enough: () => flow.full || pages > maxPages,
    });
    flow.end();
    return reading;
  };
  const reading = read('content.xml');
  if (pages > 0) builder.facts.pages = pages;
  const names = archive.names;
  for (const part of names.filter((name) => /^[^/]+\/content\.xml$/.test(name)).slice(0, MAX_EXTRA_PARTS)) read(part);

  const margins = new BlockFlow(new LinesOnce(builder), maxText);
  readXmlPart(archive, 'styles.xml', new OdfContent(margins, { link, page: () => true, margins: true }), { enough });
  margins.end();
  for (const part of names.filter((name) => /^Basic\/[^/]+\/[^/]+\.xml$/i.test(name)).slice(0, MAX_EXTRA_PARTS)) {
    const module = new TextElements((name, text) => {
      if (name === 'module') builder.code(text);
    });
    readXmlPart(archive, part, module, { enough });
  }
  return reading === 'whole' || reading === 'stopped' ? undefined : `the text of the document is ${reading}`;
}

function isEncrypted(archive: ZipArchive): boolean {
  if (archive.has('encrypted-package')) return true;
  let part = '';
  let encrypted = false;
  const manifest = new TextElements(
    () => {},
    (tag) => {
      if (tag.name === 'file-entry') part = tag.get('full-path') ?? '';
      else if (tag.name === 'encryption-data' && (part === 'content.xml' || part === '')) encrypted = true;
    },
  );
  readXmlPart(archive, 'META-INF/manifest.xml', manifest);
  return encrypted;
}

function readMeta(archive: ZipArchive, builder: DocumentBuilder): void {
  const { facts } = builder;
  const authors: string[] = [];
  const keywords: string[] = [];
  let editor: string | undefined;
  let subject: string | undefined;
  const meta = new TextElements(
    (name, text) => {
      if (name === 'title') facts.title ??= text;
      else if (name === 'initial-creator') authors.push(text);
      else if (name === 'creator') editor ??= text;
      else if (name === 'description') facts.description ??= text;
      else if (name === 'subject') subject ??= text;
      else if (name === 'keyword') keywords.push(...text.split(/[,;]/));
      else if (name === 'language') facts.language ??= text.trim();
      else if (name === 'creation-date') facts.created ??= readW3cDate(text)?.at;
      else if (name === 'date') facts.modified ??= readW3cDate(text)?.at;
    },
    (tag) => {
      const pages = tag.name === 'document-statistic' ? Number(tag.get('page-count') ?? tag.get('table-count')) : 0;
      if (Number.isSafeInteger(pages) && pages > 0) facts.pages = pages;
    },
  );
  readXmlPart(archive, 'meta.xml', meta);
  if (subject !== undefined) {
    if (facts.description === undefined) facts.description = subject;
    else keywords.push(subject);
  }
  if (authors.length === 0 && editor !== undefined) authors.push(editor);
  facts.authors = authors;
  facts.keywords = keywords;
}
