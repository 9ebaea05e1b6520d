import { builtInFormat, spreadsheetNumber } from '../spreadsheet-number.ts';
import type { XmlHandler } from '../xml/xml-reader.ts';
import type { XmlTag } from '../xml/xml-tag.ts';

const MAX_STYLES = 100_000;

/** How a workbook shows its numbers. Reads the part with the styles. */
export class XlsxFormats implements XmlHandler {
  /** Days are counted from 1904, as old Macs did. */
  date1904 = false;
  readonly #codes = new Map<number, string>();
  readonly #formats: number[] = [];
  #inCells = false;

  open(tag: XmlTag): boolean {
    if (tag.name === 'numFmt') {
      if (this.#codes.size < MAX_STYLES) this.#codes.set(Number(tag.get('numFmtId')), tag.get('formatCode') ?? '');
    } else if (tag.name === 'cellXfs') this.#inCells = true;
    else if (tag.name === 'xf' && this.#inCells && this.#formats.length < MAX_STYLES)
      this.#formats.push(Number(tag.get('numFmtId') ?? 0));
    return true;
  }

  close(name: string): void {
    if (name === 'cellXfs') this.#inCells = false;
  }

  text(): void {}

  /** A number as stored, shown by the style with this index. */
  show(value: string, style: number): string {
    const number = Number(value);
    if (value.trim() === '' || !Number.isFinite(number)) return value;
    const id = this.#formats[style] ?? 0;
    return spreadsheetNumber(number, this.#codes.get(id) ?? builtInFormat(id), this.date1904);
  }
}
