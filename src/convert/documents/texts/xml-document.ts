import { MAX_PARAGRAPH } from '../block-flow.ts';
import type { DocumentBuilder } from '../document-builder.ts';
import { type XmlHandler, XmlReader } from '../xml/xml-reader.ts';
import type { XmlTag } from '../xml/xml-tag.ts';

const PIECE = 64 * 1024;
const TITLES = new Set(['title', 'heading', 'head', 'headline', 'subtitle', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const AUTHORS = new Set(['author', 'creator']);
const UNWANTED = new Set(['script', 'style', 'binary-data']);

/** Any XML: the text of its elements, those named like titles as headings. */
export function readXml(text: string, builder: DocumentBuilder): void {
  const reader = new XmlReader(new XmlBlocks(builder));
  for (let at = 0; at < text.length && !builder.full && builder.budget.hasTime(); at += PIECE)
    reader.write(text.slice(at, at + PIECE));
  reader.end();
}

/** A paragraph ends with the element in which its first text began: what is inside that is part of the sentence. */
class XmlBlocks implements XmlHandler {
  readonly #builder: DocumentBuilder;
  #depth = 0;
  /** Depth of the element in which the open paragraph began; 0 when there is none. */
  #began = 0;
  #text = '';

  constructor(builder: DocumentBuilder) {
    this.#builder = builder;
    builder.facts.authors = [];
  }

  open(tag: XmlTag): boolean {
    if (UNWANTED.has(tag.name)) return false;
    this.#depth++;
    if (this.#depth === 1) this.#builder.facts.language ??= tag.get('lang');
    const address = tag.get('href') ?? tag.get('url');
    if (address !== undefined && /^(?:https?:\/\/|\/|\.\.?\/)/i.test(address)) this.#builder.link(address, '');
    return true;
  }

  close(name: string): void {
    if (this.#began === this.#depth) this.#flush(name);
    else if (this.#began > 0) this.#text += ' ';
    this.#depth--;
  }

  text(text: string): void {
    if (this.#began === 0) {
      if (text.trim() === '') return;
      this.#began = this.#depth;
    }
    this.#text += text;
    if (this.#text.length > MAX_PARAGRAPH) this.#flush('');
  }

  #flush(name: string): void {
    const text = this.#text.trim();
    this.#text = '';
    this.#began = 0;
    const local = name.toLowerCase();
    if (TITLES.has(local)) {
      this.#builder.facts.title ??= text;
      this.#builder.heading(Math.max(1, this.#depth - 1), text);
      return;
    }
    if (AUTHORS.has(local) && text.length < 200) this.#builder.facts.authors?.push(text);
    if (/^https?:\/\/\S+$/.test(text)) this.#builder.link(text, '');
    this.#builder.paragraph(text);
  }
}
