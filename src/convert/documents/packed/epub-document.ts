import { readW3cDate } from '../../../base/dates/w3c-date.ts';
import { BlockFlow } from '../block-flow.ts';
import type { DocumentBuilder, DocumentFacts } from '../document-builder.ts';
import { partName } from '../open-xml/ooxml-package.ts';
import { MarkupBlocks } from '../xml/markup-blocks.ts';
import { TextElements } from '../xml/text-elements.ts';
import { readXmlPart } from '../xml/xml-part.ts';
import type { XmlHandler } from '../xml/xml-reader.ts';
import type { XmlTag } from '../xml/xml-tag.ts';
import type { ZipArchive } from './zip-archive.ts';

/** An e-book: its chapters in the order of reading. */
export function readEpub(archive: ZipArchive, builder: DocumentBuilder): string | undefined {
  const packagePart = packageOf(archive);
  if (packagePart === undefined) return 'no list of chapters';
  const book = new PackageReader(builder.facts);
  readXmlPart(archive, packagePart, book);
  const folder = packagePart.slice(0, packagePart.lastIndexOf('/') + 1);
  const chapters = book.chapters().map((path) => partName(folder, path));
  const locked = encryptedParts(archive);
  if (chapters.length > 0 && chapters.every((chapter) => locked.has(chapter))) return 'encrypted';
  builder.facts.pages = chapters.length;
  const { maxPages, maxText } = builder.budget.limits;
  // Links between chapters lead to nothing that could be fetched.
  const link = (url: string, text: string) => {
    if (/^(?:https?|ftp):/i.test(url.trim())) builder.link(url, text);
  };
  for (const chapter of chapters.slice(0, maxPages)) {
    if (builder.full) break;
    const flow = new BlockFlow(builder, maxText);
    readXmlPart(archive, chapter, new MarkupBlocks(flow, link), { markup: true, enough: () => flow.full });
    flow.end();
  }
  if (chapters.length > maxPages) builder.cutAt('pages');
  return builder.size === 0 ? 'no chapter could be read' : undefined;
}

function packageOf(archive: ZipArchive): string | undefined {
  let found: string | undefined;
  const container = new TextElements(
    () => {},
    (tag) => {
      if (tag.name === 'rootfile') found ??= tag.get('full-path');
    },
  );
  readXmlPart(archive, 'META-INF/container.xml', container);
  const named = found === undefined ? undefined : partName('', found);
  if (named !== undefined && archive.has(named)) return named;
  return archive.names.find((name) => name.toLowerCase().endsWith('.opf'));
}

/** Parts under lock, fonts that are merely disguised not counted. */
function encryptedParts(archive: ZipArchive): Set<string> {
  const parts = new Set<string>();
  const reader = new TextElements(
    () => {},
    (tag) => {
      const path = tag.name === 'CipherReference' ? tag.get('URI') : undefined;
      if (path !== undefined) parts.add(partName('', path));
    },
  );
  readXmlPart(archive, 'META-INF/encryption.xml', reader);
  return parts;
}

/** Metadata, manifest and spine of the package document. */
class PackageReader implements XmlHandler {
  readonly #facts: DocumentFacts;
  readonly #manifest = new Map<string, { readonly path: string; readonly type: string }>();
  readonly #spine: string[] = [];
  readonly #authors: string[] = [];
  readonly #keywords: string[] = [];
  #property: string | undefined;
  #text = '';

  constructor(facts: DocumentFacts) {
    this.#facts = facts;
    facts.authors = this.#authors;
    facts.keywords = this.#keywords;
  }

  /** Paths in reading order; all chapters of the manifest where no order is given. */
  chapters(): string[] {
    const listed = this.#spine.flatMap((id) => this.#manifest.get(id)?.path ?? []);
    if (listed.length > 0) return listed;
    return [...this.#manifest.values()].filter(({ type }) => /html/.test(type)).map(({ path }) => path);
  }

  open(tag: XmlTag): boolean {
    this.#text = '';
    const id = tag.get('id');
    if (tag.name === 'item' && id !== undefined)
      this.#manifest.set(id, { path: tag.get('href') ?? '', type: tag.get('media-type') ?? '' });
    else if (tag.name === 'itemref') this.#spine.push(tag.get('idref') ?? '');
    this.#property = tag.name === 'meta' ? tag.get('property') : undefined;
    return true;
  }

  close(name: string): void {
    const text = this.#text.trim();
    this.#text = '';
    if (text === '') return;
    if (name === 'title') this.#facts.title ??= text;
    else if (name === 'creator') this.#authors.push(text);
    else if (name === 'subject') this.#keywords.push(text);
    else if (name === 'description') this.#facts.description ??= text.replace(/<[^<>]*>/g, ' ');
    else if (name === 'language') this.#facts.language ??= text;
    else if (name === 'date') this.#facts.created ??= readW3cDate(text)?.at;
    else if (name === 'meta' && this.#property === 'dcterms:modified') this.#facts.modified ??= readW3cDate(text)?.at;
  }

  text(text: string): void {
    if (this.#text.length < 100_000) this.#text += text;
  }
}
