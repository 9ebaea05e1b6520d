import type { DocumentBlock } from '../../contracts/content/document.ts';

/** Where blocks go. */
export interface BlockSink {
  /** No more is wanted. */
  readonly full: boolean;
  add(block: DocumentBlock): void;
  /** A limit was reached before all was added. */
  cutAt(cut: 'text'): void;
}

interface OpenTable {
  readonly rows: string[][];
  row: string[];
  /** Blocks of the cell that is open. */
  cell: DocumentBlock[] | undefined;
  span: number;
  /** How often the open cell and the open row stand there. */
  cellRepeat: number;
  rowRepeat: number;
  /** Blocks of the only cell so far: a table of one cell is a frame around text. */
  onlyCell: readonly DocumentBlock[] | undefined;
}

/** Longer paragraphs are cut in pieces, so that nobody holds what no limit has counted yet. */
export const MAX_PARAGRAPH = 100_000;
const MAX_SPAN = 64;
/** Sheets write "the same a million times". */
const MAX_REPEAT = 1_000;
const MAX_NESTING = 50;
/** What an empty cell counts, so that a table of nothing has an end. */
const CELL_COST = 8;

/**
 * Blocks in reading order with tables around them. A table inside a cell becomes text of that cell.
 * Invariant: what waits for the end of a table is not more than `maxWaiting` characters before `full` says so.
 */
export class BlockFlow implements BlockSink {
  readonly #sink: BlockSink;
  readonly #maxWaiting: number;
  readonly #tables: OpenTable[] = [];
  #tooDeep = 0;
  #waiting = 0;

  constructor(sink: BlockSink, maxWaiting: number) {
    this.#sink = sink;
    this.#maxWaiting = maxWaiting;
  }

  get full(): boolean {
    return this.#sink.full || this.#waiting > this.#maxWaiting;
  }

  get inTable(): boolean {
    return this.#tables.length > 0;
  }

  add(block: DocumentBlock): void {
    if (this.full && this.#tables.length > 0) return;
    const cell = this.#tables.at(-1)?.cell;
    if (cell === undefined) {
      this.#sink.add(block);
      return;
    }
    if (block.kind !== 'table') this.#waiting += block.text.length;
    cell.push(block);
  }

  cutAt(cut: 'text'): void {
    this.#sink.cutAt(cut);
  }

  openTable(): void {
    if (this.#tables.length >= MAX_NESTING) this.#tooDeep++;
    else
      this.#tables.push({
        rows: [],
        row: [],
        cell: undefined,
        span: 1,
        cellRepeat: 1,
        rowRepeat: 1,
        onlyCell: undefined,
      });
  }

  openRow(repeat = 1): void {
    this.closeRow();
    const table = this.#tables.at(-1);
    if (table !== undefined && this.#tooDeep === 0) table.rowRepeat = bounded(repeat, MAX_REPEAT);
  }

  openCell(span = 1, repeat = 1): void {
    const table = this.#tables.at(-1);
    if (table === undefined || this.#tooDeep > 0 || this.full) return;
    this.closeCell();
    table.cell = [];
    table.span = bounded(span, MAX_SPAN);
    table.cellRepeat = bounded(repeat, MAX_REPEAT);
  }

  /** Told after the cell began: how many columns it takes. */
  spanCell(span: number): void {
    const table = this.#tables.at(-1);
    if (table !== undefined) table.span = bounded(span, MAX_SPAN);
  }

  closeCell(): void {
    const table = this.#tables.at(-1);
    if (table?.cell === undefined || this.#tooDeep > 0) return;
    const text = textOf(table.cell);
    table.onlyCell = table.rows.length === 0 && table.row.length === 0 ? table.cell : undefined;
    const times = text === '' ? Math.min(table.cellRepeat, MAX_SPAN) : table.cellRepeat;
    for (let time = 0; time < times && !(time > 0 && this.full); time++) {
      table.row.push(text);
      for (let extra = 1; extra < table.span; extra++) table.row.push('');
      this.#waiting += time === 0 ? CELL_COST : CELL_COST + text.length;
    }
    table.cell = undefined;
  }

  closeRow(): void {
    const table = this.#tables.at(-1);
    if (table === undefined || this.#tooDeep > 0) return;
    this.closeCell();
    const row = table.row;
    table.row = [];
    while (row.length > 0 && row[row.length - 1] === '') row.pop();
    if (row.length === 0) return;
    table.rows.push(row);
    const size = row.reduce((sum, cell) => sum + cell.length + CELL_COST, 0);
    for (let time = 1; time < table.rowRepeat && !this.full; time++) {
      table.rows.push(row);
      this.#waiting += size;
    }
  }

  closeTable(): void {
    if (this.#tooDeep > 0) {
      this.#tooDeep--;
      return;
    }
    this.closeRow();
    const table = this.#tables.pop();
    if (table === undefined) return;
    const cut = this.#waiting > this.#maxWaiting;
    if (this.#tables.length === 0) this.#waiting = 0;
    if (table.onlyCell !== undefined) for (const block of table.onlyCell) this.add(block);
    else if (table.rows.length > 0) this.add({ kind: 'table', rows: table.rows });
    if (cut && this.#tables.length === 0) this.cutAt('text');
  }

  /** To be called last. Tables that were never closed still count. */
  end(): void {
    while (this.#tables.length > 0) this.closeTable();
  }
}

function bounded(count: number, most: number): number {
  return count >= 1 ? Math.min(Math.trunc(count), most) : 1;
}

function textOf(blocks: readonly DocumentBlock[]): string {
  if (blocks.length === 1 && blocks[0].kind !== 'table') return blocks[0].text;
  return blocks
    .map((block) => (block.kind === 'table' ? block.rows.map((row) => row.join(' ')).join(' ') : block.text))
    .join(' ');
}
