import type { DocumentBuilder } from '../../document-builder.ts';
import { builtInFormat, spreadsheetNumber } from '../../spreadsheet-number.ts';
import type { ByteReader } from '../byte-reader.ts';
import { CodePages } from '../code-page.ts';
import { readHyperlink } from './xls-hyperlink.ts';
import type { XlsRecord } from './xls-records.ts';
import { XlsSheet } from './xls-sheet.ts';
import { codePageText, flaggedText, XlsSharedStrings } from './xls-strings.ts';

const RECORDS_PER_LOOK = 512;
const BIFF8 = 0x0600;
const ERRORS: ReadonlyMap<number, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
]);

/** The records of a workbook, Excel 2 to 2003. Invariant: texts not yet written exceed `maxText` by at most one cell. */
export class XlsWorkbook {
  readonly #document: DocumentBuilder;
  readonly #codePages = new CodePages();
  readonly #sheetNames = new Map<number, string>();
  readonly #formats = new Map<number, string>();
  readonly #cellFormats: number[] = [];
  #shared: readonly string[] = [];
  #codePage = 1252;
  #version = 0;
  #from1904 = false;
  /** Substreams within substreams: a chart in a sheet. */
  #depth = 0;
  #sheet: XlsSheet | undefined;
  #isChart = false;
  #sheets = 0;
  #records = 0;
  #gathered = 0;
  #waitsForText: { row: number; column: number } | undefined;
  #isEncrypted = false;

  constructor(document: DocumentBuilder) {
    this.#document = document;
  }

  get isEncrypted(): boolean {
    return this.#isEncrypted;
  }

  /** Sheets with cells or not. */
  get sheets(): number {
    return Math.max(this.#sheetNames.size, this.#sheets);
  }

  /** False ends the reading. */
  take(record: XlsRecord): boolean {
    this.#records++;
    if (this.#records % RECORDS_PER_LOOK === 0 && !this.#document.budget.hasTime()) return false;
    switch (record.type) {
      case 0x0009:
      case 0x0209:
      case 0x0409:
      case 0x0809:
        return this.#begin(record);
      case 0x000a:
        this.#end();
        break;
      case 0x002f:
        this.#isEncrypted = true;
        return false;
      default:
        if (this.#depth > 0) this.#takeContent(record);
    }
    return this.#gathered <= this.#document.budget.limits.maxText && !this.#document.full;
  }

  finish(): void {
    while (this.#depth > 0) this.#end();
  }

  #begin({ type, at, body }: XlsRecord): boolean {
    const kind = body.u16(2);
    // The workbooks of Excel 4 wrap their sheets; all others put them side by side.
    if (kind === 0x0100) return true;
    this.#depth++;
    if (this.#depth > 1) return true;
    this.#version = type === 0x0809 ? body.u16(0) : type;
    // Globals, then sheets; a lone sheet of an old file is a workbook of its own.
    if (kind === 0x0005) return true;
    if (this.#sheets >= this.#document.budget.limits.maxPages) {
      this.#document.cutAt('pages');
      return false;
    }
    this.#sheets++;
    this.#isChart = kind === 0x0020;
    this.#sheet = new XlsSheet(this.#sheetNames.get(at) ?? '');
    return true;
  }

  #end(): void {
    if (this.#depth > 0) this.#depth--;
    if (this.#depth > 0) return;
    this.#sheet?.writeTo(this.#document);
    this.#sheet = undefined;
    this.#gathered = 0;
  }

  #takeContent(record: XlsRecord): void {
    const { type, body } = record;
    switch (type) {
      case 0x0022:
        this.#from1904 = body.u16(0) === 1;
        return;
      case 0x0042:
        // The Mac and the old Windows have numbers of their own for their code pages.
        this.#codePage = { 32768: 10000, 32769: 1252 }[body.u16(0)] ?? body.u16(0);
        return;
      case 0x0085:
        this.#sheetNames.set(body.u32(0), this.#shortText(body, 6));
        return;
      case 0x00fc:
        this.#readShared(record);
        return;
      case 0x041e:
        // Excel 4 numbers them in their order.
        this.#formats.set(
          this.#version === 0x0409 ? this.#formats.size : body.u16(0),
          this.#isUnicode ? this.#text(body, 2) : this.#shortText(body, 2),
        );
        return;
      case 0x001e:
      case 0x021e:
        this.#formats.set(this.#formats.size, this.#shortText(body, 0));
        return;
      case 0x00e0:
        this.#cellFormats.push(body.u16(2));
        return;
      case 0x0043:
      case 0x0243:
      case 0x0443:
        this.#cellFormats.push(body.u8(1));
        return;
      case 0x01b6:
        this.#readBox(record);
        return;
      case 0x001c:
        // A comment; later ones lie in boxes.
        if (!this.#isUnicode) this.#addText(this.#text(body, 4));
        return;
      case 0x100d:
        this.#addText(this.#shortText(body, 2));
        return;
      case 0x01b8: {
        const link = readHyperlink(body, 24);
        if (link !== undefined) this.#sheet?.addLink(link.url, body.u16(0), body.u16(4), link.text);
        return;
      }
      default:
        if (this.#sheet === undefined) return;
        // The cells of a chart repeat those it draws; only their names may come from another file.
        if (this.#depth === 1 && !this.#isChart) this.#takeCell(type, body);
        else if (type === 0x0204) this.#addText(this.#text(body, 6));
    }
  }

  #takeCell(type: number, body: ByteReader): void {
    const row = body.u16(0);
    const column = body.u16(2);
    // Excel 2 has three bytes of looks where later ones have the number of a format.
    const isFirst = this.#version === 0x0009;
    switch (type) {
      case 0x0002:
        this.#put(row, column, String(body.u16(7)));
        return;
      case 0x0003:
        this.#put(row, column, this.#number(body.f64(7), -1));
        return;
      case 0x0203:
        this.#put(row, column, this.#number(body.f64(6), body.u16(4)));
        return;
      case 0x027e:
        this.#put(row, column, this.#number(packedNumber(body.u32(6)), body.u16(4)));
        return;
      case 0x00bd:
        for (let at = 4, to = column; at + 6 <= body.length - 2; at += 6, to++) {
          this.#put(row, to, this.#number(packedNumber(body.u32(at + 2)), body.u16(at)));
        }
        return;
      case 0x00fd:
        this.#put(row, column, this.#shared[body.u32(6)] ?? '');
        return;
      case 0x0004:
        this.#put(row, column, codePageText(body, 8, body.u8(7), this.#codePage, this.#codePages));
        return;
      case 0x0204:
      case 0x00d6:
        this.#put(row, column, this.#text(body, 6));
        return;
      case 0x0005:
        this.#put(row, column, logicText(body.u8(7), body.u8(8) !== 0));
        return;
      case 0x0205:
        this.#put(row, column, logicText(body.u8(6), body.u8(7) !== 0));
        return;
      case 0x0006:
      case 0x0206:
      case 0x0406:
        this.#takeFormula(row, column, body, isFirst ? 7 : 6);
        return;
      case 0x0007:
      case 0x0207:
        if (this.#waitsForText !== undefined) {
          const text = isFirst
            ? codePageText(body, 1, body.u8(0), this.#codePage, this.#codePages)
            : this.#text(body, 0);
          this.#put(this.#waitsForText.row, this.#waitsForText.column, text);
        }
        this.#waitsForText = undefined;
        return;
      default:
    }
  }

  #takeFormula(row: number, column: number, body: ByteReader, at: number): void {
    this.#waitsForText = undefined;
    if (body.u16(at + 6) !== 0xffff) {
      this.#put(row, column, this.#number(body.f64(at), at === 6 ? body.u16(4) : -1));
      return;
    }
    const kind = body.u8(at);
    if (kind === 0) this.#waitsForText = { row, column };
    else if (kind === 1 || kind === 2) this.#put(row, column, logicText(body.u8(at + 2), kind === 2));
  }

  #readShared({ body, more }: XlsRecord): void {
    const room = this.#document.budget.limits.maxText;
    let length = 0;
    this.#shared = new XlsSharedStrings([body, ...more]).read((added) => {
      length += added + 1;
      return length <= room;
    });
  }

  /** A text box or a comment: its text lies in the continuation. */
  #readBox({ body, more }: XlsRecord): void {
    if (!this.#isUnicode) return;
    let left = body.u16(10);
    let text = '';
    for (const part of more) {
      if (left <= 0) break;
      const here = Math.min(left, (part.u8(0) & 1) === 0 ? part.length - 1 : (part.length - 1) >> 1);
      text += flaggedText(part, 0, here);
      left -= here;
    }
    this.#addText(text);
  }

  #addText(text: string): void {
    this.#gathered += text.length;
    this.#sheet?.addText(text);
  }

  #put(row: number, column: number, text: string): void {
    this.#gathered += text.length;
    this.#sheet?.put(row, column, text);
  }

  get #isUnicode(): boolean {
    return this.#version >= BIFF8;
  }

  #number(value: number, cellFormat: number): string {
    const format = this.#cellFormats[cellFormat] ?? 0;
    return spreadsheetNumber(value, this.#formats.get(format) ?? builtInFormat(format), this.#from1904);
  }

  /** A text whose length takes two bytes. */
  #text(body: ByteReader, at: number): string {
    const length = body.u16(at);
    return this.#isUnicode
      ? flaggedText(body, at + 2, length)
      : codePageText(body, at + 2, length, this.#codePage, this.#codePages);
  }

  /** A text whose length takes one byte. */
  #shortText(body: ByteReader, at: number): string {
    const length = body.u8(at);
    return this.#isUnicode
      ? flaggedText(body, at + 1, length)
      : codePageText(body, at + 1, length, this.#codePage, this.#codePages);
  }
}

function logicText(value: number, isError: boolean): string {
  if (isError) return ERRORS.get(value) ?? '';
  return value === 0 ? 'FALSE' : 'TRUE';
}

/** Thirty bits of an integer or of the upper half of a float, and whether it is counted in hundredths. */
function packedNumber(packed: number): number {
  let value: number;
  if ((packed & 2) !== 0) value = (packed | 0) >> 2;
  else {
    const view = new DataView(new ArrayBuffer(8));
    view.setUint32(4, packed & 0xfffffffc, true);
    value = view.getFloat64(0, true);
  }
  return (packed & 1) === 0 ? value : value / 100;
}
