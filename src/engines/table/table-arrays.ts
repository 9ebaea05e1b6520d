import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { OrbweaverError } from '../../base/errors.ts';
import type { ColumnSpec } from '../../contracts/site-report.ts';
import { HeldArrays } from './held-arrays.ts';
import { PART_ROWS, partId, type TableMeta } from './table-file.ts';
import { textAt } from './text-parts.ts';

/** Of a million rows, all that one query needs, and the orders and columns of some others. */
const HELD_BYTES = 64 * 2 ** 20;

export interface RowOrder {
  readonly order: Uint32Array;
  /** So many of them have a value, and come first. */
  readonly present: number;
}

/** The arrays of a table file, read when they are needed. */
export class TableArrays {
  readonly meta: TableMeta;
  readonly held = new HeldArrays(HELD_BYTES);
  readonly #array: StatementSync;
  readonly #order: StatementSync;
  readonly #part: StatementSync;
  readonly #block: StatementSync;

  constructor(db: DatabaseSync, meta: TableMeta) {
    this.meta = meta;
    this.#array = db.prepare('SELECT data FROM array WHERE name = ?');
    this.#order = db.prepare('SELECT present, data FROM row_order WHERE name = ?');
    this.#part = db.prepare('SELECT data FROM text_part WHERE id = ?');
    this.#block = db.prepare('SELECT data FROM text_block WHERE id = ?');
  }

  column(name: string): ColumnSpec {
    const column = this.meta.columns.find((one) => one.name === name);
    if (column !== undefined) return column;
    throw new OrbweaverError('USAGE', `There is no column ${name}.`);
  }

  words(name: string): readonly string[] {
    return this.meta.words[name] ?? [];
  }

  numbers(name: string): Uint32Array {
    return this.held.get(`numbers ${name}`, () => new Uint32Array(this.#bytes(name)), size);
  }

  times(name: string): Float64Array {
    return this.held.get(`times ${name}`, () => new Float64Array(this.#bytes(name)), size);
  }

  order(name: string): RowOrder {
    return this.held.get(
      `order ${name}`,
      () => {
        const { present, data } = this.#order.get(name) as { present: number; data: Uint8Array };
        return { present, order: new Uint32Array(bufferOf(data)) };
      },
      ({ order }) => order.byteLength,
    );
  }

  /** Texts of `BLOCK_ROWS` rows, in lower case. */
  block(name: string, block: number): Uint8Array {
    return (this.#block.get(partId(this.numberOf(name), block)) as { data: Uint8Array }).data;
  }

  /** '' where it is missing. `parts` spares reading a part again that was read for another row. */
  text(name: string, row: number, parts = new Map<number, Uint8Array>()): string {
    const part = Math.floor(row / PART_ROWS);
    const id = partId(this.numberOf(name), part);
    let data = parts.get(id);
    if (data === undefined) {
      ({ data } = this.#part.get(id) as { data: Uint8Array });
      parts.set(id, data);
    }
    return textAt(data, row % PART_ROWS);
  }

  /** 0 for the first. */
  numberOf(name: string): number {
    return this.meta.columns.findIndex((one) => one.name === name);
  }

  #bytes(name: string): ArrayBuffer {
    return bufferOf((this.#array.get(name) as { data: Uint8Array }).data);
  }
}

/** A typed array needs its values at a multiple of their size. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  return (
    byteOffset % 8 === 0 && buffer.byteLength === byteLength
      ? buffer
      : buffer.slice(byteOffset, byteOffset + byteLength)
  ) as ArrayBuffer;
}

function size({ byteLength }: { readonly byteLength: number }): number {
  return byteLength;
}
