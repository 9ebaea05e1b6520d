import { type BlockFlow, MAX_PARAGRAPH } from '../block-flow.ts';
import type { XmlHandler } from '../xml/xml-reader.ts';
import type { XmlTag } from '../xml/xml-tag.ts';

interface Paragraph {
  text: string;
  readonly level: number | undefined;
  readonly item: boolean;
}

export interface OdfContentOptions {
  readonly link: (url: string, text: string) => void;
  /** A new sheet or slide begins; false where no more are wanted. */
  readonly page: (name: string) => boolean;
  /** Only what stands in the margins and on the backgrounds of pages; fields are left out. */
  readonly margins?: boolean;
}

/** Deleted text, controls, pictures, and what only programs read. */
const UNWANTED = new Set([
  'tracked-changes',
  'forms',
  'binary-data',
  'scripts',
  'event-listeners',
  'note-citation',
  'font-face-decls',
  'automatic-styles',
  'table-of-content-source',
  'settings',
]);
const FIELDS = new Set(['page-number', 'page-count', 'sheet-name', 'date', 'time', 'title', 'file-name']);

/** The text of OpenDocument: writings, sheets and slides alike. */
export class OdfContent implements XmlHandler {
  readonly #flow: BlockFlow;
  readonly #options: OdfContentOptions;
  readonly #paragraphs: Paragraph[] = [];
  readonly #links: { readonly url: string; readonly start: number }[] = [];
  #inBody: boolean;
  #listDepth = 0;
  #isTitle = false;
  #isSheet = false;
  #tables = 0;
  /** What a cell holds where it shows no text. */
  #cellValue = '';
  #cellDate = false;

  constructor(flow: BlockFlow, options: OdfContentOptions) {
    this.#flow = flow;
    this.#options = options;
    this.#inBody = options.margins !== true;
  }

  open(tag: XmlTag): boolean {
    const { name } = tag;
    if (UNWANTED.has(name) || ((name === 'title' || name === 'desc') && tag.prefix === 'svg')) return false;
    if (this.#options.margins === true) {
      if (name === 'master-styles') this.#inBody = true;
      if (FIELDS.has(name)) return false;
      // Shapes with a class wait for the text of a slide.
      if (name === 'frame' && tag.get('class') !== undefined) return false;
      if (name === 'notes') return false;
    }
    const paragraph = this.#paragraphs.at(-1);
    switch (name) {
      case 'p':
      case 'h':
      case 'header-decl':
      case 'footer-decl':
      case 'date-time-decl':
        this.#paragraphs.push({ text: '', level: this.#level(tag), item: this.#listDepth > 0 });
        break;
      case 's':
      case 'tab':
      case 'line-break':
        if (paragraph !== undefined) paragraph.text += ' ';
        break;
      case 'ruby-text':
        if (paragraph !== undefined) paragraph.text += ' (';
        break;
      case 'a':
        this.#links.push({ url: tag.get('href') ?? '', start: paragraph?.text.length ?? 0 });
        break;
      case 'list-item':
      case 'list-header':
        this.#listDepth++;
        break;
      case 'spreadsheet':
        this.#isSheet = true;
        break;
      case 'page':
        return this.#options.page('');
      case 'frame':
        if (tag.get('placeholder') === 'true') return false;
        this.#isTitle = tag.get('class') === 'title';
        break;
      default:
        return this.#openTable(tag);
    }
    return true;
  }

  #openTable(tag: XmlTag): boolean {
    switch (tag.name) {
      case 'table':
        if (this.#isSheet && this.#tables === 0 && !this.#options.page(tag.get('name') ?? '')) return false;
        this.#tables++;
        this.#flow.openTable();
        break;
      case 'table-row':
        this.#flow.openRow(Number(tag.get('number-rows-repeated') ?? 1));
        break;
      case 'table-cell':
      case 'covered-table-cell':
        this.#flow.openCell(1, Number(tag.get('number-columns-repeated') ?? 1));
        this.#cellDate = tag.get('value-type') === 'date';
        this.#cellValue = isoCell(tag.get('date-value')) ?? tag.get('value') ?? '';
        break;
    }
    return true;
  }

  close(name: string): void {
    switch (name) {
      case 'p':
      case 'h':
      case 'header-decl':
      case 'footer-decl':
      case 'date-time-decl':
        this.#closeParagraph();
        break;
      case 'ruby-text': {
        const paragraph = this.#paragraphs.at(-1);
        if (paragraph !== undefined) paragraph.text += ')';
        break;
      }
      case 'a': {
        const link = this.#links.pop();
        if (link !== undefined) this.#options.link(link.url, this.#paragraphs.at(-1)?.text.slice(link.start) ?? '');
        break;
      }
      case 'list-item':
      case 'list-header':
        this.#listDepth--;
        break;
      case 'frame':
        this.#isTitle = false;
        break;
      case 'table':
        this.#tables--;
        this.#flow.closeTable();
        break;
      case 'table-row':
        this.#flow.closeRow();
        break;
      case 'table-cell':
      case 'covered-table-cell':
        if (this.#isSheet && this.#cellValue !== '') this.#flow.add({ kind: 'paragraph', text: this.#cellValue });
        this.#cellValue = '';
        this.#flow.closeCell();
        break;
      case 'master-styles':
        this.#inBody = false;
        break;
    }
  }

  text(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph === undefined) return;
    paragraph.text += text;
    if (paragraph.text.length <= MAX_PARAGRAPH) return;
    this.#emit(paragraph);
    paragraph.text = '';
  }

  #level(tag: XmlTag): number | undefined {
    if (this.#isTitle) return 2;
    return tag.name === 'h' ? Math.min(Math.max(1, Number(tag.get('outline-level') ?? 1) || 1), 6) : undefined;
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (paragraph !== undefined) this.#emit(paragraph);
  }

  #emit(paragraph: Paragraph): void {
    if (!this.#inBody || paragraph.text.trim() === '') return;
    // "Page ()" is what stays of a line made of fields.
    if (this.#options.margins === true && !/\p{L}.*\P{L}\p{L}|\p{L}{6}/u.test(paragraph.text)) return;
    const { text, level, item } = paragraph;
    if (this.#isSheet && this.#tables > 0) {
      // A date is told in ISO form, whatever the sheet makes of it; other cells as they are shown.
      if (!this.#cellDate || this.#cellValue === '') this.#flow.add({ kind: 'paragraph', text });
      if (!this.#cellDate) this.#cellValue = '';
    } else if (level !== undefined) this.#flow.add({ kind: 'heading', level, text });
    else this.#flow.add({ kind: item ? 'item' : 'paragraph', text });
  }
}

/** A date of a cell, written as those of other spreadsheets: to the second, the time of day only where there is one. */
function isoCell(value: string | undefined): string | undefined {
  return value
    ?.replace(/\.\d+$/, '')
    .replace(/T00:00:00$/, '')
    .replace('T', ' ');
}
