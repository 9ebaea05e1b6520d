import { readTime } from '../../../base/dates/read-time.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import type { TableFilter } from '../../../contracts/site-report.ts';
import { REPORT_COLUMNS, type ReportColumn, reportColumn } from './report-columns.ts';

export const FILTER_OPERATORS = ['=', '!=', '>=', '<=', '>', '<', '~', '!~', '^='] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

const FORM = /^\s*([A-Za-z]+)\s*(!=|!~|>=|<=|\^=|=|>|<|~)\s*(.*?)\s*$/s;
const LONGEST = 1000;
const SCALES: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9 };
const DAY_MS = 86_400_000;

/** Reads a condition as people type it: `status=4xx`, `title~shop`, `depth<=3`, `canonical=` (none), `visitedAt>=2026-11-01`. */
export function readFilter(text: string): TableFilter {
  const [, name, operator, value] = FORM.exec(text.length > LONGEST ? '' : text) ?? [];
  if (name === undefined)
    throw wrong(`A filter is a column, a sign and a value, but this is ${JSON.stringify(text.slice(0, 80))}.`);
  const column = reportColumn(name) ?? reportColumnLike(name);
  if (column === undefined)
    throw wrong(`There is no column ${name}.`, `The columns are: ${REPORT_COLUMNS.map((one) => one.name).join(', ')}.`);
  if (column.derived === true)
    throw wrong(`The column ${column.name} cannot be filtered by: it is made from other rows.`);
  return filterOf(column, operator as FilterOperator, value);
}

function filterOf(column: ReportColumn, operator: FilterOperator, value: string): TableFilter {
  const { name, kind } = column;
  const not = operator.startsWith('!') ? { not: true } : {};
  if (value === '') {
    if (operator === '=' || operator === '!=') return { column: name, is: 'missing', ...not };
    throw wrong(`The filter ${name}${operator} has no value.`, `${name}= finds rows without one.`);
  }
  if (kind === 'number' || kind === 'time') return { ...rangeOf(column, operator, value), ...not };
  switch (operator) {
    case '=':
    case '!=':
      return { column: name, is: 'equal', value, ...not };
    case '^=':
      return { column: name, is: 'beginning', text: value };
    case '~':
    case '!~':
      return { column: name, is: 'containing', text: value, ...not };
    default:
      throw wrong(
        `${name} holds words: it cannot be compared by ${operator}.`,
        'Use =, !=, ~ (contains), !~ or ^= (begins with).',
      );
  }
}

function rangeOf(column: ReportColumn, operator: FilterOperator, value: string): TableFilter {
  const { name, kind } = column;
  const { from, to } = kind === 'time' ? timeSpan(name, value) : numberSpan(name, value);
  switch (operator) {
    case '=':
    case '!=':
      return { column: name, is: 'between', from, to };
    case '>=':
      return { column: name, is: 'between', from };
    case '<=':
      return { column: name, is: 'between', to };
    case '>':
      return { column: name, is: 'between', from: kind === 'time' ? to + 1000 : to + 1 };
    case '<':
      return { column: name, is: 'between', to: from - 1 };
    default:
      throw wrong(`${name} holds a ${kind}: it cannot be compared by ${operator}.`, 'Use =, !=, <, <=, > or >=.');
  }
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function numberSpan(name: string, value: string): Span {
  const [, hundreds] = /^([1-9])xx$/i.exec(value) ?? [];
  if (hundreds !== undefined) return { from: Number(hundreds) * 100, to: Number(hundreds) * 100 + 99 };
  const [, digits, scale = ''] = /^(\d{1,15}(?:\.\d{1,9})?)\s*([kmg]?)b?$/i.exec(value) ?? [];
  if (digits === undefined) throw wrong(`${name} takes a number, but got ${value}.`, 'Such as 404, 5xx or 200k.');
  const number = Math.round(Number(digits) * SCALES[scale.toLowerCase()]);
  return { from: number, to: number };
}

/** A day is all of it. */
function timeSpan(name: string, value: string): Span {
  const from = readTime(value);
  if (from === undefined)
    throw wrong(`${name} takes a time, but got ${value}.`, 'Write it as 2026-11-15 or 2026-11-15T12:00.');
  return { from, to: /^\d{4}-\d\d-\d\d$/.test(value) ? from + DAY_MS - 1 : from };
}

/** Whoever types is not held to capitals. */
function reportColumnLike(name: string): ReportColumn | undefined {
  return REPORT_COLUMNS.find((column) => column.name.toLowerCase() === name.toLowerCase());
}

function wrong(
  message: string,
  remedy = 'Such as status=404, title~shop, depth<=3 or canonical= (none).',
): OrbweaverError {
  return new OrbweaverError('USAGE', message, { remedy });
}
