import { type BlockFlow, MAX_PARAGRAPH } from '../block-flow.ts';
import type { XmlHandler } from '../xml/xml-reader.ts';
import type { XmlTag } from '../xml/xml-tag.ts';
import type { Relationships } from './ooxml-package.ts';

export interface DrawingTextOptions {
  readonly relationships: Relationships;
  readonly link: (url: string, text: string) => void;
  /** Which placeholders are read, by type ('' where it has none, undefined for shapes that are none). All when absent. */
  readonly wanted?: (placeholder: string | undefined) => boolean;
  /** Dates, headers and footers, which most slides repeat, go here where it is given. */
  readonly margin?: (text: string) => void;
}

const MARGINS = new Set(['dt', 'hdr', 'ftr']);
const TITLES = new Set(['title', 'ctrTitle']);
/** Text properties, and second versions of what came before. */
const UNWANTED = new Set(['lstStyle', 'bodyPr', 'Fallback', 'style', 'tblPr', 'tblGrid', 'spPr']);

/** Text of shapes and tables in slides, diagrams and drawings: titles become headings, bullets and placeholders items. */
export class DrawingText implements XmlHandler {
  /** The first title seen. */
  title = '';
  readonly #flow: BlockFlow;
  readonly #options: DrawingTextOptions;
  #placeholder: string | undefined;
  #text = '';
  #inText = false;
  #bullet: boolean | undefined;
  #linkUrl: string | undefined;
  #linkStart = 0;

  constructor(flow: BlockFlow, options: DrawingTextOptions) {
    this.#flow = flow;
    this.#options = options;
  }

  open(tag: XmlTag): boolean {
    if (UNWANTED.has(tag.name)) return false;
    switch (tag.name) {
      case 'sp':
      case 'graphicFrame':
      case 'pic':
      case 'cxnSp':
        this.#placeholder = undefined;
        break;
      case 'ph':
        this.#placeholder = tag.get('type') ?? '';
        break;
      case 'txBody':
        return this.#options.wanted?.(this.#placeholder) ?? true;
      case 'p':
        this.#text = '';
        this.#bullet = undefined;
        break;
      case 't':
        this.#inText = true;
        break;
      case 'br':
      case 'tab':
        this.#text += ' ';
        break;
      case 'buChar':
      case 'buAutoNum':
      case 'buBlip':
        this.#bullet = true;
        break;
      case 'buNone':
        this.#bullet = false;
        break;
      case 'r':
      case 'fld':
        this.#linkStart = this.#text.length;
        break;
      case 'hlinkClick': {
        const target = this.#options.relationships.get(tag.qualified('id') ?? '');
        if (target?.external === true) this.#linkUrl = target.target;
        break;
      }
      case 'tbl':
        this.#flow.openTable();
        break;
      case 'tr':
        this.#flow.openRow();
        break;
      case 'tc':
        this.#flow.openCell(Number(tag.get('gridSpan') ?? 1));
        break;
    }
    return true;
  }

  close(name: string): void {
    switch (name) {
      case 't':
        this.#inText = false;
        break;
      case 'r':
      case 'fld':
      case 'cNvPr':
        if (this.#linkUrl !== undefined) this.#options.link(this.#linkUrl, this.#text.slice(this.#linkStart));
        this.#linkUrl = undefined;
        break;
      case 'p':
        this.#emit();
        break;
      case 'tbl':
        this.#flow.closeTable();
        break;
      case 'tr':
        this.#flow.closeRow();
        break;
      case 'tc':
        this.#flow.closeCell();
        break;
    }
  }

  text(text: string): void {
    if (!this.#inText) return;
    this.#text += text;
    if (this.#text.length > MAX_PARAGRAPH) this.#emit();
  }

  #emit(): void {
    const text = this.#text;
    this.#text = '';
    if (text.trim() === '') return;
    const placeholder = this.#flow.inTable ? undefined : this.#placeholder;
    if (placeholder !== undefined && TITLES.has(placeholder)) {
      if (this.title.length < MAX_PARAGRAPH) this.title += this.title === '' ? text : ` ${text}`;
      return;
    }
    if (placeholder !== undefined && MARGINS.has(placeholder) && this.#options.margin !== undefined) {
      this.#options.margin(text);
      return;
    }
    const item = this.#bullet ?? (placeholder === '' || placeholder === 'body' || placeholder === 'obj');
    this.#flow.add({ kind: item ? 'item' : 'paragraph', text });
  }
}
