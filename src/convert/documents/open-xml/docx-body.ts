import { type BlockFlow, MAX_PARAGRAPH } from '../block-flow.ts';
import type { XmlHandler } from '../xml/xml-reader.ts';
import type { XmlTag } from '../xml/xml-tag.ts';
import type { DocxNumbering } from './docx-numbering.ts';
import type { DocxStyles } from './docx-styles.ts';
import { hyperlinkOf } from './field-instruction.ts';
import type { Relationships } from './ooxml-package.ts';

interface Paragraph {
  text: string;
  style: string;
  outline?: number;
  list?: string;
  listLevel?: number;
}

/** A field that is open: its instruction, and where the text that it shows starts. */
interface Field {
  instruction: string;
  /** Undefined while the instruction is still being read. */
  start: number | undefined;
}

/** Looks, properties of the past, text that was deleted or moved away, and second versions of what came before. */
const UNWANTED = new Set([
  'rPr',
  'tblPr',
  'tblPrEx',
  'tblGrid',
  'trPr',
  'sectPr',
  'sdtPr',
  'sdtEndPr',
  'pPrChange',
  'del',
  'moveFrom',
  'Fallback',
]);

const MAX_FIELDS = 20;
const MAX_INSTRUCTION = 10_000;

/** One part of a DOCX that holds text: the body, notes, headers, footers, comments. */
export class DocxBody implements XmlHandler {
  readonly #flow: BlockFlow;
  readonly #styles: DocxStyles;
  readonly #numbering: DocxNumbering;
  readonly #relationships: Relationships;
  readonly #link: (url: string, text: string) => void;
  readonly #paragraphs: Paragraph[] = [];
  readonly #links: { readonly url: string | undefined; readonly start: number }[] = [];
  readonly #fields: Field[] = [];
  #reading: 'text' | 'instruction' | undefined;
  #ruby: { start: number; text: string } | undefined;

  constructor(
    flow: BlockFlow,
    styles: DocxStyles,
    numbering: DocxNumbering,
    relationships: Relationships,
    link: (url: string, text: string) => void,
  ) {
    this.#flow = flow;
    this.#styles = styles;
    this.#numbering = numbering;
    this.#relationships = relationships;
    this.#link = link;
  }

  open(tag: XmlTag): boolean {
    const { name } = tag;
    if (UNWANTED.has(name)) return false;
    const paragraph = this.#paragraphs.at(-1);
    switch (name) {
      case 'p':
        this.#paragraphs.push({ text: '', style: '' });
        break;
      case 't':
        this.#reading = 'text';
        break;
      case 'instrText':
        this.#reading = 'instruction';
        break;
      case 'tbl':
        this.#flow.openTable();
        break;
      case 'tr':
        this.#flow.openRow();
        break;
      case 'tc':
        this.#flow.openCell();
        break;
      case 'gridSpan':
        this.#flow.spanCell(Number(tag.get('val')));
        break;
      default:
        if (paragraph !== undefined) this.#openInside(paragraph, tag);
    }
    return true;
  }

  #openInside(paragraph: Paragraph, tag: XmlTag): void {
    switch (tag.name) {
      case 'pStyle':
        paragraph.style = tag.get('val') ?? '';
        break;
      case 'outlineLvl':
        paragraph.outline = Number(tag.get('val'));
        break;
      case 'numId':
        paragraph.list = tag.get('val');
        break;
      case 'ilvl':
        paragraph.listLevel = Number(tag.get('val')) || 0;
        break;
      case 'tab':
      case 'br':
      case 'cr':
      case 'ptab':
        paragraph.text += ' ';
        break;
      case 'noBreakHyphen':
        paragraph.text += '-';
        break;
      case 'sym':
        paragraph.text += symbolOf(tag.get('char'));
        break;
      case 'textpath':
        paragraph.text += ` ${tag.get('string') ?? ''} `;
        break;
      case 'hyperlink': {
        const target = this.#relationships.get(tag.qualified('id') ?? '');
        this.#links.push({ url: target?.external === true ? target.target : undefined, start: paragraph.text.length });
        break;
      }
      case 'fldSimple':
        this.#links.push({ url: hyperlinkOf(tag.get('instr') ?? ''), start: paragraph.text.length });
        break;
      case 'fldChar':
        this.#field(paragraph, tag.get('fldCharType'));
        break;
      case 'rt':
        this.#ruby = { start: paragraph.text.length, text: '' };
        break;
    }
  }

  close(name: string): void {
    const paragraph = this.#paragraphs.at(-1);
    switch (name) {
      case 't':
      case 'instrText':
        this.#reading = undefined;
        break;
      case 'p':
        this.#paragraphs.pop();
        if (paragraph !== undefined) this.#emit(paragraph);
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
      case 'hyperlink':
      case 'fldSimple': {
        const link = this.#links.pop();
        if (link?.url !== undefined) this.#link(link.url, paragraph?.text.slice(link.start) ?? '');
        break;
      }
      case 'rt':
        if (paragraph !== undefined && this.#ruby !== undefined) {
          this.#ruby.text = paragraph.text.slice(this.#ruby.start);
          paragraph.text = paragraph.text.slice(0, this.#ruby.start);
        }
        break;
      case 'ruby':
        if (paragraph !== undefined && this.#ruby !== undefined && this.#ruby.text !== '')
          paragraph.text += ` (${this.#ruby.text})`;
        this.#ruby = undefined;
        break;
    }
  }

  text(text: string): void {
    if (this.#reading === 'text') {
      const paragraph = this.#paragraphs.at(-1);
      if (paragraph === undefined) return;
      paragraph.text += text;
      if (paragraph.text.length <= MAX_PARAGRAPH) return;
      this.#emit(paragraph);
      paragraph.text = '';
    } else if (this.#reading === 'instruction') {
      const field = this.#fields.at(-1);
      if (field?.start === undefined && field !== undefined && field.instruction.length < MAX_INSTRUCTION)
        field.instruction += text;
    }
  }

  #field(paragraph: Paragraph, type: string | undefined): void {
    const field = this.#fields.at(-1);
    if (type === 'begin') {
      if (this.#fields.length < MAX_FIELDS) this.#fields.push({ instruction: '', start: undefined });
    } else if (type === 'separate') {
      if (field !== undefined) field.start = paragraph.text.length;
    } else if (type === 'end' && field !== undefined) {
      this.#fields.pop();
      const url = hyperlinkOf(field.instruction);
      if (url !== undefined) this.#link(url, paragraph.text.slice(field.start ?? paragraph.text.length));
    }
  }

  #emit(paragraph: Paragraph): void {
    const role = this.#styles.roleOf(paragraph.style);
    const list = paragraph.list ?? role.list ?? '0';
    // Empty paragraphs count as well.
    const number = this.#numbering.next(list, paragraph.listLevel ?? role.listLevel, paragraph.style);
    if (paragraph.text.trim() === '') return;
    const text = number === '' ? paragraph.text : `${number} ${paragraph.text}`;
    const own = paragraph.outline === undefined || !(paragraph.outline < 9) ? undefined : paragraph.outline + 1;
    const level = own ?? (paragraph.outline === 9 ? undefined : role.level);
    if (level !== undefined) this.#flow.add({ kind: 'heading', level: Math.min(level, 6), text });
    else if (paragraph.list === undefined ? role.item : list !== '0') this.#flow.add({ kind: 'item', text });
    else this.#flow.add({ kind: 'paragraph', text });
  }
}

/** Characters of symbol fonts stand in a private area and mean nothing outside of their font. */
function symbolOf(hex: string | undefined): string {
  const code = Number.parseInt(hex ?? '', 16);
  return code >= 0x20 && code < 0xd800 ? String.fromCharCode(code) : ' ';
}
