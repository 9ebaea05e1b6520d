import type { Cell, Table } from './bench-result.ts';
import { plainNumber } from './plain-number.ts';

/** Columns side by side, numbers to the right; with bars and a rule it is Markdown too. */
export function textTable({ columns, rows }: Table): string {
  const texts = rows.map((row) => row.map(cellText));
  const widths = columns.map((column, at) => Math.max(column.length, 3, ...texts.map((row) => row[at].length)));
  const right = columns.map((_, at) => rows.some((row) => typeof row[at] === 'number'));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => (right[at] ? cell.padStart(widths[at]) : cell.padEnd(widths[at]))).join(' | ')} |`;
  const rule = `|${widths.map((width, at) => `${'-'.repeat(width + 1)}${right[at] ? ':' : '-'}`).join('|')}|`;
  return [line(columns), rule, ...texts.map(line)].join('\n');
}

function cellText(cell: Cell): string {
  if (cell === undefined) return '-';
  return typeof cell === 'number' ? plainNumber(cell) : cell;
}
