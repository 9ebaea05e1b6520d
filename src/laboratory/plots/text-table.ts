import { plainNumber } from './plain-number.ts';

/** One cell of a table: text as it is, numbers rounded for people; undefined where there is nothing to tell. */
export type Cell = string | number | undefined;

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Columns side by side, numbers to the right; with bars and a rule it is Markdown too. */
export function textTable({ columns, rows }: Table): string {
  const texts = rows.map((row) => row.map(cellText));
  const widths = columns.map((column, at) => Math.max(column.length, 3, ...texts.map((row) => row[at].length)));
  const right = columns.map((_, at) => rows.some((row) => isNumber(row[at])));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => (right[at] ? cell.padStart(widths[at]) : cell.padEnd(widths[at]))).join(' | ')} |`;
  const rule = `|${widths.map((width, at) => `${'-'.repeat(width + 1)}${right[at] ? ':' : '-'}`).join('|')}|`;
  return [line(columns), rule, ...texts.map(line)].join('\n');
}

export function cellText(cell: Cell): string {
  if (cell === undefined) return '-';
  return typeof cell === 'number' ? plainNumber(cell) : cell;
}

/** Also a number that was written with its unit, such as 12.5 %. */
export function isNumber(cell: Cell): boolean {
  return typeof cell === 'number' || (cell !== undefined && /^[+−]?[\d,.]+(?: %|×)?$/.test(cell));
}
