import { MAX_PARAGRAPH } from '../block-flow.ts';
import type { XmlHandler } from '../xml/xml-reader.ts';
import type { XmlTag } from '../xml/xml-tag.ts';
import type { Relationships } from './ooxml-package.ts';
import type { XlsxFormats } from './xlsx-formats.ts';
import type { XlsxStrings } from './xlsx-strings.ts';

export interface XlsxSheetParts {
  readonly strings: XlsxStrings;
  readonly formats: XlsxFormats;
  readonly relationships: Relationships;
  readonly link: (url: string, text: string) => void;
  readonly maxText: number;
}

/** Columns further right than this after an empty stretch move up to it. */
const MAX_GAP = 256;
/** What an empty cell counts, so that a sheet of nothing has an end. */
const CELL_COST = 2;

/** One sheet: rows with text, in order; cells stand in their columns. */
export class XlsxSheet implements XmlHandler {
  readonly rows: string[][] = [];
  /** What is printed above and below. */
  readonly margins: string[] = [];
  readonly #parts: XlsxSheetParts;
  /** The numbers of `rows`, ascending unless the sheet is odd. */
  readonly #numbers: number[] = [];
  #room: number;
  #cells: string[] = [];
  #rowNumber = 0;
  #column = 0;
  #type = '';
  #style = 0;
  #value = '';
  #formula = '';
  #reading: 'value' | 'formula' | 'margin' | undefined;

  constructor(parts: XlsxSheetParts) {
    this.#parts = parts;
    this.#room = parts.maxText;
  }

  get full(): boolean {
    return this.#room < 0;
  }

  open(tag: XmlTag): boolean {
    switch (tag.name) {
      case 'row':
        this.#cells = [];
        this.#rowNumber = Number(tag.get('r') ?? this.#rowNumber + 1);
        this.#column = -1;
        break;
      case 'c':
        this.#column = columnOf(tag.get('r')) ?? this.#column + 1;
        this.#type = tag.get('t') ?? 'n';
        this.#style = Number(tag.get('s') ?? 0);
        this.#value = '';
        this.#formula = '';
        break;
      case 'v':
      case 't':
        this.#reading = 'value';
        break;
      case 'f':
        this.#reading = 'formula';
        break;
      case 'oddHeader':
      case 'oddFooter':
      case 'evenHeader':
      case 'evenFooter':
      case 'firstHeader':
      case 'firstFooter':
        this.#value = '';
        this.#reading = 'margin';
        break;
      case 'hyperlink':
        this.#hyperlink(tag);
        break;
      case 'rPh':
      case 'rPr':
      case 'extLst':
        return false;
    }
    return true;
  }

  close(name: string): void {
    if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#closeRow();
    else if (this.#reading === 'margin') {
      const text = withoutCodes(this.#value);
      if (text !== '' && !this.margins.includes(text)) this.margins.push(text);
    }
    this.#reading = undefined;
  }

  text(text: string): void {
    if (this.#value.length + this.#formula.length > MAX_PARAGRAPH) return;
    if (this.#reading === 'formula') this.#formula += text;
    else if (this.#reading !== undefined) this.#value += text;
  }

  #closeCell(): void {
    const text = this.#shown();
    this.#room -= text.length || CELL_COST;
    if (this.#formula.startsWith('HYPERLINK(')) {
      const url = /^HYPERLINK\("([^"]+)"/.exec(this.#formula)?.[1];
      if (url !== undefined) this.#parts.link(url, text);
    }
    if (text === '' || this.full) return;
    const at = Math.max(this.#cells.length, Math.min(this.#column, this.#cells.length + MAX_GAP));
    this.#room -= at - this.#cells.length;
    while (this.#cells.length < at) this.#cells.push('');
    this.#cells.push(text);
  }

  #closeRow(): void {
    if (this.#cells.length === 0) return;
    this.#numbers.push(this.#rowNumber);
    this.rows.push(this.#cells);
    this.#cells = [];
  }

  #shown(): string {
    const { strings, formats } = this.#parts;
    switch (this.#type) {
      case 's':
        return strings.at(Number(this.#value));
      case 'b':
        return this.#value === '1' ? 'TRUE' : this.#value === '0' ? 'FALSE' : this.#value;
      case 'd':
        return this.#value.replace(/T00:00:00(?:\.0+)?Z?$/, '');
      case 'n':
        return formats.show(this.#value, this.#style);
      default:
        return this.#value;
    }
  }

  #row(number: number): string[] | undefined {
    let low = 0;
    let high = this.#numbers.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#numbers[middle] < number) low = middle + 1;
      else high = middle;
    }
    return this.#numbers[low] === number ? this.rows[low] : undefined;
  }

  /** The list of links comes after the cells. */
  #hyperlink(tag: XmlTag): void {
    const target = this.#parts.relationships.get(tag.qualified('id') ?? '');
    if (target?.external !== true) return;
    const cell = (tag.get('ref') ?? '').split(':')[0];
    const row = this.#row(Number(/\d+$/.exec(cell)?.[0]));
    this.#parts.link(target.target, row?.[columnOf(cell) ?? -1] ?? tag.get('display') ?? '');
  }
}

/** "AB12" -> 27. */
function columnOf(reference: string | undefined): number | undefined {
  let column = 0;
  for (let at = 0; reference !== undefined && at < 4; at++) {
    const code = reference.charCodeAt(at) & ~0x20;
    if (!(code >= 0x41 && code <= 0x5a)) break;
    column = column * 26 + code - 0x40;
  }
  return column === 0 ? undefined : column - 1;
}

/** Header text without its codes for fonts, sizes, places and fields. */
function withoutCodes(text: string): string {
  return text
    .slice(0, 10_000)
    .replace(/&(?:"[^"]*"|K[0-9A-F]{6}|\d{1,3}|[A-Z]|&)/gi, (code) => (code === '&&' ? '&' : ' '))
    .replace(/\s+/g, ' ')
    .trim();
}
