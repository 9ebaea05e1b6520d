/** What a cell of the report holds; absent where nothing is known. Times are ms since the epoch. */
export type ReportValue = string | number;

/**
 * 'text': any words, searched without regard to case. 'word': one of few, such as a media type. 'number': a whole number from 0 to
 * 4,294,967,294. 'time': ms since the epoch, kept to the second.
 */
export type ColumnKind = 'text' | 'word' | 'number' | 'time';

export interface ColumnSpec {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** Values by the names of columns. */
export type TableRow = Readonly<Record<string, ReportValue | undefined>>;

/** What rows have to meet. All of a list must hold. A value that is missing is no value: it meets only `missing` and what is negated. */
export type TableFilter = { readonly column: string; readonly not?: boolean } & (
  | { readonly is: 'missing' }
  /** Of numbers and times; both ends included. */
  | { readonly is: 'between'; readonly from?: number; readonly to?: number }
  /** Of words and texts; upper and lower case are one. */
  | { readonly is: 'equal'; readonly value: string }
  | { readonly is: 'beginning'; readonly text: string }
  | { readonly is: 'containing'; readonly text: string }
);

export interface TableQuery {
  /** Rows that have this flag; all where absent. */
  readonly flag?: string;
  readonly filters?: readonly TableFilter[];
  /** By the first column where absent. Equal rows are in its order, too; rows without a value come last in both directions. */
  readonly sort?: { readonly column: string; readonly descending?: boolean };
  /** Keys from an earlier answer: rows after, or before, the one with this key. At most one of them. */
  readonly after?: string;
  readonly before?: string;
  readonly limit: number;
}

export interface TablePage {
  readonly rows: readonly FoundRow[];
  /** Rows that meet the query in all. */
  readonly total: number;
  /** Of those, before the first one that is shown. */
  readonly skipped: number;
}

export interface FoundRow {
  /** Where to go on from: holds what the row is sorted by, so that it stays good when the table is made again. */
  readonly key: string;
  readonly row: number;
}

/** A table that never changes: made whole, then read by any number. Answers take time by the rows, but never read them all. */
export interface TableReader extends Disposable {
  readonly rows: number;
  readonly columns: readonly ColumnSpec[];
  /** How many rows have each flag. */
  readonly flags: Readonly<Record<string, number>>;
  /** What was said when it was made. */
  readonly about: unknown;
  /** Throws `USAGE` for columns and keys that there are not. */
  find(query: TableQuery): Promise<TablePage>;
  /** Values of rows, in their order. */
  read(rows: readonly number[], columns: readonly string[]): TableRow[];
  /** Rows that meet a query from first to last, in the order asked for; memory does not depend on how many there are. */
  scan(query: Omit<TableQuery, 'after' | 'before' | 'limit'>): AsyncIterable<number>;
}

/** Takes rows in any order, whose texts in the first column differ; numbers them from 0, and becomes a table that others see at once, or not at all. */
export interface TableWriter extends Disposable {
  /** Rows so far. */
  readonly rows: number;
  add(row: TableRow): number;
  /** The row with this text in the first column. */
  rowOf(text: string): number | undefined;
  /** The same by the halves of its fingerprint. */
  rowAt(hi: number, lo: number): number | undefined;
  /** A value that follows from other rows; only of numbers and words. */
  set(row: number, column: string, value: ReportValue): void;
  /** Of numbers, as given so far; undefined where missing. */
  get(row: number, column: string): number | undefined;
  flag(row: number, name: string): void;
  /** Groups of rows that share a text, of those for which `counts` holds; each group has at least two. */
  sameTexts(column: string, counts: (row: number) => boolean): Iterable<readonly number[]>;
  /** Makes it durable and visible. Before this nobody sees anything; after a crash only the table before is there. */
  publish(about: unknown): void;
}
