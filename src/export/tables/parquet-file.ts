import { deserialize, serialize } from 'node:v8';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ExportFile } from '../../contracts/export.ts';
import type { CellValue, ColumnType, TableColumn } from './table-column.ts';

type Column = Omit<TableColumn<never>, 'value'>;
type SchemaElement = ParquetWriter['schema'][number];

/** Parts of a file that were written: what its footer needs. As JSON. */
export type ParquetState = string;

const BUFFER_BYTES = 1 << 20;

/** A Parquet file, written a row group at a time. Memory does not depend on the number of rows, but for the list of row groups. */
export class ParquetFile {
  readonly #columns: readonly Column[];
  readonly #output: ExportFile;
  readonly #bytes = new ByteWriter(BUFFER_BYTES);
  readonly #writer: ParquetWriter;

  /** `state`: of the file as far as it is there. */
  constructor(
    columns: readonly Column[],
    output: ExportFile,
    about: Readonly<Record<string, string>>,
    state?: ParquetState,
  ) {
    this.#columns = columns;
    this.#output = output;
    this.#writer = new ParquetWriter({
      ...{ writer: this.#bytes, schema: schemaOf(columns), createdBy: 'orbweaver' },
      kvMetadata: Object.entries(about).map(([key, value]) => ({ key, value })),
    });
    if (state === undefined) return;
    const { groups, rows } = deserialize(Buffer.from(state, 'base64'));
    this.#writer.row_groups = groups;
    this.#writer.num_rows = rows;
    // Its beginning is there already.
    this.#bytes.index = 0;
    this.#bytes.offset = output.bytes;
  }

  get state(): ParquetState {
    return serialize({ groups: this.#writer.row_groups, rows: this.#writer.num_rows }).toString('base64');
  }

  /** Writes rows as a group. */
  async writeGroup(rows: readonly (readonly CellValue[])[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#writer.write({
      columnData: this.#columns.map(({ name, type }, at) => ({
        name,
        data: rows.map((values) => parquetValue(type, values[at])),
        // Groups are small enough to be read whole; an index of their pages would have to be kept until the end.
        offsetIndex: false,
      })),
      rowGroupSize: rows.length,
    });
    this.#writer.pendingIndexes = [];
    await this.#flush();
  }

  async finish(): Promise<void> {
    await this.#writer.finish();
    await this.#flush();
  }

  async #flush(): Promise<void> {
    // The buffer is used again.
    await this.#output.write(Buffer.from(this.#bytes.getBytes()));
    this.#bytes.index = 0;
  }
}

/** Numbers of 64 bits are bigints there, times are dates, and what is missing is null. */
function parquetValue(type: ColumnType, value: CellValue): unknown {
  if (value === undefined) return null;
  if (type === 'long') return BigInt(value as number);
  return type === 'time' ? new Date(value as number) : value;
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.flatMap(({ name, type }) => elementsOf(name, type)),
  ];
}

function elementsOf(name: string, type: ColumnType): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
  switch (type) {
    case 'int':
      return [{ ...optional, type: 'INT32' }];
    case 'long':
      return [{ ...optional, type: 'INT64' }];
    case 'real':
      return [{ ...optional, type: 'DOUBLE' }];
    case 'flag':
      return [{ ...optional, type: 'BOOLEAN' }];
    case 'time':
      return [
        {
          ...{ ...optional, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
        },
      ];
    case 'texts':
      return [
        { ...optional, num_children: 1, converted_type: 'LIST' },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', repetition_type: 'OPTIONAL', ...text },
      ];
    default:
      return [{ ...optional, ...text }];
  }
}
