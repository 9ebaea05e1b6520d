import type { DocumentBlock } from '../../../contracts/content/document.ts';
import { BlockFlow } from '../block-flow.ts';
import type { DocumentBuilder } from '../document-builder.ts';
import type { ZipArchive } from '../packed/zip-archive.ts';
import { TextElements } from '../xml/text-elements.ts';
import { readXmlPart } from '../xml/xml-part.ts';
import { readFigures } from './drawing-figures.ts';
import { DrawingText } from './drawing-text.ts';
import { mainPart, partsOfType, type Relationships, readProperties, readRelationships } from './ooxml-package.ts';

/** Placeholders without words. */
const WORDLESS = new Set(['sldNum', 'sldImg']);

/** PowerPoint's package: slides in the order of the presentation, each followed by its notes and comments. */
export function readPptx(archive: ZipArchive, builder: DocumentBuilder): string | undefined {
  const main = mainPart(archive, 'ppt/presentation.xml');
  const slides = main === undefined ? [] : slidesInOrder(archive, main);
  if (slides.length === 0) slides.push(...archive.names.filter((name) => /^ppt\/slides\/[^/]+\.xml$/i.test(name)));
  if (slides.length === 0 && main === undefined) return 'no part with slides';
  readProperties(archive, builder.facts);
  builder.facts.pages = slides.length;
  const reader = new SlideReader(archive, builder);
  for (const slide of slides.slice(0, builder.budget.limits.maxPages)) {
    if (builder.full) break;
    reader.readSlide(slide);
  }
  if (slides.length > builder.budget.limits.maxPages) builder.cutAt('pages');
  return undefined;
}

function slidesInOrder(archive: ZipArchive, main: string): string[] {
  const relationships = readRelationships(archive, main);
  const slides: string[] = [];
  const reader = new TextElements(
    () => {},
    (tag) => {
      if (tag.name !== 'sldId') return;
      const target = relationships.get(tag.qualified('id') ?? '');
      if (target !== undefined && !target.external && archive.has(target.target)) slides.push(target.target);
    },
  );
  readXmlPart(archive, main, reader);
  return slides.length > 0 ? slides : partsOfType(relationships, 'slide').filter((name) => archive.has(name));
}

/** After this many different lines the margins of a presentation are no longer listened to. */
const MAX_TOLD = 10_000;

class SlideReader {
  readonly #archive: ZipArchive;
  readonly #builder: DocumentBuilder;
  /** Layouts and masters whose own text was told, and lines of margins. */
  readonly #told = new Set<string>();

  constructor(archive: ZipArchive, builder: DocumentBuilder) {
    this.#archive = archive;
    this.#builder = builder;
  }

  readSlide(name: string): void {
    const relationships = readRelationships(this.#archive, name);
    const { title, blocks } = this.#read(name, relationships, (type) => type === undefined || !WORDLESS.has(type));
    this.#builder.heading(2, title);
    for (const block of blocks) this.#builder.add(block);
    readFigures(this.#archive, relationships, this.#builder);
    for (const notes of partsOfType(relationships, 'notesSlide')) {
      const said = this.#read(
        notes,
        readRelationships(this.#archive, notes),
        (type) => type === 'body' || type === undefined,
      );
      for (const block of said.blocks)
        this.#builder.add(block.kind === 'item' ? { kind: 'paragraph', text: block.text } : block);
    }
    for (const comments of partsOfType(relationships, 'comments')) this.#readComments(comments);
    for (const layout of partsOfType(relationships, 'slideLayout')) {
      this.#readBackground(layout);
      for (const master of partsOfType(readRelationships(this.#archive, layout), 'slideMaster'))
        this.#readBackground(master);
    }
  }

  /** What stands on every slide of a layout: its shapes that are not there to be filled, and its footer. */
  #readBackground(name: string): void {
    if (this.#told.has(name)) return;
    this.#told.add(name);
    const { blocks } = this.#read(
      name,
      readRelationships(this.#archive, name),
      (type) => type === undefined || type === 'ftr',
    );
    for (const block of blocks) this.#builder.add(block);
  }

  #readComments(name: string): void {
    const comment = new TextElements((element, text) => {
      if (element === 'text' || element === 't') this.#builder.paragraph(text);
    });
    readXmlPart(this.#archive, name, comment, { enough: () => this.#builder.full });
  }

  #read(
    name: string,
    relationships: Relationships,
    wanted: (placeholder: string | undefined) => boolean,
  ): { readonly title: string; readonly blocks: readonly DocumentBlock[] } {
    const blocks: DocumentBlock[] = [];
    const { maxText } = this.#builder.budget.limits;
    let room = maxText;
    const sink = {
      cutAt: (cut: 'text') => this.#builder.cutAt(cut),
      get full() {
        return room < 0;
      },
      add(block: DocumentBlock) {
        room -= block.kind === 'table' ? 0 : block.text.length;
        blocks.push(block);
      },
    };
    const flow = new BlockFlow(sink, maxText);
    const text = new DrawingText(flow, {
      relationships,
      wanted,
      link: (url, said) => this.#builder.link(url, said),
      margin: (said) => {
        const key = `margin ${said.trim()}`;
        if (this.#told.size >= MAX_TOLD || this.#told.has(key)) return;
        this.#told.add(key);
        sink.add({ kind: 'paragraph', text: said });
      },
    });
    readXmlPart(this.#archive, name, text, { enough: () => flow.full });
    flow.end();
    return { title: text.title, blocks };
  }
}
