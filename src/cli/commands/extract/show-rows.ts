import type { FieldValue } from '../../../contracts/content/extraction-rules.ts';
import type { RowChange, RowQuery, RowReader, StoredRow, StoredSet } from '../../../contracts/state/row-store.ts';
import { type ExtractionReport, type ReportedSet, reportOf } from '../../../crawl/extraction/extraction-report.ts';
import { csvCell } from '../../../crawl/report/csv-cell.ts';
import { terminalText } from '../../output/terminal-text.ts';
import { writeLines } from '../../output/write-lines.ts';
import { counted } from '../../output/written-amount.ts';

export type RowsFormat = 'text' | 'json' | 'csv';

const LONGEST_CELL = 60;

/** One line for each set and for what is wrong with it; `label` begins the first. */
export function extractionLines(report: ExtractionReport | undefined, label: string): string[] {
  const lines = (report?.sets ?? []).flatMap((set) => [
    `${set.name}: ${counted(set.rows, 'row')} from ${counted(set.pages, 'page')}${set.gone > 0 ? `, ${set.gone} gone` : ''}`,
    ...troubles(set).map((trouble) => `  ${trouble}`),
  ]);
  return lines.map((line, at) => (at === 0 ? label : ' '.repeat(label.length)) + terminalText(line));
}

function troubles({ name, unmatched, problems, problem }: ReportedSet): string[] {
  return [
    ...unmatched.map((what) => `${name} has a rule without effect: ${what}`),
    ...(problems > 0 ? [`${counted(problems, 'page')} could not be read to the end: ${problem}`] : []),
  ];
}

/** All sets, and what of their rules has found nothing. */
export function formatSets(sets: readonly StoredSet[]): string {
  const lines = sets.flatMap((set) => {
    const [first, ...more] = extractionLines({ sets: [reportOf(set)] }, '');
    return [`${first}${set.isCurrent ? '' : '  (not among the rules of the last run)'}`, ...more];
  });
  return `${lines.join('\n')}\n`;
}

/** Answers how many were written. */
export async function printRows(
  reader: RowReader,
  query: RowQuery,
  format: RowsFormat,
  set: StoredSet | undefined,
): Promise<number> {
  const names = set?.rules.fields.map(({ name }) => name) ?? [];
  let count = 0;
  const line = (row: StoredRow): string => {
    count++;
    if (format === 'json') return JSON.stringify(jsonRow(row));
    if (format === 'csv')
      return [...aboutOf(row).map(csvCell), ...names.map((name) => csvCell(cellOf(row.fields[name])))].join(',');
    const fields = Object.entries(row.fields).map(([name, value]) => `${name}: ${shortened(value)}`);
    return terminalText(`${row.goneAt === undefined ? '' : '(gone) '}${row.url}  ${fields.join('  ')}`);
  };
  if (format === 'csv') await writeLines([[...ABOUT, ...names.map((name) => csvCell(name))].join(',')]);
  await writeLines(Iterator.from(reader.rows(query)).map(line));
  return count;
}

export async function printRowChanges(reader: RowReader, query: RowQuery, format: RowsFormat): Promise<number> {
  let count = 0;
  const line = (change: RowChange): string => {
    count++;
    const { number, at, kind, set, url, byRules, fields } = change;
    const time = new Date(at).toISOString();
    if (format === 'json') return JSON.stringify({ number, time, kind, set, url, byRules, fields });
    if (format === 'csv')
      return [number, time, kind, set, url, byRules ? 'rules' : 'page', JSON.stringify(fields)].map(csvCell).join(',');
    return terminalText(
      `${time}  ${kind.padEnd(7)}  ${set}  ${url}${byRules ? '  (other rules)' : ''}  ${differences(change)}`,
    );
  };
  if (format === 'csv') await writeLines(['number,time,kind,set,url,cause,fields']);
  await writeLines(Iterator.from(reader.changes(query)).map(line));
  return count;
}

const ABOUT = ['set', 'url', 'time', 'firstSeen', 'changed', 'gone'] as const;

function aboutOf({ set, url, at, firstSeen, changedAt, goneAt }: StoredRow): (string | undefined)[] {
  return [set, url, dateOf(at), dateOf(firstSeen), dateOf(changedAt), dateOf(goneAt)];
}

function jsonRow(row: StoredRow): object {
  const about = Object.fromEntries(ABOUT.map((name, at) => [name, aboutOf(row)[at]]));
  return { ...about, fields: row.fields };
}

function differences({ kind, fields }: RowChange): string {
  return Object.entries(fields)
    .map(([name, { before, after }]) => {
      if (kind === 'new') return `${name}: ${shortened(after)}`;
      return kind === 'gone' ? `${name}: ${shortened(before)}` : `${name}: ${shortened(before)} -> ${shortened(after)}`;
    })
    .join('  ');
}

function cellOf(value: FieldValue | undefined): string | number | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text;
}

function dateOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
