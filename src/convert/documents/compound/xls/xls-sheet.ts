import type { DocumentBuilder } from '../../document-builder.ts';

const MAX_COLUMNS = 16_384;
/** Where so few cells of the grid are filled, the empty ones are left out. */
const SPARSE = 20;
const GRID_ALWAYS_KEPT = 10_000;

/** The cells of a sheet while it is read. */
export class XlsSheet {
  readonly name: string;
  readonly #rows = new Map<number, Map<number, string>>();
  readonly #columns = new Set<number>();
  readonly #texts = new Set<string>();
  readonly #links: { readonly url: string; readonly row: number; readonly column: number; readonly text: string }[] =
    [];
  #cells = 0;

  constructor(name: string) {
    this.name = name;
  }

  put(row: number, column: number, text: string): void {
    if (text === '' || column >= MAX_COLUMNS) return;
    let cells = this.#rows.get(row);
    if (cells === undefined) {
      cells = new Map();
      this.#rows.set(row, cells);
    }
    if (!cells.has(column)) this.#cells++;
    cells.set(column, text);
    this.#columns.add(column);
  }

  /** Text outside of the cells: in boxes, comments, charts. What several charts say is kept once. */
  addText(text: string): void {
    this.#texts.add(text);
  }

  addLink(url: string, row: number, column: number, text: string): void {
    this.#links.push({ url, row, column, text });
  }

  /** Writes the sheet: its name, its cells as a table, then the rest. */
  writeTo(document: DocumentBuilder): void {
    if (this.#cells === 0 && this.#texts.size === 0) return;
    if (this.name !== '') document.heading(2, this.name);
    document.table(this.#grid());
    for (const text of this.#texts) document.paragraph(text);
    for (const { url, row, column, text } of this.#links) {
      document.link(url, this.#rows.get(row)?.get(column) ?? text);
    }
  }

  #grid(): string[][] {
    const columns = [...this.#columns].sort((a, b) => a - b);
    const rows = [...this.#rows].sort(([a], [b]) => a - b);
    const isSparse = rows.length * columns.length > GRID_ALWAYS_KEPT + this.#cells * SPARSE;
    return rows.map(([, cells]) => {
      if (!isSparse) return columns.map((column) => cells.get(column) ?? '');
      return [...cells].sort(([a], [b]) => a - b).map(([, text]) => text);
    });
  }
}
