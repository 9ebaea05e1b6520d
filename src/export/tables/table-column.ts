/**
 * What a column holds. 'time': ms since the epoch; 'long': whole numbers beyond 32 bits; 'texts': a list. What is missing is undefined.
 */
export type ColumnType = 'text' | 'int' | 'long' | 'real' | 'time' | 'flag' | 'texts';

export type CellValue = string | number | boolean | readonly string[] | undefined;

export interface TableColumn<Row> {
  readonly name: string;
  readonly type: ColumnType;
  readonly meaning: string;
  /** Only where it is asked for by name: it is read from the archive. */
  readonly onRequest?: true;
  value(row: Row): CellValue | Promise<CellValue>;
}

/** The last time that a date can tell. */
const LAST_TIME = 8.64e15;
const LARGEST_INT = 2 ** 31 - 1;

/** A value as its type allows: pages declare dates in the year 300,000, and texts with halves of characters. */
export function soundValue(type: ColumnType, value: CellValue): CellValue {
  if (value === undefined) return undefined;
  switch (type) {
    case 'text':
      return String(value).toWellFormed();
    case 'texts':
      return (value as readonly string[]).map((text) => String(text).toWellFormed());
    case 'flag':
      return value === true;
    case 'time':
      return isBetween(value, LAST_TIME) ? Math.trunc(value) : undefined;
    case 'int':
      return isBetween(value, LARGEST_INT) ? Math.trunc(value) : undefined;
    case 'long':
      return isBetween(value, Number.MAX_SAFE_INTEGER) ? Math.trunc(value) : undefined;
    default:
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  }
}

function isBetween(value: CellValue, most: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= most;
}
